#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "adapters/ros/messages_like_ros2.hpp"

// The declarations of MoveIt 2 that docs/moveit2.md uses, so that its code is compiled and run here.

namespace rclcpp {

struct Parameter {
  std::string text;
  std::string as_string() const { return text; }
};
struct Node {
  using SharedPtr = std::shared_ptr<Node>;
  std::map<std::string, std::string> parameters;
  Parameter get_parameter(const std::string& name) const { return {parameters.at(name)}; }
};
struct Logger {};
inline Logger get_logger(const std::string&) { return {}; }

}  // namespace rclcpp

#define RCLCPP_ERROR(logger, ...) static_cast<void>(logger), static_cast<void>(std::snprintf(nullptr, 0, __VA_ARGS__))

namespace moveit_msgs::msg {

using RobotTrajectory = like_ros2::RobotTrajectory;
struct RobotState {
  like_ros2::JointState joint_state;
};
struct MoveItErrorCodes {
  static constexpr std::int32_t SUCCESS = 1, INVALID_MOTION_PLAN = -2;
  std::int32_t val = SUCCESS;
};

}  // namespace moveit_msgs::msg

namespace moveit::core {
using RobotState = moveit_msgs::msg::RobotState;
}

namespace planning_scene {
struct PlanningScene {
  moveit::core::RobotState state;
  const moveit::core::RobotState& getCurrentState() const { return state; }
};
using PlanningSceneConstPtr = std::shared_ptr<const PlanningScene>;
}  // namespace planning_scene

namespace robot_trajectory {
struct RobotTrajectory {
  moveit_msgs::msg::RobotTrajectory message;
  void getRobotTrajectoryMsg(moveit_msgs::msg::RobotTrajectory& to) const { to = message; }
};
}  // namespace robot_trajectory

namespace planning_interface {

struct MotionPlanRequest {};
struct MotionPlanResponse {
  std::shared_ptr<robot_trajectory::RobotTrajectory> trajectory;
  moveit_msgs::msg::MoveItErrorCodes error_code;
};
class PlanningResponseAdapter {
 public:
  virtual ~PlanningResponseAdapter() = default;
  virtual void initialize(const rclcpp::Node::SharedPtr&, const std::string&) {}
  [[nodiscard]] virtual std::string getDescription() const = 0;
  virtual void adapt(const planning_scene::PlanningSceneConstPtr&, const MotionPlanRequest&,
                     MotionPlanResponse&) const = 0;
};

}  // namespace planning_interface
