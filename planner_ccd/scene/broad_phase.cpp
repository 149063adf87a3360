#include "planner_ccd/scene/broad_phase.hpp"

#include <algorithm>

namespace planner_ccd {
namespace {

/// While a swept box is longer than this many times the collider's own, its interval is halved. Measured, see
/// bench/README.md.
constexpr double kLoose = 1.5;
constexpr double kShortest = 1.0 / 32.0;  ///< No interval is halved below this.

}  // namespace

Eigen::AlignedBox3d swept_box(const Ssv& volume, const PairState& state, const PairMotion& motion, double half_width,
                              double pad) {
  Eigen::AlignedBox3d box;
  const Eigen::Vector3d origin = state.R * volume.origin + state.o;
  const Eigen::Vector3d edge0 = state.R * volume.edge0;
  const Eigen::Vector3d edge1 = state.R * volume.edge1;
  double acceleration = 0.0;
  for (int j = 0; j < volume.corner_count(); ++j) {
    Eigen::Vector3d c = origin;
    if (j & 1) c += edge0;
    if (j & 2) c += edge1;
    const Eigen::Vector3d travel = half_width * (state.v + state.w.cross(c)).cwiseAbs();
    box.extend(Eigen::Vector3d(c - travel));
    box.extend(Eigen::Vector3d(c + travel));
    acceleration = std::max(acceleration, state.acceleration_at(c, motion, half_width));
  }
  const double around = (volume.radius + 0.5 * half_width * half_width * acceleration) * (1.0 + 0x1p-40) + pad;
  box.min().array() -= around;
  box.max().array() += around;
  return box;
}

BroadPhase::BroadPhase(const CollisionWorld& world, std::int64_t cell_evaluations) : world_(&world), boxes_({}) {
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
    if (problem.chains[pair.chain].body_b != 0) {
      moving_pairs_.push_back({static_cast<int>(p), PairCells::build(problem, static_cast<int>(p), cell_evaluations)});
      continue;
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
  boxes_ = BoxTree(std::move(boxes));
}

/// Invariant: scratch.met from `begin` on lists every box that the mover may meet during [t0, t1]. Consumes that list.
void BroadPhase::halve(const Mover& mover, EdgeState& edge, BroadPhaseScratch& scratch, std::size_t begin, double t0,
                       double t1, std::vector<Candidate>& out) const {
  const double middle = 0.5 * (t0 + t1);
  const double half_width = 0.5 * (t1 - t0);
  const SsvTree& tree = world_->colliders()[mover.collider].tree;
  const Eigen::AlignedBox3d box =
      swept_box(tree.volume(0), edge.pair_state(middle, mover.chain), edge.pair_motion(mover.chain), half_width,
                mover.margin + edge.pads().position);
  std::vector<int>& met = scratch.met;
  if (t0 == 0.0 && t1 == 1.0) {
    boxes_.meet(box, met);
    met.erase(std::remove_if(met.begin() + begin, met.end(), [&](int i) { return mover.pair_of_box[i] < 0; }),
              met.end());
  } else {
    met.erase(std::remove_if(met.begin() + begin, met.end(), [&](int i) { return !boxes_.box(i).intersects(box); }),
              met.end());
  }
  if (met.size() == begin) return;
  if (2.0 * half_width > kShortest && box.sizes().maxCoeff() > kLoose * mover.size) {
    const std::size_t end = met.size();
    for (int half = 0; half < 2; ++half) {
      for (std::size_t i = begin; i < end; ++i) met.push_back(met[i]);
      halve(mover, edge, scratch, end, half == 0 ? t0 : middle, half == 0 ? middle : t1, out);
    }
  } else {
    for (std::size_t i = begin; i < met.size(); ++i) {
      int& last = scratch.last_candidate[met[i]];
      const int pair = mover.pair_of_box[met[i]];
      if (last >= 0 && out[last].pair == pair && out[last].t1 == t0) {
        out[last].t1 = t1;
      } else {
        last = static_cast<int>(out.size());
        out.push_back({pair, t0, t1});
      }
    }
  }
  met.resize(begin);
}

void BroadPhase::collect(EdgeState& edge, BroadPhaseScratch& scratch, std::vector<Candidate>& out) const {
  scratch.met.clear();
  for (const Mover& mover : movers_) {
    scratch.last_candidate.assign(boxes_.count(), -1);
    halve(mover, edge, scratch, 0, 0.0, 1.0, out);
  }
  for (const MovingPair& moving : moving_pairs_) {
    scratch.unknown.clear();
    moving.cells.unknown(edge.motion(), scratch.unknown);
    for (const auto& [t0, t1] : scratch.unknown) out.push_back({moving.pair, t0, t1});
  }
}

}  // namespace planner_ccd
