#include "planner_ccd/io/collision_rules.hpp"
#include "planner_ccd/io/files_read.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/python/bindings.hpp"
#include "planner_ccd/robot/mount.hpp"

namespace planner_ccd::python {
namespace {

UrdfOptions options_of(const std::map<std::string, py::object>& packages, const std::vector<py::object>& package_paths,
                       bool use_visual, const std::string& dae_up_axis) {
  UrdfOptions options;
  options.resources = resources_of(packages, package_paths, dae_up_axis);
  options.use_visual = use_visual;
  return options;
}

/// `read_srdf(model)` gives the rules, where there are any.
template <class ReadSrdf>
Robot make_robot(Loaded<RobotSpec> spec, bool has_srdf, const ReadSrdf& read_srdf) {
  Robot robot;
  robot.use(std::move(spec.value));
  robot.warnings = std::move(spec.warnings);
  robot.assumptions = std::move(spec.assumptions);
  if (has_srdf) {
    Loaded<Srdf> rules = read_srdf(*robot.model);
    robot.srdf = std::move(rules.value);
    robot.warnings.insert(robot.warnings.end(), rules.warnings.begin(), rules.warnings.end());
    merge(robot.assumptions, rules.assumptions);
  }
  robot.matrix = build_collision_matrix(*robot.model, robot.srdf);
  return robot;
}

Robot load(const py::object& urdf, const py::object& srdf, const std::map<std::string, py::object>& packages,
           const std::vector<py::object>& package_paths, bool use_visual, const std::string& dae_up_axis) {
  std::vector<InputFile> inputs;
  Loaded<RobotSpec> spec = [&] {
    const FilesRead noted(inputs, "robot");
    return load_urdf(path_of(urdf), options_of(packages, package_paths, use_visual, dae_up_axis));
  }();
  const FilesRead noted(inputs, "srdf");
  Robot robot = make_robot(std::move(spec), !srdf.is_none(),
                           [&](const RobotModel& model) { return load_srdf(path_of(srdf), model); });
  robot.inputs = std::move(inputs);
  return robot;
}

Robot parse(const std::string& urdf, const std::optional<std::string>& srdf, const py::object& folder,
            const std::map<std::string, py::object>& packages, const std::vector<py::object>& package_paths,
            bool use_visual, const std::string& dae_up_axis) {
  return make_robot(
      parse_urdf(urdf, "URDF", path_of(folder), options_of(packages, package_paths, use_visual, dae_up_axis)),
      srdf.has_value(), [&](const RobotModel& model) { return parse_srdf(*srdf, "SRDF", model); });
}

/// A robot that becomes part of another, its names with a prefix.
struct PrefixedRobot {
  std::string prefix;
  const Robot* robot;
};

/// What is known of the parts, for the robot that `spec` makes of them.
Robot join(RobotSpec spec, const std::vector<PrefixedRobot>& parts) {
  Robot all;
  std::vector<Srdf> rules;
  for (const auto& [prefix, robot] : parts) {
    rules.push_back(with_prefix(robot->srdf, prefix, *robot->model));
    all.warnings.insert(all.warnings.end(), robot->warnings.begin(), robot->warnings.end());
    merge(all.assumptions, robot->assumptions);
    all.inputs.insert(all.inputs.end(), robot->inputs.begin(), robot->inputs.end());
  }
  all.use(std::move(spec));
  all.srdf = combine(rules);
  all.matrix = build_collision_matrix(*all.model, all.srdf);
  for (const auto& [prefix, robot] : parts) {
    for (const auto& [pair, why] : robot->matrix.exclusions()) {
      if (why.reason != ExclusionReason::User) continue;
      all.matrix.exclude(prefix + pair.first, prefix + pair.second, why.reason, why.detail);
    }
  }
  return all;
}

Robot combine_robots(const py::dict& robots, const py::dict& bases) {
  if (robots.empty()) throw InputError("combine: there is no robot");
  std::vector<PlacedRobot> placed;
  std::vector<PrefixedRobot> parts;
  for (const auto& [key, value] : robots) {
    const auto prefix = key.cast<std::string>();
    const auto& robot = value.cast<const Robot&>();
    const py::object base = bases.contains(key) ? py::object(bases[key]) : py::object(py::none());
    placed.push_back(
        {*robot.spec, prefix, rigid(pose_of(base, "base of '" + prefix + "'"), "base of '" + prefix + "'")});
    parts.push_back({prefix, &robot});
  }
  for (const auto& entry : bases) {
    if (robots.contains(entry.first)) continue;
    throw InputError("combine: there is no robot '" + entry.first.cast<std::string>() + "' for that base");
  }
  return join(combine(placed), parts);
}

Robot mount_tool(const Robot& robot, const Robot& tool, const std::string& link, const py::object& pose,
                 const std::string& prefix) {
  return join(mount(*robot.spec, {*tool.spec, prefix, link, rigid(pose_of(pose, "pose"), "pose")}),
              {{"", &robot}, {prefix, &tool}});
}

}  // namespace

DaeUpAxis dae_up_axis_of(const std::string& word) {
  if (word != "ignore" && word != "honour") throw InputError("dae_up_axis: must be 'ignore' or 'honour'");
  return word == "honour" ? DaeUpAxis::Honour : DaeUpAxis::Ignore;
}

ResourceOptions resources_of(const std::map<std::string, py::object>& packages,
                             const std::vector<py::object>& package_paths, const std::string& dae_up_axis) {
  ResourceOptions options;
  options.dae_up_axis = dae_up_axis_of(dae_up_axis);
  for (const auto& [name, folder] : packages) options.packages[name] = path_of(folder);
  for (const py::object& folder : package_paths) options.package_paths.push_back(path_of(folder));
  return options;
}

void bind_robot_loading(py::class_<Robot>& robot) {
  const auto packages = py::arg("packages") = py::dict();
  const auto package_paths = py::arg("package_paths") = py::list();
  const auto use_visual = py::arg("use_visual") = false;
  const auto dae_up_axis = py::arg("dae_up_axis") = "ignore";
  robot
      .def(py::init(&load), py::arg("urdf"), py::arg("srdf") = py::none(), py::kw_only(), packages, package_paths,
           use_visual, dae_up_axis,
           "Load a URDF and, for the pairs that need no checking, its SRDF.\n\n"
           "packages: where package://NAME/ is, by name. package_paths: folders in which packages lie by name.\n"
           "use_visual: links without collision geometry take their visual geometry.\n"
           "dae_up_axis: 'ignore' that of DAE files, as RViz does, or 'honour' it.\n"
           "Raises InputError for anything that would make a verdict meaningless.")
      .def_static("from_string", &parse, py::arg("urdf"), py::arg("srdf") = py::none(), py::kw_only(),
                  py::arg("folder") = ".", packages, package_paths, use_visual, dae_up_axis,
                  "The same from the texts themselves. folder: where relative mesh files lie.\n\n"
                  "    >>> planner_ccd.Robot.from_string('<robot name=\"post\"><link name=\"post\"/></robot>')\n"
                  "    <planner_ccd.Robot 'post': 1 links, 0 coordinates>")
      .def_static(
          "combine", &combine_robots, py::arg("robots"), py::arg("bases") = py::dict(),
          "Several robots as one, in one world. robots: by the prefix that the names of their links, joints,\n"
          "groups get. bases: 4 x 4 poses of their roots, by prefix; those not given stand at the origin.\n"
          "Rules and exclusions stay those of each robot; every link of one is checked against all of the others.\n\n"
          "    >>> aside = np.eye(4)\n"
          "    >>> aside[0, 3] = 2\n"
          "    >>> planner_ccd.Robot.combine({'l_': robot, 'r_': robot}, {'r_': aside})\n"
          "    <planner_ccd.Robot 'l_puma+r_puma': 17 links, 12 coordinates>")
      .def("mount", &mount_tool, py::arg("tool"), py::arg("link"), py::arg("pose") = py::none(), py::kw_only(),
           py::arg("prefix") = "",
           "The robot with a tool fixed on a link: one robot, as one URDF with a fixed joint would have it.\n\n"
           "pose: 4 x 4, of the tool's root in the link's frame. prefix: put before the names of the tool's links,\n"
           "joints and groups. Rules and exclusions are those of robot and tool.\n\n"
           "    >>> tool = planner_ccd.Robot.from_string('<robot name=\"pen\"><link name=\"tip\"/></robot>')\n"
           "    >>> robot.mount(tool, 'gripper', prefix='pen_').links[-1]\n"
           "    'pen_tip'");
}

}  // namespace planner_ccd::python
