#include "planner_ccd/cli/check_page.hpp"
#include "planner_ccd/cli/check_trajectory_options.hpp"
#include "planner_ccd/cli/findings_report.hpp"
#include "planner_ccd/cli/inspect_report.hpp"
#include "planner_ccd/python/report.hpp"
#include "planner_ccd/version.hpp"

namespace planner_ccd::python {
namespace {

/// `write(report)` with the command's view of it.
template <class Write>
std::string as_command(const Report& r, const Write& write) {
  const CheckerOptions checked = r.checker->options();
  std::vector<LinkPair> proved_apart;
  if (!r.options.edge.method && !r.options.edge.errors.any() && r.options.tracking_delay == 0.0 &&
      r.options.segment_errors.empty()) {
    proved_apart = r.checker->get().proved_apart(cli::extremes(*r.trajectory.robot.model, r.trajectory.trajectory));
  }
  const std::vector<cli::RobotPart> robots{{"", "", r.checker->robot().model->name()}};
  const Timeline* timeline = r.timeline.get();
  const cli::CheckReport report{.checker = r.checker->get(),
                                .scene = timeline ? timeline->stages()[0].scene : r.checker->setup().scene.scene,
                                .trajectory = r.trajectory.trajectory,
                                .result = r.result,
                                .options = r.options.edge,
                                .checked = checked,
                                .time_us = r.seconds * 1e6,
                                .proved_apart = proved_apart,
                                .clearance_accuracy = r.options.clearance_accuracy,
                                .clearance_us = 0.0,
                                .robots = robots,
                                .assumptions = r.assumptions,
                                .name_assumptions = true,
                                .hints = {},
                                .certificate = {},
                                .timeline = timeline,
                                .tracking_delay = r.options.tracking_delay,
                                .segment_errors = r.options.segment_errors};
  return write(report);
}

const std::vector<std::pair<std::string, std::string>> kFacts = {{"planner_ccd", PLANNER_CCD_VERSION}};

}  // namespace

std::string html_of(const Report& r) {
  return as_command(r, [](const cli::CheckReport& report) {
    viewer::PageContent content = cli::check_page(report, report.trajectory, report.scene);
    content.facts = kFacts;
    return viewer::page(content);
  });
}

std::string junit_of(const Report& r) {
  return as_command(r, [](const cli::CheckReport& report) { return cli::findings_junit(report); });
}

std::string json_of(const Report& r) {
  return as_command(r, [](const cli::CheckReport& report) { return cli::check_json(report); });
}

std::string inspection_of(const Robot& robot, std::int64_t cell_evaluations) {
  CheckerOptions options;
  options.cell_evaluations = cell_evaluations;
  const PathChecker checker(robot.model, {}, robot.matrix, options);
  cli::LoadedRobot loaded;
  loaded.model = robot.model;
  loaded.srdf = robot.srdf;
  loaded.matrix = robot.matrix;
  loaded.warnings = robot.warnings;
  loaded.assumptions = robot.assumptions;
  return cli::inspect_json(std::move(loaded), checker, {});
}

std::string html_of(const Robot& robot, const Scene& scene) {
  viewer::PageContent content;
  content.title = robot.model->name();
  content.robot = robot.model.get();
  content.scene = &scene;
  content.facts = kFacts;
  return viewer::page(content);
}

}  // namespace planner_ccd::python
