#include "planner_ccd/first_look/first_look.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "planner_ccd/first_look/body_volumes.hpp"
#include "planner_ccd/first_look/single.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

using look::kInstants;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr double kLargest =
    1e4;  ///< [m] Of any number in the tables: squares of what they add up to are far from overflow.
constexpr int kMostObstacles =
    512;  ///< Volumes are tried one after another, sixteen at a time: a tree is faster for more.
constexpr int kFewObstacles = 64;
constexpr int kVolumesOfMesh = 16;  ///< Of few obstacles; of more: 1.

void put(const Eigen::Vector3d& v, float* out) {
  for (int i = 0; i < 3; ++i) out[i] = static_cast<float>(v[i]);
}
void put(const Eigen::Vector3f& v, float* out) { std::copy(v.data(), v.data() + 3, out); }

look::Ball ball_of(const CoverBall& b) {
  look::Ball ball{{}, b.radius, b.core};
  put(b.center, ball.center);
  return ball;
}

/// Entries are rounded to 1 and 0 when they are that to 1e-9, far less than u: sines of quarter turns come out as 6e-17.
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

/// u times the size of what a place in the volume's frame is computed from.
look::Volume volume_of(const RoundVolume& v, int obstacle) {
  look::Volume out{};
  std::copy(v.axes.data(), v.axes.data() + 9, out.axes);
  put(v.center, out.center);
  put(v.half, out.half);
  out.radius = v.radius;
  out.rind = v.rind < 0.0f ? -1.0f : 2.0f * v.rind;
  out.grain =
      float_up(64.0 * kFloatRoundoff * (v.center.cast<double>().norm() + v.half.cast<double>().norm() + v.radius));
  out.cylinder = v.cylinder;
  out.obstacle = obstacle;
  return out;
}

}  // namespace

FirstLook::FirstLook(const CollisionWorld& world, const LinkCovers& covers, const MovingPairs* moving)
    : problem_(&world.problem()), applies_(true), moving_(moving) {
  const std::vector<Collider>& colliders = world.colliders();
  const auto resting = std::count_if(colliders.begin(), colliders.end(), [](const Collider& c) { return c.body == 0; });
  add_robot();
  applies_ = applies_ && resting <= kMostObstacles;
  if (!applies_) return;
  add_colliders(world, covers, resting);
  add_pairs(world);
  double carried = 0.0;
  for (const Collider& c : world.colliders()) {
    if (c.body != 0) carried = std::max(carried, c.tree->reach());
  }
  // The balls' centres lie within the hull of what they cover, to rounding; a margin of a hundredth is plenty.
  fixed_reach_ = (fixed_reach_ + 1.01 * carried) * kRoundUp;
  applies_ = applies_ && fixed_reach_ < kLargest && problem_->extent < kLargest;
  find_near_pairs();
}

/// Looks at a few motions through the joints' ranges, by balls alone. A guess: what it says steers the search, and proves nothing.
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
    if (!prepare(motion, scratch)) return;
    look::look(tables_, scratch.edge, look::Until::End, scratch.findings);
    for (const look::Overlap& o : scratch.findings.overlaps) overlaps[o.pair] += std::popcount(o.instants);
  }
  for (look::SelfPair& s : tables_.self) s.near = 4 * overlaps[s.pair] > 3 * kMotions * kInstants;
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
    applies_ = applies_ && !m.has_offset;
    const planner_ccd::Body& body = chain.robot->bodies()[b];
    const Eigen::Isometry3d& X = chain.robot->joints()[body.joint].X_ParentBodyJoint;
    look::Body out{};
    out.parent = body.parent;
    out.first_move = m.first;
    out.move_count = m.count;
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
  for (const CoverBall& b : cover.balls) tables_.balls.push_back(ball_of(b));
  m.first_points = static_cast<int>(tables_.points.size() / (3 * kInstants));
  for (int row = 0; row < look::kPointRows; ++row) {
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < kInstants; ++i) {  // what there is too little of is there twice
        const std::size_t at = static_cast<std::size_t>(row * kInstants + i) % cover.points.size();
        tables_.points.push_back(cover.points[at][k]);
      }
    }
  }
  m.filled = cover.filled;
  tables_.movers.push_back(m);
}

