#include "planner_ccd/first_look/first_look.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/scene/single.hpp"

namespace planner_ccd {
namespace {

using look::kInstants;

/// [m] Bound of all numbers in the tables: squares of their sums are far from overflow.
constexpr double kLargest = 1e4;

void put(const Eigen::Vector3d& v, float* out) {
  for (int i = 0; i < 3; ++i) out[i] = static_cast<float>(v[i]);
}
void put(const Eigen::Vector3f& v, float* out) { std::copy(v.data(), v.data() + 3, out); }

/// Entries within 1e-9, far less than u, of 1 or 0 are rounded to it: sines of quarter turns come out as 6e-17.
void set_turn(const Eigen::Matrix3d& R, look::Body& out) {
  bool quarters = true;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double entry = R(k, i), whole = std::round(entry);
      const bool is_whole = std::abs(entry - whole) < 1e-9;
      quarters = quarters && is_whole;
      out.rotation[3 * i + k] = static_cast<float>(is_whole ? whole : entry);
      if (is_whole && whole != 0.0) {
        out.source[i] = k;
        out.sign[i] = static_cast<float>(whole);
      }
    }
  }
  out.quarters = quarters;
}

look::Ball ball_of(const CoverBall& b) {
  look::Ball ball{{}, b.radius};
  put(b.center, ball.center);
  return ball;
}

}  // namespace

FirstLook::FirstLook(const CollisionWorld& world, const LinkCovers& covers, const MovingPairs* moving)
    : problem_(&world.problem()), applies_(true), moving_(moving) {
  add_robot();
  if (!applies_) return;
  add_colliders(world, covers);
  add_pairs(world);
  double carried = 0.0;
  for (const Collider& c : world.colliders()) {
    if (c.body != 0) carried = std::max(carried, c.tree->reach());
  }
  // The balls' centres lie within the hull of the covered points, to rounding; a hundredth covers that.
  fixed_reach_ = (fixed_reach_ + 1.01 * carried) * kRoundUp;
  applies_ = applies_ && fixed_reach_ < kLargest && problem_->extent < kLargest;
  find_near_pairs();
}

void FirstLook::add_robot() {
  const MoveChain& chain = problem_->moves;
  for (const planner_ccd::Move& m : chain.moves) {
    look::Move move{m.kind == MoveKind::Rotation, m.main_axis, {}};
    put(m.axis, move.axis);
    tables_.moves.push_back(move);
  }
  double offsets = 0.0;
  tables_.bodies.push_back({});
  offset_.push_back(0.0);
  for (std::size_t b = 1; b < chain.bodies.size(); ++b) {
    const BodyMoves& m = chain.bodies[b];
    const planner_ccd::Body& body = chain.robot->bodies()[b];
    const Eigen::Isometry3d& X = chain.robot->joints()[body.joint].X_ParentBodyJoint;
    look::Body out{};
    out.parent = body.parent;
    out.first_move = m.first;
    out.move_count = m.count;
    if (m.has_offset) out.free = free_joints_++;
    set_turn(X.linear(), out);
    put(Eigen::Vector3d(X.translation()), out.translation);
    tables_.bodies.push_back(out);
    offset_.push_back(X.translation().norm());
    offsets += offset_.back();
  }
  fixed_reach_ = offsets;
}

