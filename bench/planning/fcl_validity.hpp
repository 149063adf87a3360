#pragma once

#include <ompl/base/SpaceInformation.h>

#include <memory>
#include <string>

#include "planner_ccd/adapters/ompl/state_map.hpp"
#include "planner_ccd/query/path_checker.hpp"

namespace planner_ccd::bench {

/// Planning as it is done today, on the bodies and pairs of `checker`: states checked by FCL, motions by OMPL's own
/// DiscreteMotionValidator, whose samples are at most `step` (Euclidean distance of joint values, [rad] for our robots)
/// apart.
void sample_motions(const ::ompl::base::SpaceInformationPtr& si, const PathChecker& checker, double step);

}  // namespace planner_ccd::bench