void FirstLook::add_obstacle(const Collider& collider, int most_volumes) {
  const int index = static_cast<int>(tables_.obstacles.size());
  const BodyVolumes volumes = volumes_of(*collider.tree, most_volumes);
  look::Obstacle obstacle{{}, {}, volumes.filled};
  for (int i = 0; i < 3; ++i) {
    obstacle.lower[i] = float_down(collider.tree->bounds().min()[i]);
    obstacle.upper[i] = float_up(collider.tree->bounds().max()[i]);
  }
  tables_.obstacles.push_back(obstacle);
  if (!volumes.filled) tables_.hollow.push_back(index);
  for (const RoundVolume& v : volumes.volumes) {
    tables_.volumes.push_back(volume_of(v, index));
    const Eigen::Vector3d center = v.center.cast<double>();
    // The frame's axes are orthonormal to 8 u in float, so that places in the world are by less than 64 u of the sizes.
    constexpr double kStretch = 1.0 + 64.0 * kFloatRoundoff;
    const Eigen::Vector3d half = v.axes.cast<double>().cwiseAbs() * v.half.cast<double>() * kStretch +
                                 Eigen::Vector3d::Constant(v.radius * kStretch);
    for (int i = 0; i < 3; ++i) {
      tables_.lower[i].push_back(float_down(center[i] - half[i]));
      tables_.upper[i].push_back(float_up(center[i] + half[i]));
    }
  }
}

void FirstLook::add_colliders(const CollisionWorld& world, const LinkCovers& covers, std::ptrdiff_t resting) {
  const RobotModel& robot = *problem_->moves.robot;
  const int most_volumes = resting > kFewObstacles ? 1 : kVolumesOfMesh;
  for (const Collider& c : world.colliders()) {
    if (c.body == 0) {
      add_obstacle(c, most_volumes);
      continue;
    }
    const std::size_t link = c.is_link ? static_cast<std::size_t>(robot.find_link(c.name)) : covers.size();
    if (link < covers.size() && covers[link] != nullptr) {
      add_mover(c, *covers[link]);
    } else {
      add_mover(c, cover_body(*c.tree));
    }
  }
  for (int i = 0; i < 3; ++i) {
    while (tables_.lower[i].size() % kInstants != 0) {
      tables_.lower[i].push_back(kInfinity);
      tables_.upper[i].push_back(-kInfinity);
    }
  }
}

void FirstLook::add_pairs(const CollisionWorld& world) {
  const std::vector<Collider>& colliders = world.colliders();
  std::vector<int> index(colliders.size());  // among movers, or among obstacles
  int movers = 0, obstacles = 0;
  for (std::size_t i = 0; i < colliders.size(); ++i) index[i] = colliders[i].body != 0 ? movers++ : obstacles++;
  tables_.pair_of.assign(static_cast<std::size_t>(movers) * obstacles, -1);
  for (std::size_t p = 0; p < problem_->pairs.size(); ++p) {
    const SearchPair& pair = problem_->pairs[p];
    const int a = index[world.collider_a(static_cast<int>(p))], b = index[world.collider_b(static_cast<int>(p))];
    const float margin = float_up(pair.margin);
    tables_.margin_of_pair.push_back(margin);
    look::Mover& mover = tables_.movers[a];
    const PairChain& chain = problem_->chains[pair.chain];
    if (chain.body_b != 0) {
      const int first = static_cast<int>(tables_.steps.size()), count = static_cast<int>(chain.steps.size());
      for (const PairChain::Step& step : chain.steps) tables_.steps.push_back({step.move, step.offset_to_a});
      tables_.self.push_back({static_cast<int>(p), a, b, first, count, mover.reach, false});
      const int known = moving_ == nullptr ? -1 : moving_->find(static_cast<int>(p));
      cells_of_self_.push_back(known);
      continue;
    }
    mover.meets_world = true;
    mover.margin = std::max(mover.margin, margin);
    tables_.pair_of[static_cast<std::size_t>(a) * obstacles + b] = static_cast<int>(p);
  }
}

