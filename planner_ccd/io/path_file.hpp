#pragma once

#include <string>

#include "planner_ccd/io/loaded.hpp"
#include "planner_ccd/motion/joint_path.hpp"
#include "planner_ccd/robot/robot_model.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// A joint path from CSV: a header that names every coordinate of `model` once, in any order, and optionally `time`
/// [s]; then one waypoint per row. Blank lines and lines beginning with '#' are skipped. Numbers have a decimal point
/// in any locale. Warns about waypoints beyond the joint limits. Throws InputError naming file and line for unknown,
/// missing or duplicate names, rows of the wrong length, values that are not finite numbers, and times that do not
/// increase.
Loaded<JointPath> load_path(const std::string& path, const RobotModel& model);
Loaded<JointPath> parse_path(const std::string& text, const std::string& name, const RobotModel& model);

/// The CSV that parse_path reads back to the same bits.
std::string format_path(const JointPath& path, const RobotModel& model);
void save_path(const std::string& file, const JointPath& path, const RobotModel& model);

}  // namespace planner_ccd
#pragma GCC visibility pop
