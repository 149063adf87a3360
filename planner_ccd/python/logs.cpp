#include <cmath>
#include <limits>
#include <sstream>

#include "planner_ccd/io/files_read.hpp"
#include "planner_ccd/io/log.hpp"
#include "planner_ccd/python/records.hpp"
#include "planner_ccd/python/trajectory.hpp"

namespace planner_ccd::python {
namespace {

/// `planner_ccd.Log`.
struct PyLog {
  std::string file;
  Loaded<LogSummary> summary;
};

/// `planner_ccd.LogMotion`: with the robot, whose model must outlive the motion.
struct PyLogMotion {
  Robot robot;
  Loaded<LogMotion> motion;
  std::vector<InputFile> inputs;

  PyTrajectory part(std::size_t i) const {
    return {robot, motion.value.part(i), motion.warnings, motion.assumptions, inputs};
  }
};

py::array topics_of(const PyLog& log) {
  std::size_t longest = 1;
  for (const LogTopic& t : log.summary.value.topics) longest = std::max({longest, t.name.size(), t.type.size()});
  Records out(
      {{"name", text_type(longest)}, {"type", text_type(longest)}, {"messages", "<i8"}, {"can_be_checked", "?"}},
      log.summary.value.topics.size());
  for (const LogTopic& t : log.summary.value.topics) {
    out.put(t.name, longest);
    out.put(t.type, longest);
    out.put(t.messages);
    out.put(t.can_be_checked);
  }
  return out.array();
}

PyLogMotion motion_of(const PyLog& log, const Robot& robot, const std::string& topic, double max_gap,
                      std::optional<double> begin, std::optional<double> end, const std::string& prefix,
                      const std::map<std::string, double>& hold, const std::string& angles) {
  LogOptions options;
  options.topic = topic;
  options.max_gap = max_gap;
  options.from = begin.value_or(options.from);
  options.to = end.value_or(options.to);
  options.prefix = prefix;
  options.hold = hold;
  options.angles = angle_policy_of(angles);
  const py::gil_scoped_release release;
  std::vector<InputFile> inputs;
  const FilesRead noted(inputs, "path");
  Loaded<LogMotion> motion = load_log(log.file, *robot.model, options);
  return {robot, std::move(motion), std::move(inputs)};
}

void bind_motion(py::module_& module) {
  py::class_<PyLogMotion> type(
      module, "LogMotion",
      "The motion of a robot by a topic of a log: a sequence of Trajectory, read as they are asked for.\n"
      "Of JointState samples each begins where the one before ends; between planned motions\n"
      "nothing is known.");
  type.attr("__module__") = "planner_ccd";
  type.def("__len__", [](const PyLogMotion& m) { return m.motion.value.parts(); })
      .def(
          "__getitem__",
          [](const PyLogMotion& m, py::ssize_t i) {
            const auto size = static_cast<py::ssize_t>(m.motion.value.parts());
            if (i < -size || i >= size) throw py::index_error("there are " + std::to_string(size) + " parts");
            return m.part(static_cast<std::size_t>(i < 0 ? i + size : i));
          },
          py::arg("index"), "A part, on the clock of the log: a Trajectory.")
      .def("__iter__", &iterator_of)
      .def_property_readonly(
          "gaps", [](const PyLogMotion& m) { return m.motion.value.gaps(); },
          "A list of Finding: where a joint was without a sample for longer than max_gap.")
      .def_property_readonly(
          "segments", [](const PyLogMotion& m) { return m.motion.value.segments(); }, "Segments of all parts.")
      .def_property_readonly(
          "messages", [](const PyLogMotion& m) { return m.motion.value.messages(); }, "Messages that were used.")
      .def_property_readonly(
          "topic", [](const PyLogMotion& m) { return m.motion.value.topic(); }, "Its name.")
      .def_property_readonly(
          "type", [](const PyLogMotion& m) { return m.motion.value.type(); }, "Of the messages.")
      .def_property_readonly(
          "begin_ns", [](const PyLogMotion& m) { return m.motion.value.begin_ns(); },
          "Where the clock is 0: nanoseconds since 1970.")
      .def_property_readonly(
          "sampled", [](const PyLogMotion& m) { return m.motion.value.sampled(); },
          "True: what the robot did, by samples; False: what it was told to do.")
      .def_property_readonly(
          "warnings", [](const PyLogMotion& m) { return m.motion.warnings; }, "What reading remarked.")
      .def("__repr__", [](const PyLogMotion& m) {
        return "<planner_ccd.LogMotion of '" + m.robot.model->name() + "': " + m.motion.value.topic() + ", " +
               std::to_string(m.motion.value.parts()) + " parts, " + std::to_string(m.motion.value.segments()) +
               " segments>";
      });
}

}  // namespace

void bind_logs(py::module_& module) {
  py::class_<PyLog> type(module, "Log", "A log of ROS: MCAP, a bag of ROS 1, or what ROS 2 recorded.");
  type.attr("__module__") = "planner_ccd";
  type.def(py::init([](const py::object& file) {
             const std::string path = path_of(file);
             const py::gil_scoped_release release;
             return PyLog{path, inspect_log(path)};
           }),
           py::arg("file"), "Read all of it once, for what is in it.")
      .def("motion", &motion_of, py::arg("robot"), py::kw_only(), py::arg("topic") = "",
           py::arg("max_gap") = LogOptions{}.max_gap, py::arg("begin") = py::none(), py::arg("end") = py::none(),
           py::arg("prefix") = "", py::arg("hold") = py::dict(), py::arg("angles") = "literal",
           "The motion of a robot by a topic: a LogMotion. topic: '' for the only one that can be checked.\n"
           "max_gap: seconds that a joint may be without a sample. begin, end: seconds on the log's clock. prefix: "
           "what\n"
           "stands before the log's joint names in this robot. hold: values of joints that the topic does not move.\n"
           "angles: 'wrap' takes joints without limits the shorter way.\n\n"
           "    >>> log = planner_ccd.Log(root / 'tests/io/logs/states_none.mcap')\n"
           "    >>> two = planner_ccd.Robot.from_string('<robot name=\"two\"><link name=\"u\"/><link name=\"v\"/><link "
           "name=\"w\"/>'\n"
           "    ...     '<joint name=\"a\" type=\"continuous\"><parent link=\"u\"/><child link=\"v\"/></joint>'\n"
           "    ...     '<joint name=\"b\" type=\"continuous\"><parent link=\"v\"/><child "
           "link=\"w\"/></joint></robot>')\n"
           "    >>> log.motion(two, topic='/joint_states')\n"
           "    <planner_ccd.LogMotion of 'two': /joint_states, 1 parts, 59 segments>")
      .def_property_readonly(
          "format", [](const PyLog& log) { return log.summary.value.format; },
          "'MCAP', 'rosbag2 (sqlite3)' or 'ROS 1 bag'.")
      .def_property_readonly("topics", &topics_of,
                             "Structured array: `name`, `type`, `messages`, `can_be_checked`, a row a topic.")
      .def_property_readonly(
          "begin_ns", [](const PyLog& log) { return log.summary.value.begin_ns; },
          "The first message: nanoseconds since 1970.")
      .def_property_readonly(
          "end_ns", [](const PyLog& log) { return log.summary.value.end_ns; },
          "The last message: nanoseconds since 1970.")
      .def_property_readonly(
          "warnings", [](const PyLog& log) { return log.summary.warnings; }, "What reading remarked.")
      .def("__repr__", [](const PyLog& log) {
        std::ostringstream text;
        text << "<planner_ccd.Log: " << log.summary.value.format << ", " << log.summary.value.topics.size()
             << " topics, " << static_cast<double>(log.summary.value.end_ns - log.summary.value.begin_ns) * 1e-9
             << " s>";
        return text.str();
      });
  bind_motion(module);
}

}  // namespace planner_ccd::python