void FirstLook::add_mover(const Collider& collider, const BodyCover& cover) {
  look::Mover m{};
  m.body = collider.body;
  m.around = ball_of(cover.around);
  double reach = cover.around.center.cast<double>().norm();
  for (const CoverBall& b : cover.balls) reach = std::max(reach, b.center.cast<double>().norm());
  m.reach = float_up(reach * kRoundUp);
  m.first_ball = static_cast<int>(tables_.balls.size());
  m.ball_count = static_cast<int>(cover.balls.size());
  for (const CoverBall& b : cover.balls) {
    tables_.balls.push_back(ball_of(b));
    tables_.offset.push_back(float_up((b.center - cover.around.center).cast<double>().norm() * kRoundUp));
  }
  mover_links_.push_back(collider.link);
  m.first_core = static_cast<int>(tables_.cores.size());
  m.core_count = static_cast<int>(cover.cores.size());
  for (const CoverBall& b : cover.cores) tables_.cores.push_back(ball_of(b));
  std::vector<CoverBall> points, cores = cover.cores;
  for (const Eigen::Vector3f& p : cover.points) points.push_back({p, 0.0f});
  if (cores.empty()) cores = points;
  m.first_witnesses = static_cast<int>(tables_.witnesses.size() / (4 * kInstants));
  for (const std::vector<CoverBall>& row : {points, cores}) {  // missing entries are filled with copies
    for (int k = 0; k < 4; ++k) {
      for (int i = 0; i < kInstants; ++i) {
        const CoverBall& w = row[static_cast<std::size_t>(i) % row.size()];
        tables_.witnesses.push_back(k < 3 ? w.center[k] : w.radius);
      }
    }
  }
  m.filled = cover.filled;
  m.margin = -1.0f;
  tables_.movers.push_back(m);
}

void FirstLook::add_colliders(const CollisionWorld& world, const LinkCovers& covers) {
  const RobotModel& robot = *problem_->moves.robot;
  for (const Collider& c : world.colliders()) {
    if (c.body == 0) continue;
    const std::size_t link = c.is_link ? static_cast<std::size_t>(robot.find_link(c.name)) : covers.size();
    if (link < covers.size() && covers[link] != nullptr) {
      add_mover(c, *covers[link]);
    } else {
      add_mover(c, cover_body(*c.tree));
    }
  }
  const auto grains = std::count_if(world.resting().begin(), world.resting().end(),
                                    [&](int i) { return static_cast<bool>(world.colliders()[i].tree->soup().grains); });
  std::vector<const Obstacle*> resting;
  for (const int i : world.resting()) {
    const Collider& c = world.colliders()[i];
    if (c.link >= 0) resting_links_.push_back(c.link);
    Obstacle::Content content{.resting = static_cast<int>(resting.size()), .tree = c.tree.share(), .bounds = c.bounds};
    content.radius = c.radius;
    content.displaced = c.displaced;
    content.bodies_of_grains = grains;
    resting.push_back(resting_.emplace_back(std::make_unique<const Obstacle>(std::move(content))).get());
  }
  tables_.resting_count = resting.size();
  tables_.resting = ObstacleTree(std::move(resting));
}

void FirstLook::add_pairs(const CollisionWorld& world) {
  const std::vector<Collider>& colliders = world.colliders();
  std::vector<int> index(colliders.size());  // among the movers, or among what rests
  int movers = 0, resting = 0;
  for (std::size_t i = 0; i < colliders.size(); ++i) index[i] = colliders[i].body != 0 ? movers++ : resting++;
  tables_.pair_of.assign(static_cast<std::size_t>(movers) * resting, -1);
  const int rows = static_cast<int>(problem_->pairs.rows().size());
  for (int row = 0; row < rows; ++row) tables_.movers[index[world.mover_of_row(row)]].row = row;
  for (std::size_t p = 0; p < problem_->pairs.size(); ++p) {
    const SearchPair& pair = problem_->pairs[p];
    const int a = index[world.collider_a(static_cast<int>(p))], b = index[world.collider_b(static_cast<int>(p))];
    const float margin = float_up(pair.margin);
    tables_.margin_of_pair.push_back(margin);
    look::Mover& mover = tables_.movers[a];
    const PairChain& chain = problem_->chains[pair.chain];
    if (chain.body_b != 0) {
      const int first = static_cast<int>(tables_.steps.size()), count = static_cast<int>(chain.steps.size());
      for (const PairChain::Step& step : chain.steps) {
        tables_.steps.push_back({step.move, problem_->moves.body_of_move[step.move], step.offset_to_a});
      }
      tables_.self.push_back({static_cast<int>(p), a, b, first, count, mover.reach, false});
      self_links_.emplace_back(pair.link_a, pair.link_b);
      const int known = moving_ == nullptr ? -1 : moving_->find(static_cast<int>(p));
      cells_of_self_.push_back(known);
      continue;
    }
    mover.margin = std::max(mover.margin, margin);
    tables_.pair_of[static_cast<std::size_t>(a) * resting + b] = static_cast<int>(p);
  }
}

