#include <chrono>
#include <cmath>
#include <iostream>

#include "planner_ccd/cli/check_page.hpp"
#include "planner_ccd/cli/check_report.hpp"
#include "planner_ccd/cli/load.hpp"
#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/cli/progress.hpp"
#include "planner_ccd/io/path_file.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd::cli {
namespace {

EdgeOptions edge_options(const Arguments& arguments) {
  EdgeOptions options;
  options.tolerance = arguments.number("tolerance").value_or(options.tolerance);
  if (!(options.tolerance > 0.0)) throw InputError("--tolerance must be greater than 0 (metres)");
  const double budget = arguments.number("max-evaluations").value_or(static_cast<double>(options.max_evaluations));
  if (!(budget >= 1.0 && budget <= 1e15)) throw InputError("--max-evaluations must be a number from 1 to 1e15");
  options.max_evaluations = static_cast<std::int64_t>(budget);
  if (const auto method = arguments.text("method")) parse_method(*method, options.method);
  if (arguments.text("angles").value_or("literal") == "wrap") options.angles = AnglePolicy::Wrap;
  return options;
}

}  // namespace

int run_check(const Arguments& arguments) {
  const EdgeOptions options = edge_options(arguments);
  CheckerOptions checker_options;
  checker_options.margin = arguments.number("margin").value_or(0.0);
  if (!(checker_options.margin >= 0.0)) throw InputError("--margin must not be negative (metres)");

  checker_options.cell_evaluations = cell_evaluations(arguments);
  if (arguments.has("html") && !viewer::missing().empty()) throw InputError(viewer::missing());

  LoadedRobot loaded = load_robot(arguments.required("robot"), arguments);
  const auto robot = loaded.model;
  Scene scene;
  if (const auto file = arguments.text("scene")) {
    SceneFileOptions scene_options;
    scene_options.resources = resource_options(arguments);
    scene_options.robot = robot.get();
    Loaded<Scene> read = load_scene(*file, scene_options);
    scene = std::move(read.value);
    loaded.warnings.insert(loaded.warnings.end(), read.warnings.begin(), read.warnings.end());
  }
  const Loaded<JointPath> path = load_path(arguments.required("path"), *robot);
  loaded.warnings.insert(loaded.warnings.end(), path.warnings.begin(), path.warnings.end());
  for (const std::string& warning : loaded.warnings) std::cerr << "warning: " << warning << "\n";

  const PathChecker checker(robot, scene, loaded.matrix, checker_options);
  Workspace workspace(checker);
  const auto start = std::chrono::steady_clock::now();
  PathResult result;
  {
    Progress progress("segment");
    result = check_path(checker, path.value, workspace, options, [&](int done, int segments) {
      progress.show(done, segments);
      return true;
    });
  }
  const double time_us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  std::vector<LinkPair> proved_apart;
  if (options.method == Method::Taylor) proved_apart = checker.proved_apart(path.value.waypoints);
  const CheckReport report{checker, result, options, checker_options.margin, time_us, proved_apart};
  if (const auto file = arguments.text("html")) {
    viewer::PageContent content = check_page(report, make_trajectory(*robot, path.value), scene);
    content.facts = page_facts(arguments);
    viewer::write_page(content, *file);
  }
  std::cout << (arguments.has("json") ? check_json(report) : check_text(report)) << std::flush;
  switch (result.verdict) {
    case Verdict::Free: return kFree;
    case Verdict::Contact: return kContact;
    case Verdict::Undecided: return kUndecided;
  }
  return kUndecided;
}

}  // namespace planner_ccd::cli
