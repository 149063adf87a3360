#include <algorithm>
#include <chrono>
#include <iostream>

#include "planner_ccd/cli/accepted.hpp"
#include "planner_ccd/cli/check_certificate.hpp"
#include "planner_ccd/cli/check_files.hpp"
#include "planner_ccd/cli/check_trajectory_options.hpp"
#include "planner_ccd/cli/executed.hpp"
#include "planner_ccd/cli/hints.hpp"
#include "planner_ccd/cli/load.hpp"
#include "planner_ccd/cli/motion_errors.hpp"
#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/cli/progress.hpp"
#include "planner_ccd/cli/timeline.hpp"
#include "planner_ccd/io/files_read.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/report/parts.hpp"
#include "planner_ccd/report/views.hpp"
#include "planner_ccd/validation/path_clearance.hpp"
#include "planner_ccd/viewer/report_page.hpp"

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

/// What all motions of one command have in common.
struct Setup {
  EdgeOptions edge;
  CheckerOptions checker_options;
  std::optional<Changes> changes;
  LoadedRobot robot;
  double delay = 0.0;
  Scene scene;
  std::optional<PathChecker> checker;  ///< Not with a timeline, which has several.
  std::vector<std::string> fail_on;
};

Setup load_setup(const Arguments& arguments) {
  Setup s;
  s.edge = edge_options(arguments);
  s.checker_options = checker_options(arguments);
  s.fail_on = fail_on(arguments);
  std::vector<InputFile> timeline;
  s.changes = load_timeline_option(arguments, timeline);
  s.robot = load_robots("robot", arguments, s.changes ? s.changes->file.moving : std::vector<MovingFrame>());
  s.robot.inputs.insert(s.robot.inputs.end(), timeline.begin(), timeline.end());
  s.delay = read_errors(arguments, s.robot, s.changes.has_value(), s.edge);
  s.scene = load_scene_option(arguments, s.robot);
  return s;
}

/// One motion, from its files to its report.
class OneCheck {
 public:
  OneCheck(const Arguments& arguments, Setup& setup) : arguments_(arguments), setup_(setup), notes_(setup.robot) {}

  Report run() {
    load();
    Workspace workspace(*checker_);
    Report report = check(workspace);
    add_what_ran(workspace, report);
    complete(report);
    return report;
  }

  void write_page(const Report& report, const std::string& file) const {
    const Scene& scene = timeline_ ? timeline_->stages()[0].scene : setup_.scene;
    const Timeline* timeline = timeline_ ? &*timeline_ : nullptr;
    viewer::write_page(viewer::report_page(report, {checker_->robot(), scene, checked_.trajectory, timeline}), file);
  }

 private:
  const Arguments& arguments_;
  Setup& setup_;
  Notes notes_;
  Motion motion_;
  std::optional<Motion> ran_;
  TrajectoryOptions asked_;
  std::optional<Timeline> timeline_;
  std::optional<PathChecker> checker_;
  CheckedMotion checked_;

  void load() {
    const LoadedRobot& robot = setup_.robot;
    motion_ = std::move(load_motion(arguments_, robot, setup_.changes, notes_).value);
    {
      const FilesRead noted(notes_.inputs, "limits");
      const Loaded<TrajectoryOptions> given = options_for(arguments_, *robot.model, motion_);
      asked_ = given.value;
      notes_.note(given);
    }
    asked_.edge = setup_.edge;
    asked_.tracking_delay = setup_.delay;
    asked_.segment_errors = motion_.errors();
    refuse_segment_errors(arguments_, asked_);
    {
      const FilesRead noted(notes_.inputs, "executed");
      if (auto ran = load_executed(arguments_, *robot.bare)) {
        notes_.note(*ran);
        ran_ = std::move(ran->value);
      }
    }
    if (!asked_.check_limits) notes_.assumptions.push_back(limits_ignored());
    if (setup_.changes) {
      timeline_ =
          make_timeline(arguments_, *setup_.changes, robot, setup_.scene, motion_, setup_.checker_options, notes_);
      checker_ = timeline_->stages()[0].checker;
      return;
    }
    if (!setup_.checker) {
      setup_.checker = make_checker(arguments_, robot, setup_.scene, setup_.checker_options, setup_.robot);
      notes_.warnings.insert(notes_.warnings.end(), setup_.robot.warnings.begin() + static_cast<std::ptrdiff_t>(known_),
                             setup_.robot.warnings.end());
    }
    checker_ = setup_.checker;
  }

  const std::size_t known_ = setup_.robot.warnings.size();

  static TrajectoryProgress shown(Progress& progress) {
    return [&progress](int done, int total) {
      progress.show(done, total);
      return true;
    };
  }

