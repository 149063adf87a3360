#include "planner_ccd/scene/broad_phase.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "planner_ccd/advancement/certified_span.hpp"
#include "planner_ccd/advancement/time_grid.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/scene/box_tree.hpp"

namespace planner_ccd {
namespace {

/// While a swept box is longer than this many times the collider's own, its interval is halved. Measured, see
/// bench/README.md.
constexpr double kLoose = 2.0;
constexpr int kLevels = 5;     ///< No interval is halved below 1/32.
constexpr int kAllBoxes = -1;  ///< In place of a list: the index has not been asked yet.

bool contains(const Eigen::AlignedBox3d& outer, const Eigen::AlignedBox3d& inner) {
  return (outer.min().array() <= inner.min().array()).all() && (inner.max().array() <= outer.max().array()).all();
}

}  // namespace

Eigen::AlignedBox3d swept_box(const Ssv& volume, const PairState& state, const PairMotion& motion, double half_width,
                              double pad) {
  Eigen::AlignedBox3d box;
  const Eigen::Vector3d origin = state.R_BA * volume.origin + state.p_BA;
  const Eigen::Vector3d edge0 = state.R_BA * volume.edge0;
  const Eigen::Vector3d edge1 = state.R_BA * volume.edge1;
  const double third = half_width / 3.0 * motion.jerk_bound();
  for (int j = 0; j < volume.corner_count(); ++j) {
    Eigen::Vector3d c = origin;
    if (j & 1) c += edge0;
    if (j & 2) c += edge1;
    const Eigen::Vector3d velocity = state.velocity(c);
    const Eigen::Array3d bend = (state.v_dot + state.w_dot.cross(c) + state.w.cross(velocity)).array().abs() + third;
    const Eigen::Vector3d travel =
        half_width * kRoundUp * (velocity.array().abs() + 0.5 * half_width * bend.min(motion.acceleration_bound()));
    box.extend(Eigen::Vector3d(c - travel));
    box.extend(Eigen::Vector3d(c + travel));
  }
  const double around = volume.radius + pad;
  box.min().array() -= around;
  box.max().array() += around;
  return box;
}

BroadPhase::BroadPhase(const CollisionWorld& world, std::int64_t cell_evaluations, const BoxIndexFactory* index)
    : world_(&world) {
  const SearchProblem& problem = world.problem();
  std::vector<Eigen::AlignedBox3d> boxes;
  std::vector<int> box_of_collider(world.colliders().size(), -1);
  for (std::size_t i = 0; i < world.colliders().size(); ++i) {
    if (world.colliders()[i].body != 0) continue;
    box_of_collider[i] = static_cast<int>(boxes.size());
    boxes.push_back(world.colliders()[i].tree.bounds());
  }
  std::vector<int> mover_of_collider(world.colliders().size(), -1);
  for (std::size_t p = 0; p < problem.pairs.size(); ++p) {
    const SearchPair& pair = problem.pairs[p];
    const bool both_move = problem.chains[pair.chain].body_b != 0;
    const bool links = world.colliders()[world.collider_a(static_cast<int>(p))].is_link &&
                       world.colliders()[world.collider_b(static_cast<int>(p))].is_link;
    if (both_move || links) {
      PairCells cells = PairCells::build(problem, static_cast<int>(p), cell_evaluations);
      // A link that never moves is in the tree of boxes like any obstacle, unless there are cells to ask.
      if (both_move || !cells.empty()) {
        moving_pairs_.push_back({static_cast<int>(p), std::move(cells)});
        continue;
      }
    }
    const int collider = world.collider_a(static_cast<int>(p));
    if (mover_of_collider[collider] < 0) {
      mover_of_collider[collider] = static_cast<int>(movers_.size());
      const double size = world.colliders()[collider].tree.bounds().sizes().maxCoeff();
      movers_.push_back({collider, pair.chain, 0.0, size, std::vector<int>(boxes.size(), -1)});
    }
    Mover& mover = movers_[mover_of_collider[collider]];
    mover.margin = std::max(mover.margin, pair.margin);
    mover.pair_of_box[box_of_collider[world.collider_b(static_cast<int>(p))]] = static_cast<int>(p);
  }
  boxes_ = index ? index->make(std::move(boxes)) : std::make_unique<BoxTree>(std::move(boxes));
  group_moving_pairs();
}

void BroadPhase::group_moving_pairs() {
  // The mean of the trees' centres lies as near to the body's origin as the farthest of them, so within its reach.
  const auto cover = [](const std::vector<const SsvTree*>& trees, Eigen::Vector3d& center, double& radius) {
    for (const SsvTree* tree : trees) center += tree->bounding_center() / static_cast<double>(trees.size());
    for (const SsvTree* tree : trees) {
      radius = std::max(radius, (tree->bounding_center() - center).norm() + tree->bounding_radius());
    }
    radius *= kRoundUp;
  };
  const SearchProblem& problem = world_->problem();
  for (std::size_t i = 0; i < moving_pairs_.size(); ++i) {
    const int chain = problem.pairs[moving_pairs_[i].pair].chain;
    if (moving_bodies_.empty() || moving_bodies_.back().chain != chain) moving_bodies_.emplace_back().chain = chain;
    moving_bodies_.back().pairs.push_back(static_cast<int>(i));
  }
  for (MovingBodies& bodies : moving_bodies_) {
    std::vector<const SsvTree*> a, b;
    for (const int i : bodies.pairs) {
      const SearchPair& pair = problem.pairs[moving_pairs_[i].pair];
      a.push_back(pair.tree_a);
      b.push_back(pair.tree_b);
      bodies.margin = std::max(bodies.margin, pair.margin);
    }
    cover(a, bodies.center_a, bodies.radius_a);
    cover(b, bodies.center_b, bodies.radius_b);
  }
}

/// The parts of [0, 1] on which Taylor steps of the two spheres do not prove all pairs of the bodies apart.
void BroadPhase::open_parts(const MovingBodies& bodies, EdgeState& edge,
                            std::vector<std::pair<double, double>>& open) const {
  constexpr double kWorthwhile = 0.25;  // share of an interval that a step must prove for another one to be tried
  const auto advance = [&](const auto& self, double t0, double t1) -> void {
    const double m = sample_time(t0, t1);
    const PairState& state = edge.pair_state(m, bodies.chain);
    const Eigen::Vector3d center = state.R_BA * bodies.center_a + state.p_BA;
    const Eigen::Vector3d between = bodies.center_b - center;
    const double distance = between.norm();
    // The normal may be longer than 1 by rounding only: (1 - 2^-40) pays for it.
    const SeparatingGap gap{distance * kRoundDown - bodies.radius_a - bodies.radius_b, between / distance};
    const SpanRequest request{bodies.margin + edge.pads().position, edge.pads(), std::max(m - t0, t1 - m)};
    if (!(gap.gap > request.margin)) return void(open.emplace_back(t0, t1));
    const CertifiedSpan span = certified_span(gap, &center, 1, state, edge.pair_motion(bodies.chain, t0, t1), request);
    const double lo = std::max(t0, m - span.back);
    const double hi = std::min(t1, m + span.forward);
    const bool again = hi - lo >= kWorthwhile * (t1 - t0);
    for (const auto& [from, to] : {std::pair(t0, lo), std::pair(hi, t1)}) {
      if (!(from < to)) continue;
      if (again) {
        self(self, from, to);
      } else {
        open.emplace_back(from, to);
      }
    }
  };
  advance(advance, 0.0, 1.0);
}

Eigen::AlignedBox3d BroadPhase::swept_mover(const Mover& mover, EdgeState& edge, double m, double half_width) const {
  const double pad =
      mover.margin + edge.pads().position + half_width * (edge.pads().speed + half_width * edge.pads().acceleration);
  return swept_box(world_->colliders()[mover.collider].tree.volume(0), edge.pair_state(m, mover.chain),
                   edge.pair_motion(mover.chain, m - half_width, m + half_width), half_width, pad);
}

/// Appends to scratch.boxes what the mover may meet at all.
void BroadPhase::ask(Sweep& sweep, int mover, const Eigen::AlignedBox3d& box) const {
  std::vector<int>& boxes = sweep.scratch.boxes;
  boxes_->meet(box, sweep.scratch.traces[mover], boxes);
  boxes.erase(std::remove_if(boxes.begin(), boxes.end(), [&](int i) { return movers_[mover].pair_of_box[i] < 0; }),
              boxes.end());
}

/// The meeting's part of the edge is for the searches.
void BroadPhase::leave_open(BroadPhaseScratch& scratch, const BroadPhaseScratch::Meeting& meeting, int level) const {
  std::uint32_t& bits = scratch.open[meeting.mover * boxes_->count() + meeting.box];
  if (bits == 0) scratch.opened.emplace_back(meeting.mover, meeting.box);
  const int width = 1 << (kLevels - level);
  bits |= static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1) << (meeting.part * width);
}

