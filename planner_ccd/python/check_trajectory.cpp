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

/// Calls `progress`; what it raises ends the check and is rethrown by `finish`.
class Progress {
 public:
  explicit Progress(const py::object& progress) : progress_(progress) {}

  TrajectoryProgress function() {
    if (progress_.is_none()) return {};
    return [this](int done, int total) {
      const py::gil_scoped_acquire acquire;
      try {
        progress_(done, total);
        return true;
      } catch (const py::error_already_set&) {
        raised_ = std::current_exception();
        return false;
      }
    };
  }
  void finish() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  const py::object& progress_;
  std::exception_ptr raised_;
};

/// All but what the check itself finds.
PyReport report_of(const Checker& c, const PyTrajectory& given, const PyTrajectoryOptions& asked,
                   const PyTimeline* changes) {
  PyTrajectory trajectory = given;
  std::shared_ptr<const Timeline> timeline;
  if (changes) {
    timeline = timeline_of(c, *changes, trajectory);
  } else {
    require_motion_of(c.get().robot(), *trajectory.robot.model);
  }
  PyReport report{std::make_shared<const Checker>(c), trajectory, c.options(asked), c.assumed(), 0.0, {}, timeline};
  if (asked.limits) {
    report.limit_warnings = asked.limits->warnings;
    report.limit_inputs = asked.limits->inputs;
  }
  if (timeline) {
    std::vector<Assumption> loaded = c.robot().assumptions;
    merge(loaded, c.setup().scene.assumptions);
    report.assumptions = assumptions(*timeline, loaded);
  }
  merge(report.assumptions, trajectory.assumptions);
  if (!asked.rest.check_limits) report.assumptions.push_back(limits_ignored());
  return report;
}

PyReport check(Checker& c, const PyTrajectory& trajectory, const PyTrajectoryOptions* options,
               const PyTimeline* timeline, const py::object& progress, const py::kwargs& old) {
  PyReport report = report_of(c, trajectory, options_of(options, old), timeline);
  Progress reporter(progress);
  const auto start = std::chrono::steady_clock::now();
  report.result = c.borrow([&](Workspace& w) {
    return timeline ? check_timeline(*report.timeline, w, report.options, reporter.function())
                    : check_trajectory(c.get(), report.trajectory.trajectory, w, report.options, reporter.function());
  });
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  reporter.finish();
  return report;
}

/// The options, or the keyword tracking_delay, which was there before them.
TrajectoryOptions delayed(const Checker& c, const PyTrajectoryOptions* options, const py::kwargs& old) {
  allow_keywords(old, {"tracking_delay"});
  return c.options(options_of(options, old));
}

TrackingLimit tracking_limit(Checker& c, const PyTrajectory& trajectory, const PyTrajectoryOptions* asked, double most,
                             double accuracy, bool each_segment, const py::kwargs& old) {
  require_motion_of(c.get().robot(), *trajectory.robot.model);
  TrackingLimitOptions options;
  options.trajectory = delayed(c, asked, old);
  options.most = most;
  options.accuracy = accuracy;
  options.each_segment = each_segment;
  return c.borrow([&](Workspace& w) { return max_tracking_error(c.get(), trajectory.trajectory, w, options); });
}

py::object error_or_none(double error) { return error < 0.0 ? py::object(py::none()) : py::object(py::float_(error)); }

/// What max_tracking_error answered before: (error, (a, b, segment)).
py::tuple old_tuple(const TrackingLimit& limit) {
  warn_old("max_tracking_error returns a TrackingLimit: write .proved, .segment, .edge");
  py::object at = py::none();
  const auto name = [&](const auto& pair) { at = py::make_tuple(pair.a, pair.b, limit.segment); };
  if (limit.edge.contact) {
    name(*limit.edge.contact);
  } else if (limit.edge.undecided_pair) {
    name(*limit.edge.undecided_pair);
  }
  return py::make_tuple(error_or_none(limit.proved), at);
}

