#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/types.hpp"
#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/robot/robot_model.hpp"

/// Messages of ROS 1 and ROS 2 to motions and configurations: headers only, fields by name, so that the same line takes
/// trajectory_msgs::JointTrajectory and trajectory_msgs::msg::JointTrajectory, and nothing of ROS is included here. ROS 1's own headers rely
/// on `rebind` of std::allocator, which C++20 no longer has: give them an allocator that has it (tests/adapters/ros shows one).
namespace planner_ccd {
namespace detail {

template <class Message>
concept JointStateMessage = requires(const Message& m) {
  m.name;
  m.position;
};
template <class Message>
concept JointTrajectoryMessage = requires(const Message& m) {
  m.joint_names;
  m.points;
};
template <class Message>
concept RobotTrajectoryMessage = requires(const Message& m) {
  m.joint_trajectory;
  m.multi_dof_joint_trajectory;
};

/// Of a string with whatever allocator.
template <class Text>
std::string text(const Text& text) {
  return std::string(text.data(), text.size());
}

/// [s] Of {sec, nsec} (ROS 1) or {sec, nanosec} (ROS 2).
template <class Duration>
double seconds(const Duration& d) {
  if constexpr (requires { d.nanosec; }) {
    return static_cast<double>(d.sec) + static_cast<double>(d.nanosec) * 1e-9;
  } else {
    return static_cast<double>(d.sec) + static_cast<double>(d.nsec) * 1e-9;
  }
}

template <class Values>
void take(const Values& values, const std::vector<int>& coordinates, const std::string& what, JointVector& to) {
  if (values.size() != coordinates.size()) {
    throw InputError("the message has " + std::to_string(values.size()) + " " + what + " for " +
                     std::to_string(coordinates.size()) + " joints");
  }
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    if (coordinates[k] >= 0) to[coordinates[k]] = values[k];
  }
}

}  // namespace detail

/// sensor_msgs/JointState: `rest` with the positions of the message. Joints that the robot has not are passed over.
template <detail::JointStateMessage Message>
JointVector from_message(const Message& message, const RobotModel& robot, const JointVectorRef& rest) {
  JointVector q = rest;
  std::vector<int> coordinates;
  for (const auto& name : message.name) coordinates.push_back(robot.find_coordinate(detail::text(name)));
  detail::take(message.position, coordinates, "positions", q);
  return q;
}

/// trajectory_msgs/JointTrajectory, on a clock that begins when it does. Joints that it does not name stay as in `rest`. Throws
/// InputError for joints that are none of the robot's or are there twice, and whatever make_trajectory does not take.
template <detail::JointTrajectoryMessage Message>
Trajectory from_message(const Message& message, const RobotModel& robot, const JointVectorRef& rest) {
  std::vector<int> coordinates;
  for (const auto& given : message.joint_names) {
    const std::string name = detail::text(given);
    const int coordinate = robot.find_coordinate(name);
    if (coordinate < 0)
      throw InputError("the message moves '" + name + "', which is no joint of robot '" + robot.name() + "'");
    for (const int other : coordinates) {
      if (other == coordinate) throw InputError("the message names joint '" + name + "' twice");
    }
    coordinates.push_back(coordinate);
  }
  std::vector<TrajectoryPoint> points;
  for (const auto& p : message.points) {
    TrajectoryPoint point{detail::seconds(p.time_from_start), rest, {}, {}};
    const auto derivative = [&](const auto& values, const char* what, JointVector& to) {
      if (values.empty()) return;
      to = JointVector::Zero(rest.size());
      detail::take(values, coordinates, what, to);
    };
    detail::take(p.positions, coordinates, "positions", point.position);
    derivative(p.velocities, "velocities", point.velocity);
    derivative(p.accelerations, "accelerations", point.acceleration);
    points.push_back(point);
  }
  return make_trajectory(robot, points);
}

/// moveit_msgs/RobotTrajectory, without planar and floating joints: InputError if it moves any.
template <detail::RobotTrajectoryMessage Message>
Trajectory from_message(const Message& message, const RobotModel& robot, const JointVectorRef& rest) {
  if (!message.multi_dof_joint_trajectory.points.empty()) {
    throw InputError(
        "the message moves planar or floating joints, which from_message does not know; use a file or a log");
  }
  return from_message(message.joint_trajectory, robot, rest);
}

}  // namespace planner_ccd
