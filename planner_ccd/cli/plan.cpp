#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "planner_ccd/cli/accepted.hpp"
#include "planner_ccd/cli/check_trajectory_options.hpp"
#include "planner_ccd/cli/configuration_text.hpp"
#include "planner_ccd/cli/hints.hpp"
#include "planner_ccd/cli/load.hpp"
#include "planner_ccd/cli/motion_errors.hpp"
#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/cli/plan_report.hpp"
#include "planner_ccd/io/path_file.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/io/trajectory_file.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/report/parts.hpp"
#include "planner_ccd/validation/describe_finding.hpp"
#include "planner_ccd/validation/path_clearance.hpp"
#include "planner_ccd/viewer/report_page.hpp"

namespace planner_ccd::cli {
namespace {

/// An integer >= 1, or `otherwise` if the option is not given.
double whole_number(const Arguments& arguments, const std::string& name, double otherwise, double most) {
  const double value = arguments.number(name).value_or(otherwise);
  if (value < 1.0 || value > most || value != std::floor(value)) {
    throw InputError("--" + name + " must be a whole number from 1 to " + format_number(most));
  }
  return value;
}

/// [rad] or [m] A value that is farther beyond its limit was not merely rounded, to three decimals, when it was written down.
constexpr double kRounded = 0.0005;

/// Takes values that are a little beyond their limits to these, and tells. Throws for others.
void clamp(const std::string& option, JointVector& q, PlanRequest& request) {
  const RobotModel& robot = request.checker->robot();
  for (int i = 0; i < robot.dof(); ++i) {
    const Coordinate& c = robot.coordinates()[static_cast<std::size_t>(i)];
    if (q[i] >= c.lower && q[i] <= c.upper) continue;
    const double limit = q[i] < c.lower ? c.lower : c.upper, beyond = std::abs(q[i] - limit);
    const bool is_pose = robot.joints()[static_cast<std::size_t>(c.joint)].type == JointType::Floating;
    if (is_pose || !(beyond <= kRounded)) {
      throw InputError("--" + option + ": " + c.name + " = " + format_number(q[i]) + " is beyond its limits [" +
                       format_number(c.lower) + ", " + format_number(c.upper) +
                       "], by more than the 0.0005 that count as rounding");
    }
    request.clamped.push_back({option, c.name, q[i], limit});
    q[i] = limit;
  }
}

/// "26.6 um", "15.6 mm"
std::string length_text(double metres) {
  std::array<char, 32> text{};
  if (metres >= 1e-4 || metres == 0.0) return millimetres(metres);
  std::snprintf(text.data(), text.size(), "%.3g um", 1e6 * metres);
  return text.data();
}

/// How near, or how deep. `nearest`: of all pairs there.
std::string describe_refusal(const Finding& f, const NearestPair& nearest, double tolerance) {
  const Contact& c = *f.contact;
  const double asked = c.margin + c.error;
  const std::string for_margin = asked > 0.0 ? " (" + length_text(asked) + " asked for by " +
                                                   (c.error > 0.0 ? "margin and errors)" : "the margin)")
                                             : "";
  const bool is_nearest = std::minmax(nearest.a, nearest.b) == std::minmax(c.a, c.b);
  const double distance = is_nearest ? std::min(nearest.upper, c.distance) : c.distance;
  if (c.inside) return c.a + " and " + c.b + ": one is inside the other there";
  if (f.depth && f.depth->depth > 0.0)
    return c.a + " meets " + c.b + " there, " + length_text(f.depth->depth) + " deep" + for_margin;
  if (is_nearest && nearest.lower > asked) {
    return c.a + " is " + length_text(nearest.lower) + " clear of " + c.b + " there" + for_margin +
           ", the tolerance is " + length_text(tolerance) + ": a --tolerance below " +
           length_text(nearest.lower - asked) + " accepts it";
  }
  if (distance > tolerance)
    return c.a + " comes within " + length_text(distance) + " of " + c.b + " there" + for_margin;
  return c.a + " meets " + c.b + " there, at most " + length_text(distance) + " apart" + for_margin;
}

/// Throws for a configuration in contact, useless to a planner.
void require_free(const std::string& option, const JointVectorRef& q, const PlanRequest& request,
                  const Arguments& arguments) {
  const RobotModel& robot = request.checker->robot();
  Workspace workspace(*request.checker);
  TrajectoryOptions options;
  options.edge = request.edge;
  options.check_limits = false;
  JointPath path;
  path.waypoints = {q};
  const Trajectory still = make_trajectory(robot, path);
  TrajectoryResult report = check_trajectory(*request.checker, still, workspace, options);
  if (report.verdict == Verdict::Free) return;
  if (report.edge.contact && report.edge.contact->error == 0.0) {  // how deep, and what else
    options.all_contacts = true;
    report = check_trajectory(*request.checker, still, workspace, options);
  }
  const auto has_contact = [](const Finding& f) { return f.contact.has_value(); };
  const auto first = std::find_if(report.findings.begin(), report.findings.end(), has_contact);
  if (first == report.findings.end())
    throw InputError("--" + option + ": could not be proved free within --max-evaluations");
  const Contact& c = *first->contact;
  const NearestPair nearest = request.checker->clearance(q, workspace);
  const std::string hint = srdf_hint(arguments, robot, c);
  const auto more = std::count_if(std::next(first), report.findings.end(), has_contact);
  throw InputError(
      "--" + option + ": " + describe_refusal(*first, nearest, request.edge.tolerance) +
      (more > 0 ? "; so it is with " + std::to_string(more) + (more == 1 ? " more pair" : " more pairs") : "") +
      (hint.empty() ? "" : "; " + hint));
}

/// The joints that may move: those of --group, else all; without those of --hold, whose values go to `known`. Empty:
/// all.
std::vector<std::string> moving_joints(const Arguments& arguments, const RobotModel& robot, const Srdf& srdf,
                                       const std::string& group, JointVector& known) {
  std::vector<std::string> names;
  for (const Coordinate& c : robot.coordinates()) names.push_back(c.name);
  for (const auto& [name, value] : held_values(arguments)) {
    const int i = robot.find_coordinate(name);
    if (i < 0)
      throw InputError("--hold " + name + ": the robot has no coordinate of this name" + did_you_mean(name, names));
    known[i] = value;
  }
  if (group.empty() && !arguments.has("hold")) return {};
  std::vector<std::string> joints;
  for (const Joint& joint : robot.joints()) {
    if (joint.q_size == 0 || joint.is_mimic) continue;
    const auto values = known.segment(joint.q_index, joint.q_size).array();
    if (values.isNaN().any() && !values.isNaN().all()) {
      throw InputError("--hold: of joint " + joint.name + " all values are held, or none");
    }
    if (values.isNaN().all()) joints.push_back(joint.name);
  }
  if (!group.empty()) {
    const std::vector<std::string> of_group = group_joints(srdf, group, robot);
    std::erase_if(joints, [&](const std::string& joint) {
      return std::find(of_group.begin(), of_group.end(), joint) == of_group.end();
    });
  }
  if (joints.empty()) throw InputError("no joint may move: --hold and --group leave none");
  return joints;
}

/// Throws unless joints that may not move have the same value at start and goal.
void require_reachable(const PlanRequest& request) {
  if (request.joints.empty()) return;
  const RobotModel& robot = request.checker->robot();
  for (int i = 0; i < robot.dof(); ++i) {
    const Coordinate& c = robot.coordinates()[static_cast<std::size_t>(i)];
    const std::string& joint = robot.joints()[static_cast<std::size_t>(c.joint)].name;
    const bool moves = std::find(request.joints.begin(), request.joints.end(), joint) != request.joints.end();
    if (moves || request.goal[i] == request.start[i]) continue;
    throw InputError("--goal: " + c.name + " = " + format_number(request.goal[i]) +
                     " is another place than at the start (" + format_number(request.start[i]) +
                     "), but the joint may not move (--hold, --group)");
  }
}

/// True for a ROS message (the name says YAML), false for CSV.
bool is_message(const std::string& file) {
  const std::string ending = to_lower(std::filesystem::path(file).extension().string());
  if (ending == ".json" || ending == ".xml") {
    throw InputError("--out " + file +
                     ": a path is written as CSV, or as a ROS JointTrajectory where the name ends in .yaml");
  }
  return ending == ".yaml" || ending == ".yml";
}

/// The motion as readers of the written file will get it.
Trajectory written_motion(const std::string& out, const PlanRequest& request, PlanOutcome& outcome) {
  const RobotModel& robot = request.checker->robot();
  if (is_message(out)) {
    write_text("out", out, format_joint_trajectory(outcome.path, robot, request.joints));
    TrajectoryFileOptions options;
    for (int i = 0; i < robot.dof(); ++i) {
      options.hold[robot.coordinates()[static_cast<std::size_t>(i)].name] = request.start[i];
    }
    return load_trajectories({{out, ""}}, robot, options).value;
  }
  if (!out.empty()) save_path(out, outcome.path, robot);
  outcome.path = out.empty() ? parse_path(format_path(outcome.path, robot), "the path found", robot).value
                             : load_path(out, robot).value;
  return make_trajectory(robot, outcome.path);
}

PlanRequest read_request(const Arguments& arguments, const LoadedRobot& loaded,
                         std::shared_ptr<const PathChecker> checker) {
  PlanRequest request;
  request.checker = std::move(checker);
  request.planner = arguments.text("planner").value_or("RRTConnect");
  request.seconds = arguments.number("time").value_or(10.0);
  if (!(request.seconds > 0.0)) throw InputError("--time must be greater than 0 (seconds)");
  request.range = arguments.number("range");
  if (request.range && !(*request.range > 0.0)) throw InputError("--range must be greater than 0 (rad, m)");
  request.seed = static_cast<std::uint32_t>(whole_number(arguments, "seed", 1.0, 4294967295.0));
  request.edge.tolerance = arguments.number("tolerance").value_or(request.edge.tolerance);
  if (!(request.edge.tolerance > 0.0)) throw InputError("--tolerance must be greater than 0 (metres)");
  request.edge.max_evaluations = static_cast<std::int64_t>(
      whole_number(arguments, "max-evaluations", static_cast<double>(request.edge.max_evaluations), 1e15));
  request.edge.errors = motion_errors(arguments, loaded);
  const RobotModel& robot = request.checker->robot();
  const std::string group = arguments.text("group").value_or("");
  JointVector known = unknown_configuration(robot);
  request.joints = moving_joints(arguments, robot, loaded.srdf, group, known);
  request.start = parse_configuration("start", arguments.required("start"), robot, loaded.srdf, group, known, false);
  clamp("start", request.start, request);
  request.goal =
      parse_configuration("goal", arguments.required("goal"), robot, loaded.srdf, group, request.start, true);
  clamp("goal", request.goal, request);
  require_reachable(request);
  require_free("start", request.start, request, arguments);
  require_free("goal", request.goal, request, arguments);
  return request;
}

/// The check of the path as it was written; of none, only the question.
Report report_of(const Arguments& arguments, const LoadedRobot& loaded, const PathChecker& checker,
                 const Trajectory& motion, const TrajectoryOptions& options, TrajectoryResult result) {
  Report report = make_report({checker, motion, options}, std::move(result), loaded.assumptions);
  report.command = arguments.command();
  report.inputs = loaded.inputs;
  report.question.robots = loaded.parts;
  report.question.fail_on = fail_on(arguments);
  report.warnings = loaded.warnings;
  conclude(report);
  require_something_checked(arguments, report.question, report.assumptions);
  return report;
}

}  // namespace

int run_plan(const Arguments& arguments) {
  const CheckerOptions checked = checker_options(arguments);
  const std::string out = arguments.text("out").value_or("");
  is_message(out);  // rejects a name before anything is planned
  LoadedRobot loaded = load_robots("robot", arguments);
  const auto robot = loaded.model;
  const Scene scene = load_scene_option(arguments, loaded);
  const auto checker = std::make_shared<const PathChecker>(make_checker(arguments, loaded, scene, checked, loaded));
  const PlanRequest request = read_request(arguments, loaded, checker);

  TrajectoryOptions options;
  options.edge = request.edge;
  options.check_limits = false;
  const JointPath at_start{{request.start}, {}};
  PlanReport report{request,
                    {},
                    report_of(arguments, loaded, *checker, make_trajectory(*robot, at_start), options, {}),
                    out,
                    arguments.has("assumptions")};
  report.outcome = search_plan(request);
  if (report.outcome.solved) {
    const Trajectory motion = written_motion(out, request, report.outcome);  // verify the path as it will be read back
    Workspace workspace(*checker);
    const auto start = std::chrono::steady_clock::now();
    TrajectoryResult recheck = check_trajectory(*checker, motion, workspace, options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (arguments.has("html")) {
      options.profile_step = motion.segments.back().t1 / 100.0;
      add_clearance(*checker, motion, options, recheck);
    }
    report.check = report_of(arguments, loaded, *checker, motion, options, std::move(recheck));
    report.check.time_us = 1e6 * seconds;
    if (arguments.has("html")) {
      viewer::write_page(viewer::report_page(report.check, {*robot, scene, motion}), arguments.required("html"));
    }
  }
  if (arguments.has("json")) std::cerr << warnings_text(loaded.warnings);
  print_details(arguments, loaded);
  std::cout << (arguments.has("json") ? plan_json(report) : plan_text(report)) << std::flush;
  if (!report.check.refused_by.empty()) return kBadInput;
  return report.proved() ? kFree : kUndecided;
}

}  // namespace planner_ccd::cli