  static double micros_since(std::chrono::steady_clock::time_point from) {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count();
  }

  Report check(Workspace& workspace) {
    const auto start = std::chrono::steady_clock::now();
    TrajectoryOptions alone = asked_;  // the clearance is measured, and timed, apart
    alone.clearance_accuracy = alone.profile_step = 0.0;
    {
      Progress progress("segment");
      checked_ = timeline_ ? check_motion(*timeline_, workspace, alone, shown(progress))
                           : check_motion(*checker_, motion_, workspace, alone, shown(progress));
    }
    const double time_us = micros_since(start);
    const auto clearance_start = std::chrono::steady_clock::now();
    {
      Progress progress("step of the clearance");
      timeline_ ? add_clearance(*timeline_, asked_, checked_.result, shown(progress))
                : add_clearance(*checker_, checked_.trajectory, asked_, checked_.result, shown(progress));
    }
    const bool clearance = asked_.clearance_accuracy > 0.0 || asked_.profile_step > 0.0;
    const double clearance_us = clearance ? micros_since(clearance_start) : 0.0;
    Report report = make_report({*checker_, checked_.trajectory, asked_, timeline_ ? &*timeline_ : nullptr},
                                std::move(checked_.result), notes_.assumptions);
    report.time_us = time_us;
    report.clearance_us = clearance_us;
    return report;
  }

  void add_what_ran(Workspace& workspace, Report& report) {
    if (ran_) report.executed = check_executed(arguments_, *checker_, motion_, *ran_, workspace, asked_);
    if (!arguments_.has("max-tracking-error")) return;
    Progress progress("segment of the tracking error");
    const TrackingLimitOptions options{.trajectory = asked_, .each_segment = arguments_.has("html")};
    report.tracking_limit = max_tracking_error(*checker_, checked_.trajectory, workspace, options, shown(progress));
  }

  /// What the command knows.
  void complete(Report& report) {
    const RobotModel& robot = *setup_.robot.model;
    report.command = arguments_.command();
    report.inputs = notes_.inputs;
    report.question.robots = setup_.robot.parts;
    report.question.fail_on = setup_.fail_on;
    if (const auto& log = motion_.log()) {
      report.question.log = LogOrigin{log->topic(), log->type(), log->messages(), log->begin_ns(), log->parts()};
    }
    report.warnings = notes_.warnings;
    for (InputWarning& doubt : doubts(robot, checked_.extremes, report.result))
      report.warnings.push_back(std::move(doubt));
    if (report.result.edge.contact) {
      const std::string hint = srdf_hint(arguments_, robot, *report.result.edge.contact);
      if (!hint.empty()) report.hints.push_back(hint);
    }
    require_something_checked(arguments_, report.question, report.assumptions);
    // Joint values within errors may leave the limits within which pairs are proved apart.
    const bool exact = !asked_.edge.errors.any() && asked_.tracking_delay == 0.0 && asked_.segment_errors.empty();
    if (!asked_.edge.method && exact) report.proved_apart = checker_->proved_apart(checked_.extremes);
    const auto certificate = arguments_.text("certificate");
    if (certificate && report.result.verdict == Verdict::Free) {
      report.certificate = write_certificate(*certificate, *checker_, checked_.trajectory, report);
    }
    conclude(report);
    print_details(arguments_, notes_);
  }
};

Report check_one(const Arguments& arguments, Setup& setup, const std::string& page) {
  OneCheck check(arguments, setup);
  Report report = check.run();
  if (!page.empty()) check.write_page(report, page);
  return report;
}

int check_alone(const Arguments& arguments) {
  Setup setup = load_setup(arguments);
  const std::vector<CheckedFile> checked{
      {arguments.text("path").value_or(""), check_one(arguments, setup, arguments.text("html").value_or("")), ""}};
  const Report& report = *checked.front().report;
  if (const auto file = arguments.text("junit")) write_text("junit", *file, reports_junit(checked));
  if (const auto file = arguments.text("clearance-csv")) write_text("clearance-csv", *file, clearance_csv(report));
  if (arguments.has("json")) {
    std::cerr << warnings_text(report.warnings);  // for whoever watches
    std::cout << report_json(report) << std::flush;
  } else {
    std::cout << report_text(report, arguments.has("assumptions")) << std::flush;
  }
  return exit_code(report);
}

}  // namespace

int run_check(const Arguments& arguments) {
  const std::vector<std::string> files = motion_files(arguments);
  if (files.empty()) return check_alone(arguments);
  std::optional<Setup> setup;
  return check_files(arguments, files, [&](const Arguments& one, const std::string& page) {
    if (!setup) setup = load_setup(arguments);
    return check_one(one, *setup, page);
  });
}

}  // namespace planner_ccd::cli
