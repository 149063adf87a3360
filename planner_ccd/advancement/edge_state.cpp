#include "planner_ccd/advancement/edge_state.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/geometry/triangle_mesh.hpp"

namespace planner_ccd {

EdgeState::EdgeState(const SearchProblem& problem)
    : problem_(&problem), pair_motions_(problem.chains.size()), poses_(&problem.chains, problem.moves) {
  for (const double reach : problem.chain_reach) reach_ = std::max(reach_, reach);
}

bool EdgeState::start(EdgeMotion& motion) {
  motion_ = &motion;
  ++edge_;
  tube_chain_ = -1;
  bounded_.assign(pair_motions_.size(), 0);
  pads_ = motion.rounding_pads(std::max(problem_->extent, more_extent_));
  poses_.start(&motion);
  // Two bodies within it are less than 2 sqrt(3) kMaxCoordinate apart, which PairFrame accepts.
  if (!(motion.origin_reach() <= 1.7 * kMaxCoordinate)) return false;
  return std::isfinite(pads_.position + pads_.speed + pads_.acceleration) && motion.finite_bounds(reach_);
}

PairTube* EdgeState::tube(int chain, std::uint64_t loose, double t) {
  if (chain != tube_chain_ || loose != tube_loose_ || t != tube_t_) {
    tube_.set(problem_->chains[chain], *motion_, loose, t, poses_, problem_->chain_reach[chain], pads_);
    tube_chain_ = chain;
    tube_loose_ = loose;
    tube_t_ = t;
  }
  return tube_.exact() ? nullptr : &tube_;
}

/// Every point lies within the bounding radius of the centre, so it is displaced by at most `turn` times that more.
double EdgeState::displaced(int chain, std::uint64_t loose, const SsvTree& tree, double t, double half_width) {
  if (!motion_->tube().any()) return 0.0;
  PairTube* at = tube(chain, loose, t);
  if (at == nullptr) return 0.0;
  const PairMotion& motion = pair_motion(chain, t - half_width, t + half_width);
  const PairState& state = pair_state(t, chain);
  const PairTube::Reach reach = at->anywhere(state.R_BA * tree.bounding_center() + state.p_BA, motion);
  const double by_center = reach.now + half_width * reach.forward + at->turn() * tree.bounding_radius();
  return std::min(by_center * kRoundUp, at->most(motion, half_width));
}

void EdgeState::bound(int chain) {
  bounded_[chain] = 1;
  pair_motions_[chain].set(problem_->chains[chain], *motion_, problem_->chain_reach[chain]);
}

const PairMotion& EdgeState::part_motion(int chain, int part) {
  if (part_motions_.empty()) part_motions_.resize(problem_->chains.size() * EdgeMotion::kParts);
  PartMotion& out = part_motions_[chain * EdgeMotion::kParts + part];
  if (out.edge != edge_) {
    motion_->bound_part(part);
    out.motion.set(problem_->chains[chain], *motion_, problem_->chain_reach[chain], part);
    out.edge = edge_;
  }
  return out.motion;
}

}  // namespace planner_ccd