/// Looks at a few motions through the joints' ranges, by balls alone. A heuristic: it steers the search and proves
/// nothing.
void FirstLook::find_near_pairs() {
  const RobotModel& robot = *problem_->moves.robot;
  if (tables_.self.empty() || !applies_) return;
  constexpr int kMotions = 8;
  std::mt19937 rng(1);
  const auto configuration = [&] {
    Eigen::VectorXd q(robot.dof());
    for (int i = 0; i < robot.dof(); ++i) {
      const Coordinate& c = robot.coordinates()[i];
      const double lower = std::max(c.lower, -std::numbers::pi), upper = std::min(c.upper, std::numbers::pi);
      q[i] = lower + (upper - lower) * (static_cast<double>(rng()) / static_cast<double>(std::mt19937::max()));
    }
    return q;
  };
  EdgeMotion motion(robot);
  Scratch scratch;
  std::vector<int> overlaps(problem_->pairs.size(), 0);
  for (int i = 0; i < kMotions; ++i) {
    motion.set_linear(configuration(), configuration(), AnglePolicy::Literal);
    if (!start(motion, nullptr, scratch)) return;
    for (const look::Part part : {look::Part::Obstacles, look::Part::Links}) {
      look::look(tables_, scratch.edge, look::Until::End, part, scratch.findings);
    }
    for (const look::Overlap& o : scratch.findings.overlaps) overlaps[o.pair] += std::popcount(o.instants);
  }
  for (look::SelfPair& s : tables_.self) s.near = 4 * overlaps[s.pair] > 3 * kMotions * kInstants;
}

/// B_2 as PairMotion has it, of the balls' centres alone, in the world: (20) of MATHS.md T13. By body, `turned` is W,
/// `lever` D, and `slid` what is subtracted. For curves these are bounds for the whole motion; the lanes find better ones for each piece.
void FirstLook::bend(const EdgeMotion& motion, Scratch& scratch) const {
  look::Edge& edge = scratch.edge;
  const MoveBounds& bounds = motion.bounds(0);
  const std::size_t bodies = tables_.bodies.size();
  for (std::vector<double>* of : {&scratch.turned, &scratch.lever, &scratch.slid, &scratch.pulled}) of->resize(bodies);
  for (std::size_t b = 1; b < bodies; ++b) {
    const look::Body& body = tables_.bodies[b];
    double W = scratch.turned[body.parent], D = scratch.lever[body.parent] + offset_[b],
           less = scratch.slid[body.parent], pulled = scratch.pulled[body.parent];
    if (body.free >= 0) D += edge.free[static_cast<std::size_t>(body.free)].length;
    for (int k = body.first_move; k < body.first_move + body.move_count; ++k) {
      const double w = edge.rate[k], a = bounds.acceleration[k];
      if (tables_.moves[k].rotation) {
        less += D * (w * (2.0 * W + w) + a);
        W += w;
        pulled += a;
      } else {
        less -= 2.0 * W * w + a;
        D += edge.value[k];
      }
    }
    scratch.turned[b] = W;
    scratch.lever[b] = D;
    scratch.slid[b] = less;
    scratch.pulled[b] = pulled;
    edge.way[b] = static_cast<float>(D);
  }
  for (std::size_t m = 0; m < tables_.movers.size(); ++m) {
    const look::Mover& mover = tables_.movers[m];
    const double W = scratch.turned[mover.body],
                 most = (scratch.lever[mover.body] + mover.reach) * (W * W + scratch.pulled[mover.body]);
    const double less = scratch.slid[mover.body];
    // The difference is rounded relative to its larger term.
    edge.bend[m] = float_up((most - less + (kRoundUp - 1.0) * (most + std::abs(less))) * look::kBendOfPiece);
    edge.stray[m] = edge.bend[m];
  }
}

