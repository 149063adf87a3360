#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/types.hpp"
#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/robot/robot_model.hpp"

/// Converts ROS 1 and ROS 2 messages to motions and configurations. Header only; fields are accessed by name, so that
/// one function takes trajectory_msgs::JointTrajectory and trajectory_msgs::msg::JointTrajectory, and no ROS header is
/// included. ROS 1's own headers need std::allocator::rebind, which C++20 removed: give them an allocator that has it
/// (example in tests/adapters/ros).
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

/// A string with any allocator.
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

/// sensor_msgs/JointState: `rest` updated with the positions in the message. Joints the robot does not have are
/// ignored.
template <detail::JointStateMessage Message>
JointVector from_message(const Message& message, const RobotModel& robot, const JointVectorRef& rest) {
  JointVector q = rest;
  std::vector<int> coordinates;
  for (const auto& name : message.name) coordinates.push_back(robot.find_coordinate(detail::text(name)));
  detail::take(message.position, coordinates, "positions", q);
  return q;
}

/// trajectory_msgs/JointTrajectory, timed from its own start. Joints it does not name keep their values in `rest`.
/// Throws InputError for unknown or duplicate joints, and for whatever make_trajectory rejects.
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

/// moveit_msgs/RobotTrajectory. Throws InputError if it moves planar or floating joints.
template <detail::RobotTrajectoryMessage Message>
Trajectory from_message(const Message& message, const RobotModel& robot, const JointVectorRef& rest) {
  if (!message.multi_dof_joint_trajectory.points.empty()) {
    throw InputError(
        "the message moves planar or floating joints, which from_message does not know; use a file or a log");
  }
  return from_message(message.joint_trajectory, robot, rest);
}

}  // namespace planner_ccd
