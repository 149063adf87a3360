#include <chrono>
#include <cmath>
#include <iostream>

#include "planner_ccd/cli/configuration_text.hpp"
#include "planner_ccd/cli/load.hpp"
#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/cli/plan_report.hpp"
#include "planner_ccd/io/path_file.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd::cli {
namespace {

/// A whole number from 1, or `otherwise` when the option is not given.
double whole_number(const Arguments& arguments, const std::string& name, double otherwise, double most) {
  const double value = arguments.number(name).value_or(otherwise);
  if (value < 1.0 || value > most || value != std::floor(value)) {
    throw InputError("--" + name + " must be a whole number from 1 to " + format_number(most));
  }
  return value;
}

/// Throws when a planner could do nothing with it: beyond the limits, or in contact.
void require_usable(const std::string& option, const JointVectorRef& q, const PlanRequest& request) {
  const RobotModel& robot = request.checker->robot();
  for (int i = 0; i < robot.dof(); ++i) {
    const Coordinate& c = robot.coordinates()[i];
    if (q[i] >= c.lower && q[i] <= c.upper) continue;
    throw InputError("--" + option + ": " + c.name + " = " + format_number(q[i]) + " is beyond its limits [" +
                     format_number(c.lower) + ", " + format_number(c.upper) + "]");
  }
  Workspace workspace(*request.checker);
  const EdgeResult there = request.checker->first_contact(q, q, workspace, request.edge);
  if (there.verdict == Verdict::Free) return;
  if (!there.contact) throw InputError("--" + option + ": could not be proved free within --max-evaluations");
  throw InputError("--" + option + ": " + there.contact->a + " meets " + there.contact->b + " there (distance " +
                   format_number(there.contact->distance) + " m)");
}

PlanRequest read_request(const Arguments& arguments, const LoadedRobot& loaded,
                         std::shared_ptr<const PathChecker> checker) {
  PlanRequest request;
  request.checker = std::move(checker);
  request.planner = arguments.text("planner").value_or("RRTConnect");
  request.seconds = arguments.number("time").value_or(10.0);
  if (!(request.seconds > 0.0)) throw InputError("--time must be greater than 0 (seconds)");
  request.seed = static_cast<std::uint32_t>(whole_number(arguments, "seed", 1.0, 4294967295.0));
  request.edge.tolerance = arguments.number("tolerance").value_or(request.edge.tolerance);
  if (!(request.edge.tolerance > 0.0)) throw InputError("--tolerance must be greater than 0 (metres)");
  request.edge.max_evaluations = static_cast<std::int64_t>(
      whole_number(arguments, "max-evaluations", static_cast<double>(request.edge.max_evaluations), 1e15));
  const RobotModel& robot = request.checker->robot();
  request.start = parse_configuration("start", arguments.required("start"), robot, loaded.srdf, false);
  request.goal = parse_configuration("goal", arguments.required("goal"), robot, loaded.srdf, true);
  require_usable("start", request.start, request);
  require_usable("goal", request.goal, request);
  return request;
}

}  // namespace

int run_plan(const Arguments& arguments) {
  const CheckerOptions checked = checker_options(arguments);
  LoadedRobot loaded = load_robots("robot", arguments);
  const auto robot = loaded.model;
  const Scene scene = load_scene_option(arguments, loaded);
  const auto checker = std::make_shared<const PathChecker>(make_checker(arguments, loaded, scene, checked));
  const PlanRequest request = read_request(arguments, loaded, checker);
  for (const std::string& warning : loaded.warnings) std::cerr << "warning: " << warning << "\n";

  PlanOutcome outcome = search_plan(request);
  const std::string out = arguments.text("out").value_or("");
  PathResult recheck;
  double recheck_seconds = 0.0;
  if (outcome.solved) {
    // What counts is the path as it will be read back.
    if (!out.empty()) save_path(out, outcome.path, *robot);
    outcome.path = out.empty() ? parse_path(format_path(outcome.path, *robot), "the path found", *robot).value
                               : load_path(out, *robot).value;
    Workspace workspace(*checker);
    const auto start = std::chrono::steady_clock::now();
    recheck = check_path(*checker, outcome.path, workspace, request.edge);
    recheck_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  const PlanReport report{request,
                          outcome,
                          recheck,
                          recheck_seconds,
                          checked.margin,
                          outcome.solved ? out : "",
                          assumptions(*checker, loaded.assumptions),
                          arguments.has("assumptions")};
  std::cout << (arguments.has("json") ? plan_json(report) : plan_text(report)) << std::flush;
  return report.proved() ? kFree : kUndecided;
}

}  // namespace planner_ccd::cli
