#include "planner_ccd/advancement/edge_state.hpp"

#include <cmath>

namespace planner_ccd {

EdgeState::EdgeState(const SearchProblem& problem)
    : problem_(&problem), pair_motions_(problem.chains.size()), poses_(&problem.chains, problem.moves) {}

bool EdgeState::start(EdgeMotion& motion) {
  motion_ = &motion;
  bool finite = true;
  for (std::size_t i = 0; i < pair_motions_.size(); ++i) {
    pair_motions_[i].set(problem_->chains[i], motion, problem_->chain_reach[i]);
    finite =
        finite && std::isfinite(pair_motions_[i].acceleration_bound()) && std::isfinite(pair_motions_[i].speed_bound());
  }
  pads_ = motion.rounding_pads(problem_->extent);
  poses_.start(&motion, &pair_motions_);
  return finite && std::isfinite(pads_.position) && std::isfinite(pads_.speed);
}

}  // namespace planner_ccd