/// The tube in the world: (25) for the centre of a mover's single ball at the instants, what it grows by between them, and (28), which bounds it
/// anywhere on the edge. By body: error_turn, error_less and error of (28). (MATHS.md 7b)
void FirstLook::prepare_tube(const EdgeMotion& motion, Scratch& scratch) const {
  look::Edge& edge = scratch.edge;
  look::Tube& tube = edge.tube;
  const MotionTube& errors = motion.tube();
  tube.any = errors.any();
  if (!tube.any) return;
  const std::size_t bodies = tables_.bodies.size(), moves = tables_.moves.size();
  for (std::vector<double>* of : {&scratch.error_turn, &scratch.error_less, &scratch.error}) of->resize(bodies, 0.0);
  tube.error.resize(moves);
  for (std::size_t b = 1; b < bodies; ++b) {
    const look::Body& body = tables_.bodies[b];
    double D = scratch.lever[body.parent] + offset_[b], less = scratch.error_less[body.parent];
    double turn = scratch.error_turn[body.parent], error = scratch.error[body.parent];
    for (int k = body.first_move; k < body.first_move + body.move_count; ++k) {
      const double d = tube.error[k] = float_up(errors.of_move(k));
      if (tables_.moves[k].rotation) {
        turn += d;
        less += d * D;
      } else {
        error += d;
        D += edge.value[k];
      }
    }
    scratch.error_turn[b] = turn;
    scratch.error_less[b] = less;
    scratch.error[b] = error;
  }
  tube.points.clear();
  for (const MotionTube::Loose& of : errors.loose()) {
    look::Tube::Point point{of.body, {}, float_up(of.turn)};
    for (int i = 0; i < 3; ++i) point.at[i] = static_cast<float>(of.p_BodyPoint[i]);
    tube.points.push_back(point);
  }
  std::uint64_t resting = 0;
  for (const int link : resting_links_) resting |= errors.above(link);
  tube.movers.resize(tables_.movers.size());
  for (std::size_t m = 0; m < tube.movers.size(); ++m)
    widen(errors, m, errors.above(mover_links_[m]) | resting, scratch);
  tube.loose.resize(self_links_.size());
  for (std::size_t s = 0; s < self_links_.size(); ++s) {
    tube.loose[s] = errors.above(self_links_[s].first) != errors.above(self_links_[s].second) ? 1 : 0;
  }
}

/// prepare_tube() for a mover and the poses whose errors displace it relative to obstacles.
void FirstLook::widen(const MotionTube& errors, std::size_t m, std::uint64_t points, Scratch& scratch) const {
  look::Edge& edge = scratch.edge;
  const look::Mover& mover = tables_.movers[m];
  const double reach = scratch.lever[mover.body] + mover.reach;
  double turn = scratch.error_turn[mover.body], shift = scratch.error[mover.body], farthest = 0.0;
  double most = turn * reach, less = scratch.error_less[mover.body];
  for (std::uint64_t left = points; left != 0; left &= left - 1) {
    const MotionTube::Loose& of = errors.loose()[static_cast<std::size_t>(std::countr_zero(left))];
    const double of_turn = float_up(of.turn), away = of.p_BodyPoint.norm();
    turn += of_turn;
    shift += of.shift;
    most += of_turn * (reach + away);
    less += of_turn * scratch.lever[of.body];
    farthest = std::max(farthest, away);
  }
  const double pads = 4.0 * turn * (static_cast<double>(edge.place) + edge.grain) * (1.0 + farthest / fixed_reach_);
  look::Tube::Mover& out = edge.tube.movers[m];
  out.points = points;
  out.turn = float_up(turn * kRoundUp);
  out.constant = float_up((shift + turn * edge.bend[m] + pads) * kRoundUp);
  out.rounding =
      float_up(1.0 + 2.0 * kFloatRoundoff * static_cast<double>(tables_.moves.size() + errors.loose().size() + 16));
  edge.stray[m] = float_up(edge.bend[m] + shift + most - less + (kRoundUp - 1.0) * (most + less + shift));
}

