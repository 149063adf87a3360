#include "planner_ccd/python/trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "planner_ccd/io/files_read.hpp"
#include "planner_ccd/io/trajectory_file.hpp"

namespace planner_ccd::python {
namespace {

/// n x dof numbers.
py::array_t<double> rows_of(const Robot& robot, const py::object& argument, const std::string& what) {
  auto rows = numbers(argument, 2, what);
  if (rows.shape(1) == robot.model->dof()) return rows;
  throw InputError(what + ": each row must have " + std::to_string(robot.model->dof()) + " entries, not " +
                   std::to_string(rows.shape(1)));
}

JointVector row(const py::array_t<double>& rows, py::ssize_t i) {
  return Eigen::Map<const JointVector>(rows.data(i, 0), rows.shape(1));
}

/// Transposes: each row of the array becomes a column.
Eigen::MatrixXd columns(const py::array_t<double>& rows) {
  return Eigen::Map<const Eigen::MatrixXd>(rows.data(), rows.shape(1), rows.shape(0));
}

PyTrajectory make(const Robot& robot, const py::object& positions, const py::object& times,
                  const py::object& velocities, const py::object& accelerations) {
  const auto p = rows_of(robot, positions, "positions");
  const auto require = [&](py::ssize_t rows, const std::string& what) {
    if (rows == p.shape(0)) return;
    throw InputError(what + ": must be as many as positions, " + std::to_string(p.shape(0)) + ", not " +
                     std::to_string(rows));
  };
  if (times.is_none()) {
    if (!velocities.is_none() || !accelerations.is_none())
      throw InputError("velocities: have no meaning without times");
    JointPath path;
    for (py::ssize_t i = 0; i < p.shape(0); ++i) path.waypoints.push_back(row(p, i));
    return {robot, make_trajectory(*robot.model, path), {}, {}};
  }
  const JointVector t = vector_of(times, "times");
  require(t.size(), "times");
  std::vector<TrajectoryPoint> points(static_cast<std::size_t>(p.shape(0)));
  for (py::ssize_t i = 0; i < p.shape(0); ++i) {
    points[static_cast<std::size_t>(i)].time = t[i];
    points[static_cast<std::size_t>(i)].position = row(p, i);
  }
  const auto fill = [&](const py::object& argument, const char* what, JointVector TrajectoryPoint::*member) {
    if (argument.is_none()) return;
    const auto rows = rows_of(robot, argument, what);
    require(rows.shape(0), what);
    for (py::ssize_t i = 0; i < p.shape(0); ++i) points[static_cast<std::size_t>(i)].*member = row(rows, i);
  };
  fill(velocities, "velocities", &TrajectoryPoint::velocity);
  fill(accelerations, "accelerations", &TrajectoryPoint::acceleration);
  return {robot, make_trajectory(*robot.model, points), {}, {}};
}

PyTrajectory load(const Robot& robot, const py::object& files, const std::map<std::string, double>& delays,
                  const std::map<std::string, double>& hold, const std::string& angles) {
  TrajectoryFileOptions options;
  options.angles = angle_policy_of(angles);
  options.hold = hold;
  std::vector<TrajectorySource> sources;
  if (py::isinstance<py::dict>(files)) {
    for (const auto& [prefix, file] : files.cast<py::dict>()) {
      sources.push_back({path_of(py::reinterpret_borrow<py::object>(file)), prefix.cast<std::string>()});
    }
  } else {
    sources.push_back({path_of(files), ""});
  }
  for (const auto& [prefix, delay] : delays) {
    const auto found = std::find_if(sources.begin(), sources.end(),
                                    [&, &name = prefix](const TrajectorySource& s) { return s.prefix == name; });
    if (found == sources.end()) throw InputError("delays: there is no file for the prefix '" + prefix + "'");
    found->delay = delay;
  }
  std::vector<InputFile> inputs;
  const FilesRead noted(inputs, "path");
  Loaded<Trajectory> loaded = load_trajectories(sources, *robot.model, options);
  return {robot, std::move(loaded.value), std::move(loaded.warnings), std::move(loaded.assumptions), std::move(inputs)};
}

/// The trajectory of one robot as one of the whole model: moves the coordinates with the prefix; the others rest.
Trajectory spread(const RobotModel& whole, const std::string& prefix, const PyTrajectory& part, int number,
                  std::vector<int>& owner) {
  const std::vector<Coordinate>& own = part.robot.model->coordinates();
  std::vector<std::size_t> place;
  for (const Coordinate& c : own) {
    const int i = whole.find_coordinate(prefix + c.name);
    if (i < 0) throw InputError("merge: the robot has no joint '" + prefix + c.name + "'");
    place.push_back(static_cast<std::size_t>(i));
    if (owner[place.back()] >= 0) throw InputError("merge: '" + prefix + c.name + "' is moved by two trajectories");
    owner[place.back()] = number;
  }
  const JointVector rest = whole.neutral();
  Trajectory out;
  out.timed = part.trajectory.timed;
  if (const JointVector& start = part.trajectory.start; start.size() > 0) {
    out.start = rest;
    for (std::size_t i = 0; i < place.size(); ++i)
      out.start[static_cast<Eigen::Index>(place[i])] = start[static_cast<Eigen::Index>(i)];
  }
  for (const TrajectorySegment& segment : part.trajectory.segments) {
    TrajectorySegment& wide = out.segments.emplace_back();
    wide.t0 = segment.t0;
    wide.t1 = segment.t1;
    wide.value.resize(static_cast<std::size_t>(rest.size()));
    wide.error.assign(static_cast<std::size_t>(rest.size()), 0.0);
    for (std::size_t i = 0; i < wide.value.size(); ++i) wide.value[i].c[0] = rest[static_cast<Eigen::Index>(i)];
    for (std::size_t i = 0; i < place.size(); ++i) {
      wide.value[place[i]] = segment.value[i];
      wide.error[place[i]] = segment.error[i];
    }
  }
  return out;
}

PyTrajectory merged(const Robot& robot, const py::dict& parts) {
  std::vector<int> owner(robot.model->coordinates().size(), -1);
  std::vector<Trajectory> wide;
  PyTrajectory out{robot, {}, {}, {}};
  for (const auto& [prefix, part] : parts) {
    const auto& own = part.cast<const PyTrajectory&>();
    wide.push_back(spread(*robot.model, prefix.cast<std::string>(), own, static_cast<int>(wide.size()), owner));
    out.warnings.insert(out.warnings.end(), own.warnings.begin(), own.warnings.end());
    merge(out.assumptions, own.assumptions);
    out.inputs.insert(out.inputs.end(), own.inputs.begin(), own.inputs.end());
  }
  for (std::size_t i = 0; i < owner.size(); ++i) {
    if (owner[i] < 0) throw InputError("merge: no trajectory moves '" + robot.model->coordinates()[i].name + "'");
  }
  out.trajectory = merge(*robot.model, wide, owner);
  return out;
}

Trajectory delayed(Trajectory trajectory, double seconds) {
  if (!std::isfinite(seconds)) throw InputError("delayed: must be a number of seconds");
  if (!trajectory.timed) throw InputError("delayed: the trajectory has no times");
  for (TrajectorySegment& segment : trajectory.segments) {
    segment.t0 += seconds;
    segment.t1 += seconds;
  }
  return trajectory;
}

py::array_t<double> at(const PyTrajectory& t, const py::object& time) {
  const auto times = numbers(time, "time");
  if (times.ndim() > 1) throw InputError("time: must be a number, or have 1 dimension");
  const py::ssize_t count = times.size(), dof = t.robot.model->dof();
  py::array_t<double> out(times.ndim() == 0 ? std::vector<py::ssize_t>{dof} : std::vector<py::ssize_t>{count, dof});
  for (py::ssize_t i = 0; i < count; ++i) {
    if (!std::isfinite(times.data()[i])) throw InputError("time: holds a number that is not finite");
    Eigen::Map<JointVector>(out.mutable_data() + i * dof, dof) =
        configuration(*t.robot.model, t.trajectory, times.data()[i]);
  }
  return out;
}

JointVector knots(const PyTrajectory& t) {
  const auto& segments = t.trajectory.segments;
  JointVector out(static_cast<Eigen::Index>(segments.size()) + 1);
  out[0] = segments.front().t0;
  for (std::size_t i = 0; i < segments.size(); ++i) out[static_cast<Eigen::Index>(i) + 1] = segments[i].t1;
  return out;
}

}  // namespace

AnglePolicy angle_policy_of(const std::string& word) {
  if (word != "literal" && word != "wrap") throw InputError("angles: must be 'literal' or 'wrap'");
  return word == "wrap" ? AnglePolicy::Wrap : AnglePolicy::Literal;
}

namespace {

void bind_making(py::class_<PyTrajectory>& type) {
  const auto robot = py::arg("robot");
  type.def(py::init(&make), robot, py::arg("positions"), py::kw_only(), py::arg("times") = py::none(),
           py::arg("velocities") = py::none(), py::arg("accelerations") = py::none(),
           "Points that a controller is told to pass, in rows, and between them what the ROS "
           "joint_trajectory_controller\n"
           "does: lines; with velocities (rad/s, m/s) cubics; with accelerations (rad/s^2, m/s^2) quintics.\n"
           "times: in seconds, one a row; without them it is a path, and segment i takes from i to i + 1.")
      .def_static(
          "bezier",
          [](const Robot& r, const py::object& points, double begin, double end) {
            const auto rows = rows_of(r, points, "control_points");
            return PyTrajectory{r, bezier_trajectory(*r.model, columns(rows), begin, end), {}, {}};
          },
          robot, py::arg("control_points"), py::arg("begin"), py::arg("end"),
          "A Bezier curve, control points in rows, from `begin` to `end` in seconds.\n\n"
          "    >>> planner_ccd.Trajectory.bezier(robot, path[:4], 0, 2).duration\n"
          "    2.0")
      .def_static(
          "b_spline",
          [](const Robot& r, const py::object& points, const std::vector<double>& times, int degree) {
            const auto rows = rows_of(r, points, "control_points");
            return PyTrajectory{r, b_spline_trajectory(*r.model, columns(rows), times, degree), {}, {}};
          },
          robot, py::arg("control_points"), py::arg("knots"), py::arg("degree"),
          "A B-spline, control points in rows, knots in seconds: as many as control points, and degree + 1.\n\n"
          "    >>> planner_ccd.Trajectory.b_spline(robot, path[:4], [0, 0, 0, 1, 2, 2, 2], 2)\n"
          "    <planner_ccd.Trajectory of 'puma': 2 segments, 0 s to 2 s>");
}

void bind_splines(py::class_<PyTrajectory>& type) {
  const auto robot = py::arg("robot");
  type.def_static(
          "load", &load, robot, py::arg("file"), py::kw_only(), py::arg("delays") = py::dict(),
          py::arg("hold") = py::dict(), py::arg("angles") = "literal",
          "From a CSV, a ROS or MoveIt message in YAML or JSON, or a curve; for several robots files by the prefix of\n"
          "their joints. delays: seconds added to a file's times, by prefix. hold: values of joints that no file "
          "moves.\n"
          "angles: 'wrap' takes joints without limits the shorter way.\n\n"
          "    >>> planner_ccd.Trajectory.load(robot, root / 'models/paths/puma_fender.csv').timed\n"
          "    False")
      .def_static(
          "merge", &merged, robot, py::arg("parts"),
          "Trajectories of several robots on one clock. robot: what Robot.combine made of them. parts: by prefix.\n"
          "Before its start and after its end each stands still.\n\n"
          "    >>> both = planner_ccd.Robot.combine({'l_': robot, 'r_': robot})\n"
          "    >>> motion = planner_ccd.Trajectory(robot, path[:2], times=[0, 1])\n"
          "    >>> planner_ccd.Trajectory.merge(both, {'l_': motion, 'r_': motion.delayed(2)})\n"
          "    <planner_ccd.Trajectory of 'l_puma+r_puma': 3 segments, 0 s to 3 s>")
      .def(
          "delayed",
          [](const PyTrajectory& t, double seconds) {
            return PyTrajectory{t.robot, delayed(t.trajectory, seconds), t.warnings, t.assumptions, t.inputs};
          },
          py::arg("seconds"),
          "The same motion, later by so many seconds.\n\n"
          "    >>> planner_ccd.Trajectory(robot, path[:2], times=[0, 1]).delayed(3).begin\n"
          "    3.0")
      .def(
          "stretched",
          [](const PyTrajectory& t, double factor) {
            return PyTrajectory{t.robot, stretched(t.trajectory, factor), t.warnings, t.assumptions, t.inputs};
          },
          py::arg("factor"),
          "The same curve in `factor` times the time.\n\n"
          "    >>> planner_ccd.Trajectory(robot, path[:2], times=[0, 1]).stretched(2).duration\n"
          "    2.0")
      .def("at", &at, py::arg("time"),
           "The configuration at a time in seconds, or one a row at each of several; clamped to the ends.\n\n"
           "    >>> planner_ccd.Trajectory(robot, path[:2], times=[0, 1]).at([0, 0.5, 1]).shape\n"
           "    (3, 6)");
}

void bind_reading(py::class_<PyTrajectory>& type) {
  type.def_property_readonly(
          "robot", [](const PyTrajectory& t) { return t.robot; }, "A copy of its Robot.")
      .def_property_readonly(
          "begin", [](const PyTrajectory& t) { return t.trajectory.segments.front().t0; }, "In seconds.")
      .def_property_readonly(
          "end", [](const PyTrajectory& t) { return t.trajectory.segments.back().t1; }, "In seconds.")
      .def_property_readonly(
          "duration",
          [](const PyTrajectory& t) { return t.trajectory.segments.back().t1 - t.trajectory.segments.front().t0; },
          "In seconds.")
      .def_property_readonly("knots", &knots, "Where segments begin, and the end, in seconds.")
      .def_property_readonly(
          "timed", [](const PyTrajectory& t) { return t.trajectory.timed; },
          "False: made of a path without times; segment i takes from i to i + 1.")
      .def_readonly("warnings", &PyTrajectory::warnings, "What loading remarked.")
      .def("__len__", [](const PyTrajectory& t) { return t.trajectory.segments.size(); })
      .def("__repr__", [](const PyTrajectory& t) {
        std::ostringstream text;
        text << "<planner_ccd.Trajectory of '" << t.robot.model->name() << "': " << t.trajectory.segments.size()
             << " segments, " << t.trajectory.segments.front().t0 << " s to " << t.trajectory.segments.back().t1
             << " s>";
        return text.str();
      });
}

}  // namespace

void bind_trajectory(py::module_& module) {
  py::class_<PyTrajectory> type(module, "Trajectory",
                                "A motion of a robot in time, made of polynomials that are checked as they are.\n\n"
                                "    >>> motion = planner_ccd.Trajectory(robot, path, times=[0, 1, 2, 3, 4, 5])\n"
                                "    >>> motion\n"
                                "    <planner_ccd.Trajectory of 'puma': 5 segments, 0 s to 5 s>");
  type.attr("__module__") = "planner_ccd";
  bind_making(type);
  bind_splines(type);
  bind_reading(type);
  def_constant(type);
}

}  // namespace planner_ccd::python
