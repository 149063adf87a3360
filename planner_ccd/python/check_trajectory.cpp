#include "planner_ccd/validation/check_trajectory.hpp"
#include "planner_ccd/validation/deviation.hpp"
#include "planner_ccd/validation/tracking_limit.hpp"

#include <algorithm>
#include <chrono>

#include "planner_ccd/io/files_read.hpp"
#include "planner_ccd/math/spelling.hpp"
#include "planner_ccd/python/report.hpp"
#include "planner_ccd/python/timeline.hpp"

namespace planner_ccd::python {

void require_same_joints(const RobotModel& robot, const RobotModel& of, bool more) {
  const auto same = [](const Coordinate& a, const Coordinate& b) { return a.name == b.name; };
  const auto &own = robot.coordinates(), &given = of.coordinates();
  const auto end =
      more && given.size() < own.size() ? own.begin() + static_cast<std::ptrdiff_t>(given.size()) : own.end();
  if (std::equal(own.begin(), end, given.begin(), given.end(), same)) return;
  throw InputError("trajectory: is one of '" + of.name() + "', whose joints are not those of '" + robot.name() + "'");
}

void require_motion_of(const RobotModel& robot, const RobotModel& of) {
  require_same_joints(robot, of);
  if (robot.clock_joint().empty() || !of.clock_joint().empty()) return;
  throw InputError("trajectory: says nothing of what moves by itself, such as " + in_quotes(robot.clock_joint()) +
                   ", which would stand still; give the timeline too (check_trajectory(..., timeline=...))");
}

namespace {

/// The whole of what happens: the motion with what moves by itself, and the worlds.
std::shared_ptr<const Timeline> timeline_of(const Checker& c, const PyTimeline& given, PyTrajectory& motion) {
  const TimelineFile& file = given.file;
  const RobotModel& robot = c.get().robot();
  require_same_joints(robot, *motion.robot.model, !file.moving.empty());
  std::vector<TimelineEvent> events = file.events;
  if (!file.moving.empty() || !file.robots.empty()) events = at_times(std::move(events), motion.trajectory);
  const RobotModel& bare = *motion.robot.model;
  motion.inputs.push_back(input_file("timeline", given.name, given.text));
  const FilesRead noted(motion.inputs, "path");
  const Loaded<std::vector<RobotMotion>> others = load_robot_motions(file.robots, bare);
  motion.warnings.insert(motion.warnings.end(), others.warnings.begin(), others.warnings.end());
  merge(motion.assumptions, others.assumptions);
  motion.trajectory = with_robot_motions(bare, motion.trajectory, others.value);
  motion.trajectory = with_moving_frames(robot, motion.trajectory, file.moving);
  motion.robot = c.robot();
  const Scene scene = with_carried(robot, c.setup().scene.scene, motion.trajectory, file.moving);
  auto timeline = std::make_shared<const Timeline>(c.get(), scene, motion.trajectory, events);
  motion.trajectory = timeline->motion();
  return timeline;
}

PyReport check(Checker& c, const PyTrajectory& given, const PyTimeline* changes, bool all_contacts,
               double contact_resolution, bool check_limits, const PyMotionLimits* limits, double clearance_accuracy,
               std::size_t clearance_pairs, double clearance_below, double profile_step, double tracking_delay,
               const py::object& segment_errors, const py::object& progress, double tolerance,
               std::int64_t max_evaluations, const std::string& method, const std::string& leaf) {
  PyTrajectory trajectory = given;
  std::shared_ptr<const Timeline> timeline;
  if (changes) {
    timeline = timeline_of(c, *changes, trajectory);
  } else {
    require_motion_of(c.get().robot(), *trajectory.robot.model);
  }
  TrajectoryOptions options;
  options.edge = Keywords{tolerance, max_evaluations, "literal", method, leaf}.options(c);
  options.all_contacts = all_contacts;
  options.contact_resolution = contact_resolution;
  options.check_limits = check_limits;
  if (limits) options.limits = limits->limits;
  options.clearance_accuracy = clearance_accuracy;
  options.clearance_pairs = clearance_pairs;
  options.clearance_below = clearance_below;
  options.profile_step = profile_step;
  options.tracking_delay = tracking_delay;
  options.segment_errors = segment_errors_of(c.get().robot(), segment_errors);
  std::exception_ptr raised;
  TrajectoryProgress tell;
  if (!progress.is_none()) {
    tell = [&](int done, int total) {
      const py::gil_scoped_acquire acquire;
      try {
        progress(done, total);
        return true;
      } catch (const py::error_already_set&) {
        raised = std::current_exception();
        return false;
      }
    };
  }
  PyReport report{std::make_shared<const Checker>(c), trajectory, options, c.assumed(), 0.0, {}, timeline};
  if (limits) {
    report.limit_warnings = limits->warnings;
    report.limit_inputs = limits->inputs;
  }
  if (timeline) {
    std::vector<Assumption> loaded = c.robot().assumptions;
    merge(loaded, c.setup().scene.assumptions);
    report.assumptions = assumptions(*timeline, loaded);
  }
  merge(report.assumptions, trajectory.assumptions);
  if (!check_limits) report.assumptions.push_back(limits_ignored());
  const auto start = std::chrono::steady_clock::now();
  report.result = c.borrow([&](Workspace& w) {
    return timeline ? check_timeline(*timeline, w, options, tell)
                    : check_trajectory(c.get(), trajectory.trajectory, w, options, tell);
  });
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (raised) std::rethrow_exception(raised);
  return report;
}

py::dict deviation_dict(const Checker& c, const PyTrajectory& planned, const PyTrajectory& executed,
                        const std::optional<double>& shift, double tracking_delay) {
  const RobotModel& robot = c.get().robot();
  require_same_joints(robot, *planned.robot.model);
  require_same_joints(robot, *executed.robot.model);
  TrajectoryOptions options;
  options.edge.errors = c.setup().errors;
  options.tracking_delay = tracking_delay;
  const Deviation found =
      deviation(robot, planned.trajectory, executed.trajectory,
                shift ? *shift : best_shift(robot, planned.trajectory, executed.trajectory), options);
  py::dict joints;
  for (const JointDeviation& joint : found.joints) {
    const auto number = [](double x) { return std::isfinite(x) ? py::object(py::float_(x)) : py::object(py::none()); };
    py::dict one;
    one["greatest"] = joint.greatest;
    one["at"] = joint.at;
    one["allowed"] = number(joint.allowed);
    one["left"] = number(joint.left);
    joints[py::str(joint.joint)] = one;
  }
  py::dict out;
  out["shift"] = found.shift;
  out["begin"] = found.begin;
  out["end"] = found.end;
  out["complete"] = found.complete;
  out["within"] = found.within();
  out["joints"] = joints;
  return out;
}

}  // namespace

void bind_check_trajectory(py::class_<Checker>& checker) {
  const TrajectoryOptions defaults;
  checker.def(
      "check_trajectory", &check, py::arg("trajectory"), py::kw_only(),
      py::arg("timeline") = static_cast<const PyTimeline*>(nullptr), py::arg("all_contacts") = false,
      py::arg("contact_resolution") = defaults.contact_resolution, py::arg("check_limits") = true,
      py::arg("limits") = static_cast<const PyMotionLimits*>(nullptr), py::arg("clearance_accuracy") = 0.0,
      py::arg("clearance_pairs") = defaults.clearance_pairs, py::arg("clearance_below") = defaults.clearance_below,
      py::arg("profile_step") = 0.0, py::arg("tracking_delay") = 0.0, py::arg("segment_errors") = py::none(),
      py::arg("progress") = py::none(), py::arg("tolerance") = kDefaults.tolerance,
      py::arg("max_evaluations") = kDefaults.max_evaluations, py::arg("method") = "taylor",
      py::arg("leaf") = "inclusion",
      "Check a Trajectory: where it hits, where joints leave their limits, and, if asked, how near things come: a\n"
      "TrajectoryResult.\n\n"
      "timeline: what changes during the motion (a Timeline); the checker's scene is the world at its start.\n"
      "all_contacts: go on after the first: every contact of every pair, from when to when. contact_resolution:\n"
      "contacts of a pair apart by less, in seconds, may be reported as one. check_limits, limits: of joints, of\n"
      "velocities, accelerations and jerks; without MotionLimits those of the robot. clearance_accuracy: metres; also "
      "the\n"
      "least distance of the clearance_pairs that come nearest, and nearer than clearance_below. profile_step:\n"
      "seconds; also the least distance in pieces no longer than this. tracking_delay: seconds; the robot may be so\n"
      "much behind the motion, on its own path. segment_errors: a row a segment, a column a coordinate: what joints "
      "may\n"
      "be off by there, in addition to the checker's errors. progress: called with how much is done and how much there "
      "is.\n\n"
      "    >>> report = checker.check_trajectory(planner_ccd.Trajectory(robot, path, times=range(6)))\n"
      "    >>> report.findings[0].kind, report.findings[0].segment\n"
      "    ('contact', 3)");
  checker.def(
      "max_tracking_error",
      [](Checker& c, const PyTrajectory& trajectory, double most, double accuracy, double tracking_delay) {
        require_motion_of(c.get().robot(), *trajectory.robot.model);
        TrackingLimitOptions options;
        options.trajectory.edge.errors = c.setup().errors;
        options.trajectory.tracking_delay = tracking_delay;
        options.most = most;
        options.accuracy = accuracy;
        const TrackingLimit limit =
            c.borrow([&](Workspace& w) { return max_tracking_error(c.get(), trajectory.trajectory, w, options); });
        py::object at = py::none();
        if (limit.edge.contact) at = py::make_tuple(limit.edge.contact->a, limit.edge.contact->b, limit.segment);
        if (!limit.edge.contact && limit.edge.undecided_pair)
          at = py::make_tuple(limit.edge.undecided_pair->a, limit.edge.undecided_pair->b, limit.segment);
        return py::make_tuple(limit.proved < 0.0 ? py::object(py::none()) : py::object(py::float_(limit.proved)), at);
      },
      py::arg("trajectory"), py::kw_only(), py::arg("most") = TrackingLimitOptions{}.most,
      py::arg("accuracy") = TrackingLimitOptions{}.accuracy, py::arg("tracking_delay") = 0.0,
      "The greatest error of every joint, the same in radians and metres, with which a Trajectory is proved free, in\n"
      "addition to the checker's errors; and what limits it: the names of a pair and the number of a segment. None\n"
      "for the first if not even the motion itself is free, for the second if it is free with `most`.\n\n"
      "    >>> trajectory = planner_ccd.Trajectory(robot, path[:4], times=range(4))\n"
      "    >>> 0.0 < checker.max_tracking_error(trajectory)[0] < 0.5\n"
      "    True");
  checker.def(
      "deviation", &deviation_dict, py::arg("planned"), py::arg("executed"), py::arg("shift") = py::none(),
      py::kw_only(), py::arg("tracking_delay") = 0.0,
      "How far what the robot did was from what was planned, joint by joint, as a dict: both compared by the clock,\n"
      "curve against curve, over the time that they share. shift: seconds by which the plan's clock is ahead of the\n"
      "other; None: what fits best. The errors allowed are the checker's, and what tracking_delay adds; `within` says\n"
      "that all of the plan is covered and every joint stayed within its own, `left` when one first did not.\n\n"
      "    >>> planned = planner_ccd.Trajectory(robot, path[:2], times=[0, 1])\n"
      "    >>> ran = planner_ccd.Trajectory(robot, path[:2], times=[7, 8])\n"
      "    >>> round(checker.deviation(planned, ran)[\"shift\"], 3)\n"
      "    -7.0");
}

}  // namespace planner_ccd::python
