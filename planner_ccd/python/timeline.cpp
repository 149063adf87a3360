#include "planner_ccd/python/timeline.hpp"

#include <filesystem>

#include "planner_ccd/io/files_read.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/python/trajectory.hpp"

namespace planner_ccd::python {
namespace {

/// Lists of dictionaries as in the file; arrays are taken as lists.
PyTimeline make(const py::object& events, const py::object& moving) {
  py::dict content;
  if (!events.is_none()) content["events"] = events;
  if (!moving.is_none()) content["moving"] = moving;
  const py::cpp_function as_list([](const py::object& value) { return value.attr("tolist")(); });
  const py::object text = py::module_::import("json").attr("dumps")(content, py::arg("default") = as_list);
  return {text.cast<std::string>(), "timeline", "."};
}

PyTimeline load(const py::object& file) {
  const std::string path = path_of(file);
  return {read_file(path, kMaxDescriptionBytes), path, std::filesystem::path(path).parent_path().string()};
}

Robot with_frames(const PyTimeline& timeline, const Robot& robot) {
  Robot out = robot;
  if (!timeline.file.moving.empty() || !timeline.file.robots.empty()) out.use(with_moving(*robot.spec, timeline.file));
  return out;
}

PyTrajectory motion(const PyTimeline& timeline, const Robot& robot, const std::map<std::string, double>& hold,
                    const std::string& angles) {
  if (timeline.file.motion.empty()) throw InputError("timeline: names no files of a motion");
  TrajectoryFileOptions options;
  options.angles = angle_policy_of(angles);
  options.hold = hold;
  std::vector<InputFile> inputs;
  const FilesRead noted(inputs, "path");
  const Loaded<std::vector<RobotMotion>> others = load_robot_motions(timeline.file.robots, *robot.model, options);
  options.elsewhere = moved_coordinates(*robot.model, others.value);
  Loaded<Trajectory> loaded = load_motion_parts(timeline.file.motion, *robot.model, options);
  return {robot, std::move(loaded.value), std::move(loaded.warnings), std::move(loaded.assumptions), std::move(inputs)};
}

void bind_sources(py::class_<PyTimeline>& type) {
  type.def(py::init(&make), py::arg("events") = py::none(), py::arg("moving") = py::none(),
           "events, moving: lists of dictionaries with the keys of a timeline file (planner_ccd help timeline).")
      .def_static("load", &load, py::arg("file"),
                  "From a timeline file.\n\n"
                  "    >>> open('pick.yaml', 'w').write('events: [{time: 1, attach: cup, to: gripper}]')\n"
                  "    45\n"
                  "    >>> len(planner_ccd.Timeline.load('pick.yaml'))\n"
                  "    1")
      .def_static(
          "from_string",
          [](const std::string& text, const py::object& folder) {
            return PyTimeline(text, "timeline", path_of(folder));
          },
          py::arg("text"), py::kw_only(), py::arg("folder") = ".",
          "The same from the text itself. folder: where relative files lie.\n\n"
          "    >>> planner_ccd.Timeline.from_string('events: [{time: 1, attach: cup, to: gripper}]')\n"
          "    <planner_ccd.Timeline: 1 event>");
}

/// What checks are made of.
void bind_uses(py::class_<PyTimeline>& type) {
  type.def("robot", &with_frames, py::arg("robot"),
           "The robot with a frame, a link without geometry, for each thing that moves by itself: what a checker is\n"
           "made of. Such a checker answers for motions with times (check_trajectory with this timeline): to\n"
           "check_edges, in_contact and all others that are asked of configurations what moves would stand still, and\n"
           "they raise InputError. Plan with the robot itself, and what moves in the scene where it is to be "
           "avoided.\n\n"
           "    >>> frames = [{'name': 'belt', 'poses': [{'time': 0, 'pose': {}}, {'time': 9, 'pose': {'xyz': [1, 0, "
           "0]}}]}]\n"
           "    >>> planner_ccd.Timeline(moving=frames).robot(robot)\n"
           "    <planner_ccd.Robot 'puma': 10 links, 13 coordinates>")
      .def("motion", &motion, py::arg("robot"), py::kw_only(), py::arg("hold") = py::dict(),
           py::arg("angles") = "literal",
           "The Trajectory of the files that the timeline names, one after the other, for all joints but those of "
           "robots\n"
           "that move by themselves. robot: without the frames. hold, angles: as Trajectory.load has them.\n\n"
           "    >>> timeline = planner_ccd.Timeline.from_string('motion: [{path: models/paths/puma_window.csv}]', "
           "folder=root)\n"
           "    >>> len(timeline.motion(robot))\n"
           "    14");
}

void bind_properties(py::class_<PyTimeline>& type) {
  type.def_property_readonly(
          "frames",
          [](const PyTimeline& t) {
            std::vector<std::string> names;
            for (const MovingFrame& frame : t.file.moving) names.push_back(frame.name);
            return names;
          },
          "Names of the frames that move by themselves.")
      .def_property_readonly(
          "robots",
          [](const PyTimeline& t) {
            std::vector<std::string> prefixes;
            for (const TimelineFile::Robot& r : t.file.robots) prefixes.push_back(r.prefix);
            return prefixes;
          },
          "Prefixes of the robots that move by themselves, by their own log or trajectory. In the motion of the rest "
          "their\n"
          "joints stand still, anywhere.\n\n"
          "    >>> planner_ccd.Timeline(moving=[{'robot': 'right_', 'path': 'shift.mcap', 'starts': -20}]).robots\n"
          "    ['right_']")
      .def("__len__", [](const PyTimeline& t) { return t.file.events.size(); })
      .def("__repr__", [](const PyTimeline& t) {
        const auto count = [](std::size_t n, const std::string& word) {
          return std::to_string(n) + " " + word + (n == 1 ? "" : "s");
        };
        std::string text = "<planner_ccd.Timeline: " + count(t.file.events.size(), "event");
        if (!t.file.moving.empty()) text += ", " + count(t.file.moving.size(), "moving frame");
        if (!t.file.robots.empty()) text += ", " + count(t.file.robots.size(), "moving robot");
        return text + ">";
      });
}

}  // namespace

void bind_timeline(py::module_& module) {
  py::class_<PyTimeline> type(
      module, "Timeline",
      "What changes while a robot moves: what it picks up and puts down, what may touch for a while, what moves by\n"
      "itself. For PathChecker.check_trajectory.\n\n"
      "    >>> planner_ccd.Timeline([{'waypoint': 1, 'attach': 'cup', 'to': 'gripper'}, {'waypoint': 3, 'detach': "
      "'cup'}])\n"
      "    <planner_ccd.Timeline: 2 events>");
  type.attr("__module__") = "planner_ccd";
  bind_sources(type);
  bind_uses(type);
  bind_properties(type);
  def_constant(type);
}

}  // namespace planner_ccd::python
