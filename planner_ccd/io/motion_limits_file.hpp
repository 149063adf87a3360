#pragma once

#include <optional>
#include <string>

#include "planner_ccd/io/loaded.hpp"
#include "planner_ccd/validation/check_trajectory.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Limits from YAML as MoveIt's joint_limits.yaml has them:
///
///   joint_limits:
///     joint1: {has_velocity_limits: true, max_velocity: 2.0, has_acceleration_limits: true, max_acceleration: 5.0,
///              has_jerk_limits: true, max_jerk: 50.0, has_position_limits: true, min_position: -1.5, max_position: 1.5}
///
/// `prefix` is prepended to every joint name of the file (one robot of several). Limits that the file omits, or says not to have
/// (`has_...: false`), come from `before`, or else from the robot (positions and velocities). Positions narrow those limits: wider
/// ones are a warning. What else MoveIt writes there (efforts, scaling factors of its planner) is named in a warning.
/// Throws InputError with file and line for unknown joints or keys, for limits that are not positive, and for positions of a joint
/// without limits.
Loaded<MotionLimits> load_motion_limits(const std::string& path, const RobotModel& robot,
                                        const std::string& prefix = "",
                                        const std::optional<MotionLimits>& before = std::nullopt);
Loaded<MotionLimits> parse_motion_limits(const std::string& text, const std::string& name, const RobotModel& robot,
                                         const std::string& prefix = "",
                                         const std::optional<MotionLimits>& before = std::nullopt);

}  // namespace planner_ccd
#pragma GCC visibility pop
