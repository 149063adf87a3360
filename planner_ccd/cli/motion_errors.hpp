#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/cli/robots.hpp"
#include "planner_ccd/motion/motion_errors.hpp"
#include "planner_ccd/query/tracking_limit.hpp"
#include "planner_ccd/scene/scene.hpp"

namespace planner_ccd::cli {

/// From --tracking-error and --base-error. Throws InputError naming the option for unknown joints and prefixes, what is no
/// number, and errors that are negative or too large.
MotionErrors motion_errors(const Arguments& arguments, const LoadedRobot& robot);

/// A line of the report, empty without errors.
/// `by_segment`: TrajectoryOptions::segment_errors.
std::string errors_text(const MotionErrors& errors, double delay, const RobotModel& robot, const Scene& scene,
                        const std::vector<JointVector>& by_segment = {});
nlohmann::ordered_json errors_json(const MotionErrors& errors, double delay, const RobotModel& robot,
                                   const Scene& scene, const std::vector<JointVector>& by_segment = {});

/// What --max-tracking-error found.
std::string tracking_limit_text(const TrackingLimit& limit);
nlohmann::ordered_json tracking_limit_json(const TrackingLimit& limit);

}  // namespace planner_ccd::cli
