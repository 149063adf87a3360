#include "planner_ccd/scene/broad_phase.hpp"

#include <algorithm>

#include "planner_ccd/advancement/certified_span.hpp"
#include "planner_ccd/advancement/time_grid.hpp"

namespace planner_ccd {
namespace {

/// While a swept box is longer than this many times the collider's own, its interval is halved. Measured, see
/// bench/README.md.
constexpr double kLoose = 2.0;
constexpr double kShortest = 1.0 / 32.0;  ///< No interval is halved below this.
constexpr int kAllBoxes = -1;             ///< In place of a list: the index has not been asked yet.

}  // namespace

Eigen::AlignedBox3d swept_box(const Ssv& volume, const PairState& state, const PairMotion& motion, double half_width,
                              double pad) {
  Eigen::AlignedBox3d box;
  const Eigen::Vector3d origin = state.R * volume.origin + state.o;
  const Eigen::Vector3d edge0 = state.R * volume.edge0;
  const Eigen::Vector3d edge1 = state.R * volume.edge1;
  const double third = half_width / 3.0 * motion.jerk_bound();
  for (int j = 0; j < volume.corner_count(); ++j) {
    Eigen::Vector3d c = origin;
    if (j & 1) c += edge0;
    if (j & 2) c += edge1;
    const Eigen::Vector3d velocity = state.velocity(c);
    const Eigen::Array3d bend = (state.v_dot + state.w_dot.cross(c) + state.w.cross(velocity)).array().abs() + third;
    const Eigen::Vector3d travel = half_width * (1.0 + 0x1p-40) *
                                   (velocity.array().abs() + 0.5 * half_width * bend.min(motion.acceleration_bound()));
    box.extend(Eigen::Vector3d(c - travel));
    box.extend(Eigen::Vector3d(c + travel));
  }
  const double around = volume.radius + pad;
  box.min().array() -= around;
  box.max().array() += around;
  return box;
}

BroadPhase::BroadPhase(const CollisionWorld& world, std::int64_t cell_evaluations, BoxIndexKind kind) : world_(&world) {
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
  boxes_ = make_box_index(kind, std::move(boxes));
  group_moving_pairs();
}

void BroadPhase::group_moving_pairs() {
  // The mean of the trees' centres lies as near to the body's origin as the farthest of them, so within its reach.
  const auto cover = [](const std::vector<const SsvTree*>& trees, Eigen::Vector3d& center, double& radius) {
    for (const SsvTree* tree : trees) center += tree->bounding_center() / static_cast<double>(trees.size());
    for (const SsvTree* tree : trees) {
      radius = std::max(radius, (tree->bounding_center() - center).norm() + tree->bounding_radius());
    }
    radius *= 1.0 + 0x1p-40;
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
    const Eigen::Vector3d center = state.R * bodies.center_a + state.o;
    const Eigen::Vector3d between = bodies.center_b - center;
    const double distance = between.norm();
    // The normal may be longer than 1 by rounding only: (1 - 2^-40) pays for it.
    const SeparatingGap gap{distance * (1.0 - 0x1p-40) - bodies.radius_a - bodies.radius_b, between / distance};
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

Eigen::AlignedBox3d BroadPhase::swept_mover(const Mover& mover, EdgeState& edge, double t0, double t1) const {
  const double half_width = 0.5 * (t1 - t0);
  const double pad =
      mover.margin + edge.pads().position + half_width * (edge.pads().speed + half_width * edge.pads().acceleration);
  return swept_box(world_->colliders()[mover.collider].tree.volume(0), edge.pair_state(0.5 * (t0 + t1), mover.chain),
                   edge.pair_motion(mover.chain, t0, t1), half_width, pad);
}

/// Appends to scratch.boxes what the mover may meet at all.
void BroadPhase::ask(Sweep& sweep, int mover, const Eigen::AlignedBox3d& box) const {
  std::vector<int>& boxes = sweep.scratch.boxes;
  boxes_->meet(box, sweep.scratch.traces[mover], boxes);
  boxes.erase(std::remove_if(boxes.begin(), boxes.end(), [&](int i) { return movers_[mover].pair_of_box[i] < 0; }),
              boxes.end());
}

void BroadPhase::emit(Sweep& sweep, const BroadPhaseScratch::Meeting& meeting, double t0, double t1) const {
  std::vector<Candidate>& out = sweep.out;
  const int pair = movers_[meeting.mover].pair_of_box[meeting.box];
  int& last = sweep.scratch.last_candidate[meeting.mover * boxes_->count() + meeting.box];
  if (last >= 0 && last < static_cast<int>(out.size()) && out[last].pair == pair && out[last].t0 == t1) {
    out[last].t0 = t0;
  } else {
    last = static_cast<int>(out.size());
    out.push_back({pair, t0, t1});
  }
}

/// Invariant: scratch.met from `begin` on lists every meeting there can be during [t0, t1]; a mover with kAllBoxes may meet
/// any. Consumes that list. False when told to stop.
bool BroadPhase::halve(Sweep& sweep, std::size_t begin, double t0, double t1) const {
  std::vector<BroadPhaseScratch::Meeting>& met = sweep.scratch.met;
  std::vector<int>& boxes = sweep.scratch.boxes;
  const std::size_t end = met.size();
  const bool last = !(t1 - t0 > kShortest);
  for (std::size_t i = begin; i < end;) {
    const int m = met[i].mover;
    const Mover& mover = movers_[m];
    const bool all = met[i].box == kAllBoxes;
    const Eigen::AlignedBox3d box = swept_mover(mover, sweep.edge, t0, t1);
    const bool loose = !last && box.sizes().maxCoeff() > kLoose * mover.size;
    boxes.clear();
    if (all) {
      ask(sweep, m, box);
      ++i;
    } else {
      for (; i < end && met[i].mover == m; ++i) {
        if (boxes_->box(met[i].box).intersects(box)) boxes.push_back(met[i].box);
      }
    }
    for (const int b : boxes) {
      if (loose) {
        met.push_back({m, b});
      } else {
        emit(sweep, {m, b}, t0, t1);
      }
    }
  }
  met.erase(met.begin() + begin, met.begin() + end);
  const std::size_t open = met.size();
  if (open == begin) {
    if (sweep.settle == nullptr || sweep.out.empty() || sweep.edge.kinematics_count() < sweep.settle_at) return true;
    sweep.settle_at = 2 * sweep.edge.kinematics_count();
    return (*sweep.settle)();
  }
  const double middle = 0.5 * (t0 + t1);
  for (const bool later : {true, false}) {
    for (std::size_t i = begin; i < open; ++i) met.push_back(met[i]);
    if (!halve(sweep, open, later ? middle : t0, later ? t1 : middle)) return false;
  }
  met.resize(begin);
  return true;
}

bool BroadPhase::collect_resting(Sweep& sweep) const {
  BroadPhaseScratch& scratch = sweep.scratch;
  scratch.last_candidate.assign(movers_.size() * boxes_->count(), -1);
  scratch.traces.resize(movers_.size());
  scratch.met.clear();
  for (std::size_t m = 0; m < movers_.size(); ++m) scratch.met.push_back({static_cast<int>(m), kAllBoxes});
  return halve(sweep, 0, 0.0, 1.0);
}

void BroadPhase::collect(EdgeState& edge, BroadPhaseScratch& scratch, std::vector<Candidate>& out) const {
  Sweep sweep{edge, scratch, out, nullptr, 0};
  collect_resting(sweep);
  collect_moving(edge, scratch, out);
}

bool BroadPhase::collect(EdgeState& edge, BroadPhaseScratch& scratch, std::vector<Candidate>& out,
                         const std::function<bool()>& settle) const {
  Sweep sweep{edge, scratch, out, &settle, 0};
  if (!collect_resting(sweep)) return false;
  collect_moving(edge, scratch, out);
  return settle();
}

void BroadPhase::collect_moving(EdgeState& edge, BroadPhaseScratch& scratch, std::vector<Candidate>& out) const {
  for (const MovingBodies& bodies : moving_bodies_) {
    bool all_proved = true;
    for (const int i : bodies.pairs) all_proved = all_proved && moving_pairs_[i].cells.always_free();
    scratch.open.clear();
    if (all_proved) {
      scratch.open.emplace_back(0.0, 1.0);  // the cells know better, and cost less
    } else {
      open_parts(bodies, edge, scratch.open);
    }
    if (scratch.open.empty()) continue;
    for (const int i : bodies.pairs) {
      scratch.unknown.clear();
      moving_pairs_[i].cells.unknown(edge.motion(), scratch.unknown);
      for (const auto& [u0, u1] : scratch.unknown) {
        for (const auto& [t0, t1] : scratch.open) {
          if (std::max(u0, t0) <= std::min(u1, t1)) {
            out.push_back({moving_pairs_[i].pair, std::max(u0, t0), std::min(u1, t1)});
          }
        }
      }
    }
  }
}

}  // namespace planner_ccd
