#pragma once

#include <optional>
#include <string>

#include "planner_ccd/query/check_trajectory.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Limits from YAML as MoveIt's joint_limits.yaml has them:
///
///   joint_limits:
///     joint1: {has_velocity_limits: true, max_velocity: 2.0, has_acceleration_limits: true, max_acceleration: 5.0}
///
/// Every joint name of the file gets `prefix` put before it (one robot of several). What the file does not limit keeps
/// its value of `before`, or without that the robot's velocities. Throws InputError with file and line for unknown joints, keys
/// that mean nothing, and limits that are not positive.
MotionLimits load_motion_limits(const std::string& path, const RobotModel& robot, const std::string& prefix = "",
                                const std::optional<MotionLimits>& before = std::nullopt);
MotionLimits parse_motion_limits(const std::string& text, const std::string& name, const RobotModel& robot,
                                 const std::string& prefix = "",
                                 const std::optional<MotionLimits>& before = std::nullopt);

}  // namespace planner_ccd
#pragma GCC visibility pop
