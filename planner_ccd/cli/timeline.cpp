#include "planner_ccd/cli/timeline.hpp"

#include "planner_ccd/cli/check_trajectory_options.hpp"
#include "planner_ccd/cli/load.hpp"
#include "planner_ccd/io/files_read.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/report/report.hpp"

namespace planner_ccd::cli {

std::optional<Changes> load_timeline_option(const Arguments& arguments, std::vector<InputFile>& inputs) {
  const auto path = arguments.text("timeline");
  if (!path) return std::nullopt;
  if (arguments.has("executed")) {
    throw InputError(
        "--executed: what ran is compared with a motion in one world, and with --timeline there are several");
  }
  if (arguments.has("certificate")) {
    throw InputError(
        "--certificate: a certificate proves a motion in one world, and with --timeline there are several");
  }
  const FilesRead noted(inputs, "timeline");
  return Changes{load_timeline(*path)};
}

Loaded<Motion> load_motion(const Arguments& arguments, const LoadedRobot& robot, std::optional<Changes>& changes,
                           Notes& notes) {
  const FilesRead noted(notes.inputs, "path");
  if (!changes) {
    Loaded<Motion> motion = load_motion(arguments, *robot.bare);
    notes.note(motion);
    return motion;
  }
  TrajectoryFileOptions options = trajectory_file_options(arguments);
  Loaded<std::vector<RobotMotion>> others = load_robot_motions(changes->file.robots, *robot.bare, options);
  changes->robots = std::move(others.value);
  options.elsewhere = moved_coordinates(*robot.bare, changes->robots);
  Loaded<Motion> own;
  if (changes->file.motion.empty()) {
    own = load_motion(arguments, *robot.bare, options.elsewhere);
  } else {
    for (const char* option : {"path", "trajectory", "delay", "topic", "max-gap", "from", "to"}) {
      if (!arguments.has(option)) continue;
      throw InputError("--" + std::string(option) + ": the motion is that of --timeline, which names its files");
    }
    Loaded<Trajectory> parts = load_motion_parts(changes->file.motion, *robot.bare, options);
    own = {Motion(std::move(parts.value)), std::move(parts.warnings), std::move(parts.assumptions)};
  }
  own.warnings.insert(own.warnings.end(), others.warnings.begin(), others.warnings.end());
  merge(own.assumptions, others.assumptions);
  notes.note(own);
  return own;
}

Timeline make_timeline(const Arguments& arguments, const Changes& changes, const LoadedRobot& robot, const Scene& scene,
                       const Motion& motion, const CheckerOptions& options, Notes& notes) {
  const TimelineFile& file = changes.file;
  const Trajectory& own = motion.whole("--timeline");
  const Trajectory whole =
      with_moving_frames(*robot.model, with_robot_motions(*robot.bare, own, changes.robots), file.moving);
  const Scene at_start = with_carried(*robot.model, scene, whole, file.moving);
  const PathChecker checker = make_checker(arguments, robot, at_start, options, notes);
  const bool more_knots = !file.moving.empty() || !changes.robots.empty();
  return Timeline(checker, at_start, whole, more_knots ? at_times(file.events, own) : file.events);
}

CheckedMotion check_motion(const Timeline& timeline, Workspace& workspace, const TrajectoryOptions& options,
                           const TrajectoryProgress& progress) {
  const RobotModel& robot = timeline.stages()[0].checker.robot();
  return {check_timeline(timeline, workspace, options, progress), timeline.motion(),
          extremes(robot, timeline.motion())};
}

}  // namespace planner_ccd::cli