/// Asks the prober about the meetings of scratch.left whose boxes meet at t.
void BroadPhase::probe(Sweep& sweep, double t, bool not_halved) const {
  if (sweep.prober == nullptr || !(t < sweep.horizon)) return;
  int mover = -1;
  Eigen::AlignedBox3d box;
  for (const BroadPhaseScratch::Meeting& meeting : sweep.scratch.left) {
    if (not_halved && meeting.halve) continue;
    if (meeting.mover != mover) {
      mover = meeting.mover;
      box = swept_mover(movers_[mover], sweep.edge, t, 0.0);
    }
    if (!boxes_->box(meeting.box).intersects(box)) continue;
    if (!(*sweep.prober)(movers_[mover].pair_of_box[meeting.box], t)) continue;
    sweep.horizon = t;
    return;
  }
}

/// Tries the meetings [begin, end) of scratch.met, all of one part of the edge. What is left goes to scratch.next, for both
/// halves of the part, or is left open.
void BroadPhase::sweep_part(Sweep& sweep, std::size_t begin, std::size_t end, int level) const {
  BroadPhaseScratch& scratch = sweep.scratch;
  const std::vector<BroadPhaseScratch::Meeting>& met = scratch.met;
  const int part = met[begin].part;
  const double width = std::ldexp(1.0, -level), m = (part + 0.5) * width;
  scratch.left.clear();
  for (std::size_t i = begin; i < end;) {
    const int mover = met[i].mover;
    const Eigen::AlignedBox3d box = swept_mover(movers_[mover], sweep.edge, m, 0.5 * width);
    const bool loose = level < kLevels && box.sizes().maxCoeff() > kLoose * movers_[mover].size;
    scratch.boxes.clear();
    if (met[i].box == kAllBoxes) {
      ask(sweep, mover, box);
      ++i;
    } else {
      for (; i < end && met[i].mover == mover; ++i) {
        if (boxes_->box(met[i].box).intersects(box)) scratch.boxes.push_back(met[i].box);
      }
    }
    // Halves of what lies inside of an obstacle's box would lie there too.
    for (const int b : scratch.boxes) scratch.left.push_back({part, mover, b, loose && !contains(boxes_->box(b), box)});
  }
  if (scratch.left.empty()) return;
  // At the end of the part, unless that is a neighbour's or was looked at before; of the whole edge, for what is not halved.
  if (level == 0 || (level == 1 && part == 1)) {
    probe(sweep, 1.0, level == 0);
  } else if (part % 2 == 0) {
    probe(sweep, (part + 1) * width, false);
  }
  if (sweep.done()) return;
  for (const BroadPhaseScratch::Meeting& meeting : scratch.left) {
    if (!meeting.halve) leave_open(scratch, meeting, level);
  }
  for (const int half : {1, 0}) {
    for (const BroadPhaseScratch::Meeting& meeting : scratch.left) {
      if (meeting.halve) scratch.next.push_back({2 * part + half, meeting.mover, meeting.box, false});
    }
  }
}

