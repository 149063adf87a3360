#pragma once

#include <ompl/base/StateSpace.h>

#include <string>
#include <vector>

#include "planner_ccd/robot/robot_model.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

struct OmplSpaceOptions {
  double translation_bound =
      5.0;  ///< [m] > 0. Unlimited translations stay within +- this, unlimited revolute joints within +- pi.
  /// Joints in the space; OmplMapOptions::elsewhere fixes the others. Empty: all.
  std::vector<std::string> joints = {};
};

/// The state space of a robot, with the names that OmplStateMap looks up: joints with limits become dimensions of real
/// vectors, continuous joints SO(2), planar joints SE(2), floating joints SE(3); several parts form a compound. The
/// default projection of a compound, for planners that need one, is its first two values.
::ompl::base::StateSpacePtr ompl_state_space(const RobotModel& robot, const OmplSpaceOptions& options = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
