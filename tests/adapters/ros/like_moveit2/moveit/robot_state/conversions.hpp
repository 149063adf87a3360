#pragma once

#include <moveit/planning_interface/planning_response_adapter.hpp>

namespace moveit::core {
inline void robotStateToRobotStateMsg(const RobotState& state, moveit_msgs::msg::RobotState& message) {
  message = state;
}
}  // namespace moveit::core
