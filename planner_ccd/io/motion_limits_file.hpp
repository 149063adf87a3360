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
/// `prefix` is prepended to every joint name of the file (one robot of several). Limits that the file omits come from
/// `before`, or else from the robot (velocities only). Throws InputError with file and line for unknown joints or keys,
/// and for limits that are not positive.
MotionLimits load_motion_limits(const std::string& path, const RobotModel& robot, const std::string& prefix = "",
                                const std::optional<MotionLimits>& before = std::nullopt);
MotionLimits parse_motion_limits(const std::string& text, const std::string& name, const RobotModel& robot,
                                 const std::string& prefix = "",
                                 const std::optional<MotionLimits>& before = std::nullopt);

}  // namespace planner_ccd
#pragma GCC visibility pop
