#include "planner_ccd/cli/timeline.hpp"

#include "planner_ccd/cli/check_trajectory_options.hpp"
#include "planner_ccd/cli/load.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd::cli {

std::optional<TimelineFile> load_timeline_option(const Arguments& arguments) {
  const auto path = arguments.text("timeline");
  if (!path) return std::nullopt;
  if (arguments.has("certificate")) {
    throw InputError(
        "--certificate: a certificate proves a motion in one world, and with --timeline there are several");
  }
  return load_timeline(*path);
}

Loaded<Motion> load_motion(const Arguments& arguments, const LoadedRobot& robot,
                           const std::optional<TimelineFile>& file) {
  if (!file || file->motion.empty()) return load_motion(arguments, *robot.bare);
  for (const char* option : {"path", "trajectory", "delay", "topic", "max-gap", "from", "to"}) {
    if (!arguments.has(option)) continue;
    throw InputError("--" + std::string(option) + ": the motion is that of --timeline, which names its files");
  }
  Loaded<Trajectory> parts = load_motion_parts(file->motion, *robot.bare, trajectory_file_options(arguments));
  return {Motion(std::move(parts.value)), std::move(parts.warnings), std::move(parts.assumptions)};
}

Timeline make_timeline(const Arguments& arguments, const TimelineFile& file, const LoadedRobot& robot,
                       const Scene& scene, const Motion& motion, const CheckerOptions& options) {
  const Trajectory& bare = motion.whole("--timeline");
  const Trajectory whole = with_moving_frames(*robot.model, bare, file.moving);
  const Scene at_start = with_carried(*robot.model, scene, whole, file.moving);
  const PathChecker checker = make_checker(arguments, robot, at_start, options);
  return Timeline(checker, at_start, whole, file.moving.empty() ? file.events : at_times(file.events, bare));
}

CheckedMotion check_motion(const Timeline& timeline, Workspace& workspace, const TrajectoryOptions& options,
                           const TrajectoryProgress& progress) {
  const RobotModel& robot = timeline.stages()[0].checker.robot();
  return {check_timeline(timeline, workspace, options, progress), timeline.motion(),
          extremes(robot, timeline.motion())};
}

}  // namespace planner_ccd::cli
