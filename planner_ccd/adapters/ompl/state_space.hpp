#pragma once

#include <ompl/base/StateSpace.h>

#include <string>
#include <vector>

#include "planner_ccd/robot/robot_model.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

struct OmplSpaceOptions {
  double translation_bound =
      5.0;  ///< [m] > 0. Translations without limits stay within +- this, turns of revolute joints within +- pi.
  /// Only these; OmplMapOptions::elsewhere says where the others stand. Empty: all.
  std::vector<std::string> joints = {};
};

/// The state space of a robot, with the names that OmplStateMap looks for: joints with limits are dimensions of real
/// vectors, continuous ones SO(2), planar ones SE(2), floating ones SE(3); a compound when that takes more than one part.
/// Planners that need a projection of a compound get its first two values.
::ompl::base::StateSpacePtr ompl_state_space(const RobotModel& robot, const OmplSpaceOptions& options = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