/// For each mover, the greatest margin from what rests.
void FirstLook::find_margins(const look::Around* objects, look::Edge& edge) const {
  edge.margin.resize(tables_.movers.size());
  for (std::size_t m = 0; m < tables_.movers.size(); ++m) {
    const look::Mover& mover = tables_.movers[m];
    edge.margin[m] = mover.margin;
    if (objects == nullptr || objects->tree->size() == 0) continue;
    const double greatest = objects->rules->greatest(mover.row);
    if (greatest >= 0.0)
      edge.margin[m] = std::max(edge.margin[m], float_up(kept_margin(greatest, objects->displaced, 0.0)));
  }
}

/// Directions and places of joints that move freely: they differ from motion to motion.
void FirstLook::set_free(const EdgeMotion& motion, look::Edge& edge) const {
  edge.moves = tables_.moves.data();
  edge.free.resize(static_cast<std::size_t>(free_joints_));
  if (free_joints_ == 0) return;
  edge.own_moves = tables_.moves;
  edge.moves = edge.own_moves.data();
  const MoveChain& chain = motion.chain();
  for (std::size_t b = 1; b < tables_.bodies.size(); ++b) {
    const look::Body& body = tables_.bodies[b];
    if (body.free < 0) continue;
    look::Edge::Free& free = edge.free[static_cast<std::size_t>(body.free)];
    put(Eigen::Vector3d(chain.bodies[b].before.translation()), free.before);
    free.length = chain.bodies[b].before.translation().norm() * kRoundUp;
    for (int i = 0; i < 3; ++i) put(Eigen::Vector3d(chain.bodies[b].after.linear().col(i)), free.after + 3 * i);
    for (int k = body.first_move; k < body.first_move + body.move_count; ++k) {
      edge.own_moves[k].main_axis = chain.moves[k].main_axis;
      put(chain.moves[k].axis, edge.own_moves[k].axis);
    }
  }
}

namespace {

/// On a piece of width h a function is at most h^2 / 8 times its second derivative's bound beyond the greater of its values at the ends. `jerk`: the
/// bound of the third derivative, which is the second of the rate.
look::Edge::Curve curve_of(const Polynomial& p, double jerk) {
  constexpr double kHalf = 0.5 / look::kPieces;
  look::Edge::Curve out{};
  double rates = 0.0, bends = 0.0;
  for (int i = 0; i <= Polynomial::kMaxDegree; ++i) out.value[i] = static_cast<float>(p.c[i]);
  for (int i = 1; i <= Polynomial::kMaxDegree; ++i) {
    out.rate[i - 1] = static_cast<float>(i * p.c[i]);
    rates += i * std::abs(p.c[i]);
  }
  for (int i = 2; i <= Polynomial::kMaxDegree; ++i) {
    out.bend[i - 2] = static_cast<float>(i * (i - 1) * p.c[i]);
    bends += i * (i - 1) * std::abs(p.c[i]);
  }
  const double snap = std::max(std::abs(24.0 * p.c[4]), std::abs(24.0 * p.c[4] + 120.0 * p.c[5]));
  constexpr double kRounding = 64.0 * kFloatRoundoff;
  out.more_rate = float_up(0.5 * kHalf * kHalf * jerk + kRounding * rates);
  out.more_bend = float_up(0.5 * kHalf * kHalf * snap + kRounding * bends);
  return out;
}

}  // namespace

