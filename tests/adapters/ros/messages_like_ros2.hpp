#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Messages as ROS 2 generates them, with the fields used here: Debian has none of its headers.
namespace like_ros2 {

struct Duration {
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;
};
struct JointTrajectoryPoint {
  std::vector<double> positions, velocities, accelerations, effort;
  Duration time_from_start;
};
struct JointTrajectory {
  std::vector<std::string> joint_names;
  std::vector<JointTrajectoryPoint> points;
};
struct MultiDOFJointTrajectory {
  std::vector<std::string> joint_names;
  std::vector<JointTrajectoryPoint> points;
};
struct RobotTrajectory {
  JointTrajectory joint_trajectory;
  MultiDOFJointTrajectory multi_dof_joint_trajectory;
};
struct JointState {
  std::vector<std::string> name;
  std::vector<double> position, velocity, effort;
};

}  // namespace like_ros2
