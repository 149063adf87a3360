#include "planner_ccd/cli/motion.hpp"

#include "planner_ccd/cli/check_trajectory_options.hpp"
#include "planner_ccd/cli/robots.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/report/report.hpp"
#include "planner_ccd/validation/detail/joined_reports.hpp"

namespace planner_ccd::cli {
namespace {

/// What all logs of a check have in common.
LogOptions log_options(const Arguments& arguments, const char* topic, const TrajectoryFileOptions& common) {
  LogOptions options;
  options.topic = arguments.text(topic).value_or("");
  options.max_gap = arguments.number("max-gap").value_or(options.max_gap);
  if (!(options.max_gap > 0.0)) throw InputError("--max-gap must be greater than 0 (seconds)");
  options.hold = common.hold;
  options.angles = common.angles;
  options.elsewhere = common.elsewhere;
  return options;
}

Loaded<Motion> as_motion(Loaded<LogMotion> log) {
  return {Motion(std::move(log.value)), std::move(log.warnings), std::move(log.assumptions)};
}
Loaded<Motion> as_motion(Loaded<Trajectory> file) {
  return {Motion(std::move(file.value)), std::move(file.warnings), std::move(file.assumptions)};
}

Loaded<Motion> load_logged(const Arguments& arguments, const RobotModel& robot, const TrajectorySource& source,
                           const TrajectoryFileOptions& common) {
  LogOptions options = log_options(arguments, "topic", common);
  options.from = arguments.number("from").value_or(options.from);
  options.to = arguments.number("to").value_or(options.to);
  if (!(options.from <= options.to)) throw InputError("--from must not be later than --to");
  options.prefix = source.prefix;
  if (arguments.has("delay")) throw InputError("--delay: a log has its own clock, and so cannot begin later");
  return as_motion(load_log(source.path, robot, options));
}

void widen(std::vector<JointVector>& box, const std::vector<JointVector>& ends) {
  if (box.empty()) {
    box = ends;
    return;
  }
  box[0] = box[0].cwiseMin(ends[0]);
  box[1] = box[1].cwiseMax(ends[1]);
}

}  // namespace

const Trajectory& Motion::whole(const char* what) const {
  if (whole_) return *whole_;
  throw InputError(std::string(what) + " is for one trajectory, and " + log_->topic() + " holds " +
                   std::to_string(log_->parts()) + (log_->sampled() ? " stretches of some minutes" : " of them") +
                   "; choose a time (--from, --to)");
}

Loaded<Motion> load_motion(const Arguments& arguments, const RobotModel& robot,
                           const std::vector<std::string>& elsewhere) {
  const std::vector<TrajectorySource> sources = trajectory_sources(arguments);
  TrajectoryFileOptions options = trajectory_file_options(arguments);
  options.elsewhere = elsewhere;
  for (const TrajectorySource& source : sources) {
    if (!is_log(source.path)) continue;
    if (sources.size() > 1) throw InputError(source.path + ": a log is checked alone, without other files of motions");
    return load_logged(arguments, robot, source, options);
  }
  for (const char* option : {"topic", "max-gap", "from", "to"}) {
    if (!arguments.has(option) || (arguments.has("executed") && option == std::string_view("max-gap"))) continue;
    throw InputError("--" + std::string(option) + " is for logs, and " + sources[0].path + " is none");
  }
  std::vector<JointVector> errors;
  Loaded<Trajectory> file = load_trajectories(sources, robot, options, &errors);
  return {Motion(std::move(file.value), std::move(errors)), std::move(file.warnings), std::move(file.assumptions)};
}

std::optional<Loaded<Motion>> load_executed(const Arguments& arguments, const RobotModel& robot) {
  if (!arguments.has("executed")) {
    for (const char* option : {"executed-topic", "shift"}) {
      if (arguments.has(option))
        throw InputError("--" + std::string(option) + " is about --executed, which is missing");
    }
    return std::nullopt;
  }
  const std::string file = *arguments.text("executed");
  const TrajectoryFileOptions options = trajectory_file_options(arguments);
  if (is_log(file)) return as_motion(load_log(file, robot, log_options(arguments, "executed-topic", options)));
  if (arguments.has("executed-topic")) throw InputError("--executed-topic is for logs, and " + file + " is none");
  return as_motion(load_trajectories({{file, "", 0.0}}, robot, options));
}

CheckedMotion check_motion(const PathChecker& checker, const Motion& motion, Workspace& workspace,
                           const TrajectoryOptions& options, const TrajectoryProgress& progress) {
  CheckedMotion all;
  const int rounds = options.all_contacts ? 2 : 1;
  const int total = static_cast<int>(motion.segments()) * rounds;
  JoinedReports reports(motion.log() && motion.log()->sampled());
  motion.for_each_part([&](const Trajectory& part) {
    const int before = static_cast<int>(all.trajectory.segments.size()) * rounds;
    TrajectoryResult report = check_trajectory(
        checker, part, workspace, options, [&](int done, int) { return !progress || progress(before + done, total); });
    const bool free = report.verdict == Verdict::Free;
    reports.add(std::move(report), part.segments.size(), part.segments.front().t0);
    all.trajectory.timed = part.timed;
    for (const TrajectorySegment& segment : part.segments) {
      all.trajectory.segments.push_back({segment.t0, segment.t1, {}, {}});
    }
    widen(all.extremes, extremes(checker.robot(), part));
    return free || options.all_contacts;
  });
  all.result = reports.finish(all.trajectory.segments.back().t1);
  if (motion.parts() == 1) all.trajectory = motion.whole("");
  if (motion.log()) {  // its gaps, also beyond a contact that ended the check
    for (const Finding& gap : motion.log()->gaps()) all.result.findings.push_back(gap);
    sort_by_time(all.result.findings);
  }
  return all;
}

}  // namespace planner_ccd::cli