/// The values of the moves; false when they are too large. A turn may begin anywhere: whole turns are taken off.
bool FirstLook::set_moves(const EdgeMotion& motion, look::Edge& edge) const {
  const std::size_t moves = tables_.moves.size();
  for (std::vector<float>* of : {&edge.start, &edge.change}) of->resize(moves);
  for (std::vector<double>* of : {&edge.rate, &edge.value}) of->resize(moves);
  edge.shares = edge.slides = 0.0;
  bool curved = false;
  for (std::size_t k = 0; k < moves; ++k) {
    const Polynomial& value = motion.move(static_cast<int>(k));
    double start = value.c[0], most = motion.value_bound(static_cast<int>(k)), size = most;
    if (tables_.moves[k].rotation && !(most < look::kMostTurn)) {
      constexpr double kTurn = 2.0 * std::numbers::pi;
      start -= kTurn * std::nearbyint(value.value(0.5) / kTurn);
      most = std::abs(start);
      for (int i = 1; i <= value.degree; ++i) most += std::abs(value.c[i]);
      size = most;
    }
    if (value.degree > 1) {
      curved = true;
      size = std::abs(start);
      for (int i = 1; i <= value.degree; ++i) size += std::abs(value.c[i]);
    }
    if (!(size < (tables_.moves[k].rotation ? double{look::kMostTurn} : kLargest))) return false;
    edge.start[k] = static_cast<float>(start);
    edge.change[k] = static_cast<float>(value.c[1]);
    edge.rate[k] = motion.rate_bound(static_cast<int>(k));
    edge.value[k] = most;
    edge.shares += 192.0 + 16.0 * most + (value.degree > 1 ? 32.0 * size : 0.0);
    if (!tables_.moves[k].rotation) edge.slides += size;
  }
  edge.curves.clear();
  for (std::size_t k = 0; curved && k < moves; ++k) {
    edge.curves.push_back(curve_of(motion.move(static_cast<int>(k)), motion.bounds(0).jerk[k]));
    edge.curves.back().value[0] = edge.start[k];
  }
  return true;
}

bool FirstLook::start(const EdgeMotion& motion, const look::Around* objects, Scratch& scratch) const {
  const double extent = objects == nullptr ? problem_->extent : std::max(problem_->extent, objects->extent);
  look::Edge& edge = scratch.edge;
  if (!applies_ || !(extent < kLargest) || !set_moves(motion, edge)) return false;
  edge.way.resize(tables_.bodies.size());
  for (std::vector<float>* of : {&edge.bend, &edge.stray, &edge.drift}) of->resize(tables_.movers.size());
  const double shares = edge.shares * kFloatRoundoff;
  if (!(shares < 0.01)) return false;
  set_free(motion, edge);
  double reach = fixed_reach_ + edge.slides;
  for (const look::Edge::Free& free : edge.free) reach += free.length;
  // Plus the errors of poses in double, of everything placed by them, and of the values themselves.
  edge.place = float_up((1.01 * shares * reach + motion.rounding_pads(extent).position) * kRoundUp);
  if (!(edge.place < kLargest)) return false;
  edge.grain = float_up(64.0 * kFloatRoundoff * reach);
  edge.objects = objects;
  find_margins(objects, edge);
  bend(motion, scratch);
  prepare_tube(motion, scratch);
  // At every instant of time the bends are far from what would overflow.
  if (std::any_of(edge.stray.begin(), edge.stray.end(), [](float b) { return !(b < kLargest); })) return false;
  for (std::size_t m = 0; m < edge.drift.size(); ++m) {
    edge.drift[m] = float_up(static_cast<double>(edge.stray[m]) - static_cast<double>(edge.bend[m]));
  }
  scratch.findings.clear(tables_);
  scratch.cells.clear();
  return true;
}

namespace {

/// Asks the cells about one pair after another.
class AskedCells final : public look::Known {
 public:
  AskedCells(const MovingPairs& pairs, const std::vector<int>& of_self, const EdgeMotion& motion,
             MovingPairsScratch& scratch)
      : pairs_(pairs), of_self_(of_self), motion_(motion), scratch_(scratch) {}

  Parts ask(int self) override { return of_self_[self] < 0 ? Parts{} : parts_of(of_self_[self]); }

  /// Of pairs_.pairs()[index].
  Parts parts_of(int index) {
    const std::size_t before = scratch_.uncertain.size();
    pairs_.ask_cells(index, motion_, scratch_);
    Parts parts{0, 0};
    for (std::size_t i = before; i < scratch_.uncertain.size(); ++i) {
      const Candidate& c = scratch_.uncertain[i];
      for (int piece = 0; piece < look::kPieces; ++piece) {
        if (look::instant(piece) <= c.t1 && c.t0 <= look::instant(piece + 1)) parts.open |= 1u << piece;
      }
    }
    for (const auto& [t0, t1] : scratch_.touching) {
      for (int i = 0; i < kInstants; ++i) {
        if (t0 <= look::instant(i) && look::instant(i) <= t1) parts.likely |= 1u << i;
      }
    }
    return parts;
  }

