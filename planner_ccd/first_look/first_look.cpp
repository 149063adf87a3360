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
  for (const look::Opened& opened : findings.opened) {
    const int pair = opened.pair;
    const int known = moving_ == nullptr ? -1 : moving_->find(pair);
    const auto uncertain = [pair](const Candidate& c) { return c.pair == pair; };
    auto first = std::find_if(cells.uncertain.begin(), cells.uncertain.end(), uncertain);
    if (known >= 0 && first == cells.uncertain.end()) {
      const auto before = static_cast<std::ptrdiff_t>(cells.uncertain.size());
      moving_->ask_cells(known, motion, cells);
      first = cells.uncertain.begin() + before;
    }
    look::for_each_run(opened.pieces, [&](double t0, double end) {
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