/// Invariant: scratch.met, with what was left open, lists every meeting there can be before the horizon; a mover with kAllBoxes
/// may meet any.
void BroadPhase::sweep_levels(Sweep& sweep) const {
  BroadPhaseScratch& scratch = sweep.scratch;
  scratch.met.clear();
  for (std::size_t m = 0; m < movers_.size(); ++m) scratch.met.push_back({0, static_cast<int>(m), kAllBoxes, false});
  for (int level = 0; level <= kLevels && !scratch.met.empty(); ++level) {
    const double width = std::ldexp(1.0, -level);
    scratch.times.clear();
    if (level == 0) {
      scratch.times = {0.5, 1.0, 0.25, 0.75};
    } else {
      for (std::size_t i = 0; i < scratch.met.size(); ++i) {
        if (i == 0 || scratch.met[i].part != scratch.met[i - 1].part) {
          scratch.times.push_back((scratch.met[i].part + 0.5) * width);
        }
      }
    }
    sweep.edge.prepare(scratch.times);
    scratch.next.clear();
    for (std::size_t i = 0; i < scratch.met.size();) {
      const int part = scratch.met[i].part;
      std::size_t end = i;
      while (end < scratch.met.size() && scratch.met[end].part == part) ++end;
      if (part * width < sweep.horizon) sweep_part(sweep, i, end, level);
      if (sweep.done()) return;
      i = end;
    }
    scratch.met.swap(scratch.next);
  }
}

