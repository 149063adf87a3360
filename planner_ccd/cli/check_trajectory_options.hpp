#pragma once

#include <map>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/io/trajectory_file.hpp"
#include "planner_ccd/validation/check_trajectory.hpp"

namespace planner_ccd::cli {

/// The values of --hold NAME=VALUE.
std::map<std::string, double> held_values(const Arguments& arguments);

/// The files of --path and --trajectory, with --delay.
std::vector<TrajectorySource> trajectory_sources(const Arguments& arguments);
/// How to read them: --hold and --angles.
TrajectoryFileOptions trajectory_file_options(const Arguments& arguments);

/// The settings of a check; of a motion in parts, for each part. Throws InputError naming the option.
EdgeOptions edge_options(const Arguments& arguments);
Loaded<TrajectoryOptions> trajectory_options(const Arguments& arguments, const RobotModel& robot,
                                             const Trajectory& trajectory);

/// Throws InputError when the file cannot be written.
void write_text(const std::string& option, const std::string& file, const std::string& text);

}  // namespace planner_ccd::cli