py::dict deviation_dict(const Checker& c, const PyTrajectory& planned, const PyTrajectory& executed,
                        const std::optional<double>& shift, const PyTrajectoryOptions* asked, const py::kwargs& old) {
  const RobotModel& robot = c.get().robot();
  require_same_joints(robot, *planned.robot.model);
  require_same_joints(robot, *executed.robot.model);
  const TrajectoryOptions options = delayed(c, asked, old);
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

void bind_tracking_limit(py::module_& module) {
  py::class_<TrackingLimit> limit(module, "TrackingLimit",
                                  "The greatest error of every joint, the same in radians and metres, with which a\n"
                                  "Trajectory is still proved free.");
  limit.attr("__module__") = "planner_ccd";
  limit
      .def_property_readonly(
          "proved", [](const TrackingLimit& t) { return error_or_none(t.proved); },
          "Free with this error of every joint, in radians and metres; None: not even without.")
      .def_readonly("failed", &TrackingLimit::failed,
                    "Not proved with this one, in radians and metres; inf: free with `most`.")
      .def_readonly("segment", &TrackingLimit::segment, "Where that fails; -1 when it is free with `most`.")
      .def_readonly("edge", &TrackingLimit::edge, "How: an EdgeResult with a contact, or an undecided_pair.")
      .def_readonly("checks", &TrackingLimit::checks, "Segments checked, each as often as it was.")
      .def_property_readonly(
          "by_segment",
          [](const TrackingLimit& t) {
            return py::array_t<double>(static_cast<py::ssize_t>(t.by_segment.size()), t.by_segment.data());
          },
          "Array: what `proved` is of the whole, -1 for None; empty unless asked for.")
      .def("__getitem__", [](const TrackingLimit& t,
                             const py::object& index) { return py::object(old_tuple(t).attr("__getitem__")(index)); })
      .def("__iter__", [](const TrackingLimit& t) { return py::iter(old_tuple(t)); })
      .def("__repr__", [](const TrackingLimit& t) {
        return "<planner_ccd.TrackingLimit: " +
               (t.proved < 0.0 ? "not free" : "free with " + py::repr(py::float_(t.proved)).cast<std::string>()) + ">";
      });
}

void bind_check_trajectory(py::class_<Checker>& checker) {
  const auto options = py::arg("options") = static_cast<const PyTrajectoryOptions*>(nullptr);
  checker.def(
      "check_trajectory", &check, py::arg("trajectory"), options, py::kw_only(),
      py::arg("timeline") = static_cast<const PyTimeline*>(nullptr), py::arg("progress") = py::none(),
      "Check a Trajectory: where it hits, where joints leave their limits, and, if asked, how near things come: a\n"
      "TrajectoryResult.\n\n"
      "options: a TrajectoryOptions. timeline: what changes during the motion (a Timeline); the checker's scene is "
      "the\n"
      "world at its start. progress: called with how much is done and how much there is.\n\n"
      "    >>> report = checker.check_trajectory(planner_ccd.Trajectory(robot, path, times=range(6)))\n"
      "    >>> report.findings[0].kind, report.findings[0].segment\n"
      "    ('contact', 3)");
  checker.def(
      "max_tracking_error", &tracking_limit, py::arg("trajectory"), options, py::kw_only(),
      py::arg("most") = TrackingLimitOptions{}.most, py::arg("accuracy") = TrackingLimitOptions{}.accuracy,
      py::arg("each_segment") = false,
      "The greatest error of every joint, the same in radians and metres, with which a Trajectory is proved free: a\n"
      "TrackingLimit. options: a TrajectoryOptions, whose errors count as well. most: greater ones are not tried.\n"
      "accuracy: of the result, a share of it. each_segment: find that of every segment as well.\n\n"
      "    >>> trajectory = planner_ccd.Trajectory(robot, path[:4], times=range(4))\n"
      "    >>> 0.0 < checker.max_tracking_error(trajectory).proved < 0.5\n"
      "    True");
  checker.def(
      "deviation", &deviation_dict, py::arg("planned"), py::arg("executed"), py::arg("shift") = py::none(), options,
      "How far what the robot did was from what was planned, joint by joint, as a dict: both compared by the clock,\n"
      "curve against curve, over the time that they share. shift: seconds by which the plan's clock is ahead of the\n"
      "other; None: what fits best. The errors allowed are those of the options, a TrajectoryOptions; `within` says\n"
      "that all of the plan is covered and every joint stayed within its own, `left` when one first did not.\n\n"
      "    >>> planned = planner_ccd.Trajectory(robot, path[:2], times=[0, 1])\n"
      "    >>> ran = planner_ccd.Trajectory(robot, path[:2], times=[7, 8])\n"
      "    >>> round(checker.deviation(planned, ran)[\"shift\"], 3)\n"
      "    -7.0");
}

}  // namespace planner_ccd::python