 private:
  const MovingPairs& pairs_;
  const std::vector<int>& of_self_;
  const EdgeMotion& motion_;
  MovingPairsScratch& scratch_;
};

}  // namespace

void FirstLook::links_by(Kernel* kernel, const EdgeMotion& motion, look::Until until, Scratch& scratch) const {
  if (moving_ == nullptr) return kernel(tables_, scratch.edge, until, look::Part::Links, scratch.findings);
  AskedCells cells(*moving_, cells_of_self_, motion, scratch.cells);
  scratch.edge.known = &cells;
  kernel(tables_, scratch.edge, until, look::Part::Links, scratch.findings);
  scratch.edge.known = nullptr;
  // A link that stands still is an obstacle to the look, but cells may know it: their proofs exclude containment too.
  look::Findings& findings = scratch.findings;
  const int resting = static_cast<int>(problem_->pairs.resting_pairs());
  std::erase_if(findings.opened, [&](look::Opened& opened) {
    const int index = opened.pair < resting ? moving_->find(opened.pair) : -1;  // the look has asked about other pairs
    if (index >= 0) opened.pieces &= cells.parts_of(index).open;
    return opened.pieces == 0;
  });
}

void FirstLook::look_at_obstacles(look::Until until, Scratch& scratch) const {
  look::look(tables_, scratch.edge, until, look::Part::Obstacles, scratch.findings);
}

void FirstLook::look_at_links(const EdgeMotion& motion, look::Until until, Scratch& scratch) const {
  links_by(look::look, motion, until, scratch);
}

bool FirstLook::look_by(Kernel* kernel, const EdgeMotion& motion, look::Until until, const look::Around* objects,
                        Scratch& scratch) const {
  if (!start(motion, objects, scratch)) return false;
  const look::Findings& findings = scratch.findings;
  const auto done = [&] { return until == look::Until::AnyContact && findings.hit_pair >= 0; };
  while (findings.movers_left > 0 && !done()) {
    kernel(tables_, scratch.edge, until, look::Part::Obstacles, scratch.findings);
  }
  if (!done()) links_by(kernel, motion, until, scratch);
  return true;
}

bool FirstLook::look(const EdgeMotion& motion, look::Until until, Scratch& scratch, const look::Around* objects) const {
  return look_by(look::look, motion, until, objects, scratch);
}

bool FirstLook::look_one_by_one(const EdgeMotion& motion, look::Until until, Scratch& scratch,
                                const look::Around* objects) const {
  return look_by(look::look_one_by_one, motion, until, objects, scratch);
}

void FirstLook::take_candidates(const EdgeMotion& motion, Scratch& scratch, double horizon,
                                std::vector<Candidate>& out) const {
  look::Findings& findings = scratch.findings;
  MovingPairsScratch& cells = scratch.cells;
  for (const auto& [pair, pieces] : findings.opened) {
    const int known = moving_ == nullptr ? -1 : moving_->find(pair);
    const auto uncertain = [pair = pair](const Candidate& c) { return c.pair == pair; };
    auto first = std::find_if(cells.uncertain.begin(), cells.uncertain.end(), uncertain);
    if (known >= 0 && first == cells.uncertain.end()) {
      const auto before = static_cast<std::ptrdiff_t>(cells.uncertain.size());
      moving_->ask_cells(known, motion, cells);
      first = cells.uncertain.begin() + before;
    }
    look::for_each_run(pieces, [&](double t0, double end) {
      const double t1 = std::min(end, horizon);
      if (known < 0) {
        if (t0 < horizon) out.push_back({pair, t0, t1});
        return;
      }
      for (auto c = first; c != cells.uncertain.end() && uncertain(*c); ++c) {
        const double lo = std::max(c->t0, t0), hi = std::min(c->t1, t1);
        if (lo <= hi && lo < horizon) out.push_back({pair, lo, hi});
      }
    });
  }
  findings.opened.clear();
}

}  // namespace planner_ccd
