#pragma once

#include <string>

#include "planner_ccd/query/check_trajectory.hpp"

namespace planner_ccd {

/// Limits from YAML as MoveIt's joint_limits.yaml has them:
///
///   joint_limits:
///     joint1: {has_velocity_limits: true, max_velocity: 2.0, has_acceleration_limits: true, max_acceleration: 5.0}
///
/// Velocities that the file does not limit keep the robot's. Throws InputError with file and line for unknown joints, keys
/// that mean nothing, and limits that are not positive.
MotionLimits load_motion_limits(const std::string& path, const RobotModel& robot);
MotionLimits parse_motion_limits(const std::string& text, const std::string& name, const RobotModel& robot);

}  // namespace planner_ccd
