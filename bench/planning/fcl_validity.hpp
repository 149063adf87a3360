#pragma once

#include <ompl/base/SpaceInformation.h>

#include <memory>
#include <string>

#include "planner_ccd/adapters/ompl/state_map.hpp"
#include "planner_ccd/query/path_checker.hpp"

namespace planner_ccd::bench {

/// Conventional planning on the bodies and pairs of `checker`: FCL checks states, OMPL's DiscreteMotionValidator checks
/// motions by samples at most `step` apart (Euclidean distance of joint values, [rad] for our robots).
void sample_motions(const ::ompl::base::SpaceInformationPtr& si, const PathChecker& checker, double step);

}  // namespace planner_ccd::bench
