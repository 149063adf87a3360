#include "planner_ccd/advancement/edge_state.hpp"

#include <cmath>

namespace planner_ccd {

EdgeState::EdgeState(const SearchProblem& problem)
    : problem_(&problem), pair_motions_(problem.chains.size()), poses_(&problem.chains, problem.moves) {}

bool EdgeState::start(EdgeMotion& motion) {
  motion_ = &motion;
  ++edge_;
  bool finite = true;
  for (std::size_t i = 0; i < pair_motions_.size(); ++i) {
    pair_motions_[i].set(problem_->chains[i], motion, problem_->chain_reach[i]);
    const PairMotion& m = pair_motions_[i];
    finite = finite && std::isfinite(m.speed_bound() + m.acceleration_bound() + m.jerk_bound());
  }
  pads_ = motion.rounding_pads(problem_->extent);
  poses_.start(&motion);
  return finite && std::isfinite(pads_.position + pads_.speed + pads_.acceleration);
}

const PairMotion& EdgeState::part_motion(int chain, int part) {
  if (part_motions_.empty()) part_motions_.resize(problem_->chains.size() * EdgeMotion::kParts);
  PartMotion& out = part_motions_[static_cast<std::size_t>(chain * EdgeMotion::kParts + part)];
  if (out.edge != edge_) {
    motion_->bound_part(part);
    out.motion.set(problem_->chains[chain], *motion_, problem_->chain_reach[chain], part);
    out.edge = edge_;
  }
  return out.motion;
}

}  // namespace planner_ccd