void BroadPhase::collect_resting(Sweep& sweep, std::vector<Candidate>& out) const {
  BroadPhaseScratch& scratch = sweep.scratch;
  scratch.open.resize(movers_.size() * boxes_->count(), 0);
  scratch.traces.resize(movers_.size());
  sweep_levels(sweep);
  constexpr double kUnit = 1.0 / (1 << kLevels);
  for (const auto& [mover, box] : scratch.opened) {
    std::uint32_t& bits = scratch.open[mover * boxes_->count() + box];
    const int pair = movers_[mover].pair_of_box[box];
    for (int from = 0; from < 1 << kLevels && from * kUnit < sweep.horizon;) {
      const int skip = std::countr_zero(bits >> from);  // 32 when nothing is left
      if (skip == 32) break;
      from += skip;
      const int end = std::min(32, from + std::countr_one(bits >> from));
      const double t0 = from * kUnit;
      if (t0 < sweep.horizon) out.push_back({pair, t0, std::min(end * kUnit, sweep.horizon)});
      from = end;
    }
    bits = 0;
  }
  scratch.opened.clear();
}

double BroadPhase::collect_until(EdgeState& edge, BroadPhaseScratch& scratch, std::vector<Candidate>& out,
                                 const Prober* prober, bool any) const {
  Sweep sweep{edge, scratch, prober, any, std::numeric_limits<double>::infinity()};
  collect_resting(sweep, out);
  const std::size_t moving = out.size();
  if (!sweep.done()) collect_moving(sweep, out);
  if (!sweep.done()) probe_candidates(sweep, std::span(out).subspan(moving));
  return sweep.horizon;
}

/// Asks the prober about pairs of moving bodies, at the instants whose poses are there anyway.
void BroadPhase::probe_candidates(Sweep& sweep, std::span<const Candidate> candidates) const {
  if (sweep.prober == nullptr) return;
  for (const double t : {1.0, 0.5}) {
    for (const Candidate& c : candidates) {
      if (t < c.t0 || t > c.t1 || !(t < sweep.horizon) || !(*sweep.prober)(c.pair, t)) continue;
      sweep.horizon = t;
      if (sweep.any) return;
    }
  }
}

void BroadPhase::collect_moving(Sweep& sweep, std::vector<Candidate>& out) const {
  EdgeState& edge = sweep.edge;
  BroadPhaseScratch& scratch = sweep.scratch;
  const double horizon = sweep.horizon;
  for (const MovingBodies& bodies : moving_bodies_) {
    // Cells first: where they know the answer, they need no poses.
    scratch.uncertain.clear();
    for (const int i : bodies.pairs) {
      scratch.unknown.clear();
      moving_pairs_[i].cells.unknown(edge.motion(), scratch.unknown);
      for (const auto& [t0, t1] : scratch.unknown) scratch.uncertain.push_back({moving_pairs_[i].pair, t0, t1});
    }
    if (scratch.uncertain.empty()) continue;
    scratch.parts.clear();
    open_parts(bodies, edge, scratch.parts);
    for (const Candidate& c : scratch.uncertain) {
      for (const auto& [t0, t1] : scratch.parts) {
        const double from = std::max(c.t0, t0), to = std::min({c.t1, t1, horizon});
        if (from <= to) out.push_back({c.pair, from, to});
      }
    }
  }
}

}  // namespace planner_ccd