/// B_2 as PairMotion has it, of the balls' centres alone, for straight motions, in the world. Along a body's way from the world let
/// W_k be the sum of the rates of the rotations up to move k, D_k what offsets and translations add up to before it, and D all of
/// them: then the lever of a rotation is rho_k = D - D_k + reach, and
///
///   B_2  =  sum rho_k (W_k^2 - W_{k-1}^2) + sum 2 W w  =  (D + reach) W^2 - sum D_k (W_k^2 - W_{k-1}^2) + sum 2 W w
///
/// over rotations and, last, over translations of rate w, each with the W before it.
void FirstLook::bend(Scratch& scratch) const {
  look::Edge& edge = scratch.edge;
  const std::size_t bodies = tables_.bodies.size();
  scratch.turned.resize(bodies);
  scratch.lever.resize(bodies);
  scratch.slid.resize(bodies);
  for (std::size_t b = 1; b < bodies; ++b) {
    const look::Body& body = tables_.bodies[b];
    double W = scratch.turned[body.parent], D = scratch.lever[body.parent] + offset_[b],
           less = scratch.slid[body.parent];
    for (int k = body.first_move; k < body.first_move + body.move_count; ++k) {
      const double w = edge.rate[k];
      if (tables_.moves[k].rotation) {
        less += D * w * (2.0 * W + w);
        W += w;
      } else {
        less -= 2.0 * W * w;
        D += edge.value[k];
      }
    }
    scratch.turned[b] = W;
    scratch.lever[b] = D;
    scratch.slid[b] = less;
  }
  for (std::size_t m = 0; m < tables_.movers.size(); ++m) {
    const look::Mover& mover = tables_.movers[m];
    const double W = scratch.turned[mover.body], most = (scratch.lever[mover.body] + mover.reach) * W * W;
    const double less = scratch.slid[mover.body];
    // The difference is rounded relative to what it is taken from.
    edge.bend[m] = float_up((most - less + (kRoundUp - 1.0) * (most + std::abs(less))) * look::kBendOfPiece);
  }
}

bool FirstLook::prepare(const EdgeMotion& motion, Scratch& scratch) const {
  if (!applies_) return false;
  look::Edge& edge = scratch.edge;
  const std::size_t moves = tables_.moves.size();
  edge.start.resize(moves);
  edge.change.resize(moves);
  edge.rate.resize(moves);
  edge.value.resize(moves);
  edge.bend.resize(tables_.movers.size());
  double shares = 0.0, slides = 0.0;
  for (std::size_t k = 0; k < moves; ++k) {
    const Polynomial& value = motion.move(static_cast<int>(k));
    const double most = motion.value_bound(static_cast<int>(k));
    if (value.degree > 1 || !(most < look::kMostTurn)) return false;
    edge.start[k] = static_cast<float>(value.c[0]);
    edge.change[k] = static_cast<float>(value.c[1]);
    edge.rate[k] = motion.rate_bound(static_cast<int>(k));
    edge.value[k] = most;
    shares += 192.0 + 16.0 * most;
    if (!tables_.moves[k].rotation) slides += most;
  }
  shares *= kFloatRoundoff;
  if (!(shares < 0.01)) return false;
  const double reach = fixed_reach_ + slides;
  // And what poses in double, all that was placed by them, and values may be off themselves.
  edge.place = float_up((1.01 * shares * reach + motion.rounding_pads(problem_->extent).position) * kRoundUp);
  if (!(edge.place < kLargest)) return false;
  edge.grain = float_up(64.0 * kFloatRoundoff * reach);
  bend(scratch);
  // At every instant of time the bends are far from what would overflow.
  if (std::any_of(edge.bend.begin(), edge.bend.end(), [](float b) { return !(b < kLargest); })) return false;
  look::Findings& findings = scratch.findings;
  for (const int pair : findings.opened) findings.open[pair] = 0;
  findings.opened.clear();
  findings.turns.resize(moves * 2 * kInstants);
  findings.poses.resize(tables_.bodies.size() * 12 * kInstants);
  findings.around.resize(tables_.movers.size() * 4 * kInstants);
  findings.balls.resize(tables_.balls.size() * 4 * kInstants);
  findings.balls_placed.resize(tables_.movers.size());
  findings.low.resize(3 * tables_.movers.size());
  findings.high.resize(3 * tables_.movers.size());
  findings.open.resize(problem_->pairs.size(), 0);
  scratch.cells.clear();
  return true;
}

