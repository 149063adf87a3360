#include "planner_ccd/io/path_file.hpp"
#include "planner_ccd/python/content.hpp"
#include "planner_ccd/python/report.hpp"

namespace planner_ccd::python {
namespace {

std::vector<std::string> coordinate_names(const Robot& robot) {
  std::vector<std::string> names;
  for (const Coordinate& c : robot.model->coordinates()) names.push_back(c.name);
  return names;
}

JointVector limits(const Robot& robot, bool lower) {
  JointVector values(robot.model->dof());
  for (int i = 0; i < values.size(); ++i) {
    const Coordinate& c = robot.model->coordinates()[static_cast<std::size_t>(i)];
    values[i] = lower ? c.lower : c.upper;
  }
  return values;
}

py::list exclusions(const Robot& robot) {
  py::list out;
  for (const auto& [pair, exclusion] : robot.matrix.exclusions()) {
    out.append(py::make_tuple(pair.first, pair.second, to_string(exclusion.reason)));
  }
  return out;
}

void exclude(Robot& robot, const std::string& a, const std::string& b) {
  for (const std::string& link : {a, b}) {
    if (robot.model->find_link(link) < 0) throw InputError("exclude: the robot has no link '" + link + "'");
  }
  robot.matrix.exclude(a, b, ExclusionReason::User, "excluded in Python");
}

/// What the command tells of robots in files, without the keys that name these.
py::object inspect(const Robot& robot, std::int64_t cell_evaluations) {
  std::string text;
  {
    const py::gil_scoped_release release;
    text = inspection_of(robot, cell_evaluations);
  }
  py::object inspected = py::module_::import("json").attr("loads")(text);
  for (const char* key : {"file", "robots"}) inspected.attr("pop")(key);
  return inspected;
}

Eigen::MatrixXd load_waypoints(const Robot& robot, const py::object& file) {
  const auto waypoints = load_path(path_of(file), *robot.model).value.waypoints;
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(waypoints.size()), robot.model->dof());
  for (std::size_t i = 0; i < waypoints.size(); ++i) rows.row(static_cast<Eigen::Index>(i)) = waypoints[i];
  return rows;
}

void save_waypoints(const Robot& robot, const py::object& file, const py::object& waypoints) {
  const auto rows = numbers(waypoints, 2, "waypoints");
  if (rows.shape(1) != robot.model->dof()) {
    throw InputError("waypoints: each must have " + std::to_string(robot.model->dof()) + " entries, not " +
                     std::to_string(rows.shape(1)));
  }
  JointPath path;
  for (py::ssize_t i = 0; i < rows.shape(0); ++i) {
    path.waypoints.push_back(Eigen::Map<const JointVector>(rows.data(i, 0), rows.shape(1)));
  }
  save_path(path_of(file), path, *robot.model);
}

void bind_properties(py::class_<Robot>& robot) {
  robot
      .def_property_readonly(
          "name", [](const Robot& r) { return r.model->name(); }, "As its URDF gives it.")
      .def_property_readonly(
          "dof", [](const Robot& r) { return r.model->dof(); }, "Entries of a configuration.")
      .def_property_readonly("joints", &coordinate_names, "Names of the entries of a configuration, in order.")
      .def_property_readonly(
          "links",
          [](const Robot& r) {
            std::vector<std::string> names;
            for (const Link& link : r.model->links()) names.push_back(link.name);
            return names;
          },
          "Names of the links.")
      .def_property_readonly(
          "lower", [](const Robot& r) { return limits(r, true); },
          "Lower limits of a configuration, rad or m; -inf where there is none.")
      .def_property_readonly(
          "upper", [](const Robot& r) { return limits(r, false); },
          "Upper limits of a configuration, rad or m; inf where there is none.")
      .def_property_readonly("excluded", &exclusions, "Pairs of links that are not checked: (a, b, reason).")
      .def_property_readonly(
          "warnings", [](const Robot& r) { return r.warnings; }, "What loading remarked.");
}

void bind_methods(py::class_<Robot>& robot) {
  robot
      .def(
          "neutral", [](const Robot& r) { return r.model->neutral(); },
          "Every entry 0 where the limits allow it, else the middle of them.\n\n"
          "    >>> robot.neutral().shape\n"
          "    (6,)")
      .def(
          "state",
          [](const Robot& r, const std::string& group, const std::string& name) {
            return apply_group_state(r.srdf, group, name, *r.model, r.model->neutral());
          },
          py::arg("group"), py::arg("name"),
          "A named state of the SRDF; joints it does not name are neutral.\n\n"
          "    >>> rules = '<robot name=\"puma\"><group_state name=\"up\" group=\"arm\"><joint name=\"joint2\" "
          "value=\"1\"/></group_state></robot>'\n"
          "    >>> planner_ccd.Robot.from_string((root / 'urdf/puma.urdf').read_text(), rules, folder=root / "
          "'urdf').state('arm', 'up')[1]\n"
          "    1.0")
      .def("inspect", &inspect, py::kw_only(), py::arg("cell_evaluations") = CheckerOptions{}.cell_evaluations,
           "What the model is made of, as a dict: links with their shapes and triangles, joints with limits (rad, m, "
           "per\n"
           "second), bodies, pairs that are checked, pairs that are not and why, assumptions. The keys are those of\n"
           "`planner_ccd inspect --json`. cell_evaluations: spent on proofs that pairs are apart for all joint "
           "values.\n\n"
           "    >>> model = robot.inspect()\n"
           "    >>> model['links'][1]['name'], model['links'][1]['triangles']\n"
           "    ('shoulder', 228)\n"
           "    >>> model['joints'][0]['type'], model['joints'][0]['upper']\n"
           "    ('revolute', 2.792527)")
      .def("exclude", &exclude, py::arg("a"), py::arg("b"),
           "Leave a pair of links out of checking.\n\n"
           "    >>> import copy\n"
           "    >>> other = copy.copy(robot)\n"
           "    >>> other.exclude('forearm', 'gripper')")
      .def("load_path", &load_waypoints, py::arg("file"),
           "The waypoints of a path CSV, one a row.\n\n"
           "    >>> robot.load_path(root / 'models/paths/puma_fender.csv').shape\n"
           "    (6, 6)")
      .def("save_path", &save_waypoints, py::arg("file"), py::arg("waypoints"),
           "Write waypoints, one a row, as a path CSV.\n\n"
           "    >>> robot.save_path('path.csv', path)")
      .def("__repr__", [](const Robot& r) {
        return "<planner_ccd.Robot '" + r.model->name() + "': " + std::to_string(r.model->links().size()) + " links, " +
               std::to_string(r.model->dof()) + " coordinates>";
      });
}

}  // namespace

void bind_robot(py::module_& module) {
  py::class_<Robot> robot(module, "Robot", "A robot from a URDF: links with their collision geometry, joints, rules.");
  robot.attr("__module__") = "planner_ccd";
  bind_robot_loading(robot);
  bind_kinematics(robot);
  def_content(robot);
  def_digest(robot);
  bind_properties(robot);
  bind_methods(robot);
}

}  // namespace planner_ccd::python
