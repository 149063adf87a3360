#pragma once

#include <optional>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/cli/motion.hpp"
#include "planner_ccd/cli/robots.hpp"
#include "planner_ccd/io/timeline_file.hpp"

namespace planner_ccd::cli {

/// The file of --timeline, and what it names.
struct Changes {
  TimelineFile file;
  std::vector<RobotMotion> robots = {};  ///< Set by load_motion.
};

/// Empty without --timeline; the file is listed in `inputs`. Throws InputError for options that do not go with it.
std::optional<Changes> load_timeline_option(const Arguments& arguments, std::vector<InputFile>& inputs);

/// The robot's own motion: of the timeline's files if it names any, else that of --path. Loads those of other robots too. Fills `notes`.
Loaded<Motion> load_motion(const Arguments& arguments, const LoadedRobot& robot, std::optional<Changes>& changes,
                           Notes& notes);

/// The timeline of a file, in `scene` at the motion's start and with what moves by itself.
Timeline make_timeline(const Arguments& arguments, const Changes& changes, const LoadedRobot& robot, const Scene& scene,
                       const Motion& motion, const CheckerOptions& options, Notes& notes);

/// check_timeline, as check_motion of a motion in one world.
CheckedMotion check_motion(const Timeline& timeline, Workspace& workspace, const TrajectoryOptions& options,
                           const TrajectoryProgress& progress);

}  // namespace planner_ccd::cli