namespace {

/// Asks cells about one pair after another.
class AskedCells final : public look::Known {
 public:
  AskedCells(const MovingPairs& pairs, const std::vector<int>& of_self, const EdgeMotion& motion,
             MovingPairsScratch& scratch)
      : pairs_(pairs), of_self_(of_self), motion_(motion), scratch_(scratch) {}

  std::uint32_t open_pieces(int self) override {
    if (of_self_[self] < 0) return look::kAllPieces;
    const std::size_t before = scratch_.uncertain.size();
    pairs_.ask_cells(of_self_[self], motion_, scratch_);
    std::uint32_t pieces = 0;
    for (std::size_t i = before; i < scratch_.uncertain.size(); ++i) {
      const Candidate& c = scratch_.uncertain[i];
      for (int piece = 0; piece < look::kPieces; ++piece) {
        if (look::instant(piece) <= c.t1 && c.t0 <= look::instant(piece + 1)) pieces |= 1u << piece;
      }
    }
    return pieces;
  }

 private:
  const MovingPairs& pairs_;
  const std::vector<int>& of_self_;
  const EdgeMotion& motion_;
  MovingPairsScratch& scratch_;
};

}  // namespace

template <typename Kernel>
bool FirstLook::look_by(Kernel&& kernel, const EdgeMotion& motion, look::Until until, Scratch& scratch) const {
  if (!prepare(motion, scratch)) return false;
  if (moving_ == nullptr) {
    scratch.edge.known = nullptr;
    kernel(tables_, scratch.edge, until, scratch.findings);
    return true;
  }
  AskedCells cells(*moving_, cells_of_self_, motion, scratch.cells);
  scratch.edge.known = &cells;
  kernel(tables_, scratch.edge, until, scratch.findings);
  scratch.edge.known = nullptr;
  return true;
}

bool FirstLook::look(const EdgeMotion& motion, look::Until until, Scratch& scratch) const {
  return look_by(look::look, motion, until, scratch);
}

bool FirstLook::look_one_by_one(const EdgeMotion& motion, look::Until until, Scratch& scratch) const {
  return look_by(look::look_one_by_one, motion, until, scratch);
}

void FirstLook::take_candidates(const EdgeMotion& motion, Scratch& scratch, double horizon,
                                std::vector<Candidate>& out) const {
  look::Findings& findings = scratch.findings;
  MovingPairsScratch& cells = scratch.cells;
  for (const int pair : findings.opened) {
    const int known = moving_ == nullptr ? -1 : moving_->find(pair);
    const auto uncertain = [&](const Candidate& c) { return c.pair == pair; };
    auto first = std::find_if(cells.uncertain.begin(), cells.uncertain.end(), uncertain);
    if (known >= 0 && first == cells.uncertain.end()) {
      const auto before = static_cast<std::ptrdiff_t>(cells.uncertain.size());
      moving_->ask_cells(known, motion, cells);
      first = cells.uncertain.begin() + before;
    }
    std::uint32_t& pieces = findings.open[pair];
    for (int from = 0; from < look::kPieces;) {
      const int skip = std::countr_zero(pieces >> from);
      if (skip >= look::kPieces) break;
      from += skip;
      const int end = from + std::countr_one(pieces >> from);
      const double t0 = look::instant(from), t1 = std::min(look::instant(end), horizon);
      from = end;
      if (known < 0) {
        if (t0 < horizon) out.push_back({pair, t0, t1});
        continue;
      }
      for (auto c = first; c != cells.uncertain.end() && uncertain(*c); ++c) {
        const double lo = std::max(c->t0, t0), hi = std::min(c->t1, t1);
        if (lo <= hi && lo < horizon) out.push_back({pair, lo, hi});
      }
    }
    pieces = 0;
  }
  findings.opened.clear();
}

std::size_t FirstLook::memory() const {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  const look::Tables& t = tables_;
  return of(t.moves) + of(t.bodies) + of(t.movers) + of(t.balls) + of(t.points) + of(t.volumes) +
         3 * (of(t.lower[0]) + of(t.upper[0])) + of(t.obstacles) + of(t.pair_of) + of(t.margin_of_pair) + of(t.self) +
         of(t.steps);
}

}  // namespace planner_ccd
