#include <chrono>
#include <cmath>
#include <iostream>
#include <optional>

#include "planner_ccd/cli/assumptions_report.hpp"
#include "planner_ccd/cli/check_page.hpp"
#include "planner_ccd/cli/check_report.hpp"
#include "planner_ccd/cli/check_trajectory_options.hpp"
#include "planner_ccd/cli/executed.hpp"
#include "planner_ccd/cli/findings_report.hpp"
#include "planner_ccd/cli/hints.hpp"
#include "planner_ccd/cli/load.hpp"
#include "planner_ccd/cli/motion.hpp"
#include "planner_ccd/cli/motion_errors.hpp"
#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/cli/progress.hpp"
#include "planner_ccd/cli/timeline.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/path_clearance.hpp"

namespace planner_ccd::cli {
namespace {

/// Queries about a motion as a whole need it in one part.
Loaded<TrajectoryOptions> options_for(const Arguments& arguments, const RobotModel& robot, const Motion& motion) {
  for (const char* option : {"clearance", "certificate", "html", "tracking-delay", "max-tracking-error", "executed"}) {
    if (arguments.has(option)) motion.whole(("--" + std::string(option)).c_str());
  }
  std::optional<Loaded<TrajectoryOptions>> options;
  motion.for_each_part([&](const Trajectory& part) {
    options = trajectory_options(arguments, robot, part);
    return false;
  });
  return *options;
}

/// Sets options.errors and returns --tracking-delay.
double read_errors(const Arguments& arguments, const LoadedRobot& loaded, bool timeline, EdgeOptions& options) {
  options.errors = motion_errors(arguments, loaded);
  const double delay = arguments.number("tracking-delay").value_or(0.0);
  if (!(delay >= 0.0)) throw InputError("--tracking-delay must not be negative (seconds)");
  const bool any = options.errors.any() || delay > 0.0;
  if (any && arguments.has("certificate")) {
    throw InputError(
        "--certificate: a certificate knows no errors of the motion; leave out --tracking-error, --tracking-delay and "
        "--base-error");
  }
  if (timeline && (any || arguments.has("max-tracking-error"))) {
    throw InputError(
        "--timeline: what is attached on the way is not known to have errors of the motion; leave out "
        "--tracking-error, --tracking-delay, --base-error and --max-tracking-error");
  }
  return delay;
}

/// A certificate and a timeline know no errors, wherever they come from.
void refuse_segment_errors(const Arguments& arguments, const TrajectoryOptions& asked) {
  if (asked.segment_errors.empty()) return;
  for (const char* option : {"certificate", "timeline"}) {
    if (!arguments.has(option)) continue;
    throw InputError("--" + std::string(option) + ": knows no errors of the motion; leave out its columns of errors");
  }
}

std::optional<TrackingLimit> tracking_limit(const Arguments& arguments, const PathChecker& checker,
                                            const Trajectory& trajectory, Workspace& workspace,
                                            const TrajectoryOptions& asked) {
  if (!arguments.has("max-tracking-error")) return std::nullopt;
  Progress progress("segment of the tracking error");
  const TrackingLimitOptions options{.trajectory = asked, .each_segment = arguments.has("html")};
  return max_tracking_error(checker, trajectory, workspace, options, [&](int done, int total) {
    progress.show(done, total);
    return true;
  });
}

}  // namespace

int run_check(const Arguments& arguments) {
  EdgeOptions options = edge_options(arguments);
  const CheckerOptions checked = checker_options(arguments);
  if (arguments.has("html") && !viewer::missing().empty()) throw InputError(viewer::missing());

  std::optional<Changes> changes = load_timeline_option(arguments);
  LoadedRobot loaded = load_robots("robot", arguments, changes ? changes->file.moving : std::vector<MovingFrame>());
  const auto robot = loaded.model;
  const double delay = read_errors(arguments, loaded, changes.has_value(), options);
  Scene scene = load_scene_option(arguments, loaded);
  const Loaded<Motion> motion = load_motion(arguments, loaded, changes);
  const Loaded<TrajectoryOptions> given = options_for(arguments, *robot, motion.value);
  TrajectoryOptions asked = given.value;
  asked.edge = options;
  asked.tracking_delay = delay;
  asked.segment_errors = motion.value.errors();
  refuse_segment_errors(arguments, asked);
  loaded.note(motion);
  loaded.note(given);
  const std::optional<Loaded<Motion>> ran = load_executed(arguments, *loaded.bare);
  if (ran) loaded.note(*ran);
  if (!asked.check_limits) loaded.assumptions.push_back(limits_ignored());
  print_warnings(arguments, loaded);

  std::optional<Timeline> timeline;
  if (changes) timeline = make_timeline(arguments, *changes, loaded, scene, motion.value, checked);
  if (timeline) scene = timeline->stages()[0].scene;
  const PathChecker checker =
      timeline ? timeline->stages()[0].checker : make_checker(arguments, loaded, scene, checked);
  Workspace workspace(checker);
  const auto start = std::chrono::steady_clock::now();
  CheckedMotion checked_motion;
  {
    Progress progress("segment");
    TrajectoryOptions check = asked;  // the clearance is measured, and timed, apart
    check.clearance_accuracy = check.profile_step = 0.0;
    const TrajectoryProgress show = [&](int done, int segments) {
      progress.show(done, segments);
      return true;
    };
    checked_motion = timeline ? check_motion(*timeline, workspace, check, show)
                              : check_motion(checker, motion.value, workspace, check, show);
  }
  PathReport& result = checked_motion.result;
  const Trajectory& trajectory = checked_motion.trajectory;
  const auto micros_since = [](std::chrono::steady_clock::time_point from) {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count();
  };
  const double time_us = micros_since(start);
  const auto clearance_start = std::chrono::steady_clock::now();
  {
    Progress progress("step of the clearance");
    const TrajectoryProgress show = [&](int done, int total) {
      progress.show(done, total);
      return true;
    };
    timeline ? add_clearance(*timeline, asked, result, show) : add_clearance(checker, trajectory, asked, result, show);
  }
  const double clearance_us =
      asked.clearance_accuracy > 0.0 || asked.profile_step > 0.0 ? micros_since(clearance_start) : 0.0;
  std::optional<Executed> executed;
  if (ran) executed = check_executed(arguments, checker, motion.value, ran->value, workspace, asked);
  std::vector<LinkPair> proved_apart;
  // Joint values within errors may leave the limits within which pairs are proved apart.
  if (!options.method && !options.errors.any() && delay == 0.0 && asked.segment_errors.empty())
    proved_apart = checker.proved_apart(checked_motion.extremes);
  CheckReport report{
      .checker = checker,
      .scene = scene,
      .trajectory = trajectory,
      .result = result,
      .options = options,
      .checked = checked,
      .time_us = time_us,
      .proved_apart = proved_apart,
      .clearance_accuracy = asked.clearance_accuracy,
      .clearance_us = clearance_us,
      .robots = loaded.parts,
      .assumptions = timeline ? assumptions(*timeline, loaded.assumptions) : assumptions(checker, loaded.assumptions),
      .name_assumptions = arguments.has("assumptions"),
      .hints = hints(arguments, *robot, checked_motion.extremes, result),
      .certificate = {},
      .log = motion.value.log(),
      .timeline = timeline ? &*timeline : nullptr,
      .tracking_delay = delay,
      .segment_errors = asked.segment_errors,
      .tracking_limit = tracking_limit(arguments, checker, trajectory, workspace, asked),
      .executed = executed ? &*executed : nullptr};
  const auto certificate = arguments.text("certificate");
  if (certificate && result.verdict == Verdict::Free) {
    report.certificate = write_certificate(*certificate, checker, trajectory, loaded, report.assumptions, arguments);
  }
  if (const auto file = arguments.text("junit"))
    write_text("junit", *file, findings_junit(report, executed_cases(report)));
  if (const auto file = arguments.text("clearance-csv")) write_text("clearance-csv", *file, clearance_csv(report));
  if (const auto file = arguments.text("html")) {
    viewer::PageContent content = check_page(report, trajectory, scene);
    content.facts = page_facts(arguments);
    if (report.certificate && report.certificate->result.proved) {
      content.facts.emplace_back("SHA-256 of the certificate", report.certificate->result.sha256);
    }
    viewer::write_page(content, *file);
  }
  std::cout << (arguments.has("json") ? check_json(report) : check_text(report)) << std::flush;
  return exit_code(report);
}

}  // namespace planner_ccd::cli
