#include "planner_ccd/first_look/first_look.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <random>

#include "planner_ccd/first_look/single.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

using look::kInstants;

/// [m] Bound of all numbers in the tables: squares of their sums are far from overflow.
constexpr double kLargest = 1e4;

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
  // The balls' centres lie within the hull of the covered points, to rounding; a hundredth covers that.
  fixed_reach_ = (fixed_reach_ + 1.01 * carried) * kRoundUp;
  applies_ = applies_ && fixed_reach_ < kLargest && problem_->extent < kLargest;
  find_near_pairs();
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
    if (!start(motion, scratch)) return;
    for (const look::Part part : {look::Part::Obstacles, look::Part::Links}) {
      look::look(tables_, scratch.edge, look::Until::End, part, scratch.findings);
    }
    for (const look::Overlap& o : scratch.findings.overlaps) overlaps[o.pair] += std::popcount(o.instants);
  }
  for (look::SelfPair& s : tables_.self) s.near = 4 * overlaps[s.pair] > 3 * kMotions * kInstants;
}

/// B_2 as PairMotion has it, of the balls' centres alone, for straight motions, in the world: (20) of MATHS.md T13. By body, `turned` is W,
/// `lever` D, and `slid` what is subtracted.
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

bool FirstLook::start(const EdgeMotion& motion, Scratch& scratch) const {
  if (!applies_) return false;
  look::Edge& edge = scratch.edge;
  const std::size_t moves = tables_.moves.size();
  edge.start.resize(moves);
  edge.change.resize(moves);
  edge.rate.resize(moves);
  edge.value.resize(moves);
  edge.bend.resize(tables_.movers.size());
  edge.stray.resize(tables_.movers.size());
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
  // Plus the errors of poses in double, of everything placed by them, and of the values themselves.
  edge.place = float_up((1.01 * shares * reach + motion.rounding_pads(problem_->extent).position) * kRoundUp);
  if (!(edge.place < kLargest)) return false;
  edge.grain = float_up(64.0 * kFloatRoundoff * reach);
  bend(scratch);
  prepare_tube(motion, scratch);
  // At every instant of time the bends are far from what would overflow.
  if (std::any_of(edge.stray.begin(), edge.stray.end(), [](float b) { return !(b < kLargest); })) return false;
  look::Findings& findings = scratch.findings;
  for (const int pair : findings.opened) findings.open[pair] = 0;
  findings.opened.clear();
  findings.turns.resize(moves * 2 * kInstants);
  findings.poses.resize(tables_.bodies.size() * 12 * kInstants);
  findings.around.resize(tables_.movers.size() * 3 * kInstants);
  findings.balls.resize(tables_.balls.size() * 3 * kInstants);
  findings.balls_placed.resize(tables_.movers.size());
  findings.low.resize(3 * tables_.movers.size());
  findings.high.resize(3 * tables_.movers.size());
  findings.displaced.resize(tables_.movers.size() * kInstants);
  findings.displaced_known.resize(tables_.movers.size());
  findings.open.resize(problem_->pairs.size(), 0);
  findings.overlaps.clear();
  findings.unsure_within.clear();
  findings.movers_left = static_cast<int>(tables_.movers.size());
  findings.hit_pair = -1;
  findings.hit_instant = kInstants;
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
  std::erase_if(findings.opened, [&](int pair) {
    if (problem_->chains[problem_->pairs[pair].chain].body_b != 0) return false;  // the look has asked
    const int index = moving_->find(pair);
    if (index >= 0) findings.open[pair] &= cells.parts_of(index).open;
    return findings.open[pair] == 0;
  });
}

void FirstLook::look_at_obstacles(look::Until until, Scratch& scratch) const {
  look::look(tables_, scratch.edge, until, look::Part::Obstacles, scratch.findings);
}

void FirstLook::look_at_links(const EdgeMotion& motion, look::Until until, Scratch& scratch) const {
  links_by(look::look, motion, until, scratch);
}

look::Meeting FirstLook::meet(int mover, const GrainObstacle& grains, double margin, Scratch& scratch) const {
  const GrainObstacle::Parts& parts = grains.get();
  return look::meet(tables_, scratch.edge, mover, {parts.box, &parts.field, float_up(margin)}, scratch.findings);
}

bool FirstLook::look_by(Kernel* kernel, const EdgeMotion& motion, look::Until until, Scratch& scratch) const {
  if (!start(motion, scratch)) return false;
  const look::Findings& findings = scratch.findings;
  const auto done = [&] { return until == look::Until::AnyContact && findings.hit_pair >= 0; };
  while (findings.movers_left > 0 && !done()) {
    kernel(tables_, scratch.edge, until, look::Part::Obstacles, scratch.findings);
  }
  if (!done()) links_by(kernel, motion, until, scratch);
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
    pieces = 0;
  }
  findings.opened.clear();
}

std::size_t FirstLook::memory() const {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  const look::Tables& t = tables_;
  std::size_t fields = of(t.fields);
  for (const look::Field& field : t.fields) fields += of(field.bounds);
  return of(t.moves) + of(t.bodies) + of(t.movers) + of(t.balls) + of(t.witnesses) + of(t.cores) + of(t.volumes) +
         3 * (of(t.lower[0]) + of(t.upper[0])) + fields + of(t.obstacles) + of(t.pair_of) + of(t.margin_of_pair) +
         of(t.self) + of(t.steps);
}

}  // namespace planner_ccd
