#include "planner_ccd/motion/edge_motion.hpp"
#include "planner_ccd/python/checker.hpp"

namespace planner_ccd::python {
namespace {

double number_of(const py::handle& argument, const std::string& what) {
  try {
    return argument.cast<double>();
  } catch (const py::cast_error&) {
    throw InputError(what + ": must be a number");
  }
}

/// A length, or a length and an angle.
PoseError pose_error_of(const py::handle& argument, const std::string& what) {
  PoseError out;
  if (py::isinstance<py::sequence>(argument) && !py::isinstance<py::str>(argument)) {
    const auto both = py::reinterpret_borrow<py::sequence>(argument);
    if (both.size() != 2) throw InputError(what + ": must be metres, or metres and radians");
    out.position = number_of(both[0], what);
    out.angle = number_of(both[1], what);
  } else {
    out.position = number_of(argument, what);
  }
  validate(out, what);
  return out;
}

JointVector tracking_of(const py::object& argument, const RobotModel& robot) {
  if (!py::isinstance<py::dict>(argument)) {
    return JointVector::Constant(robot.dof(), number_of(argument, "tracking_error"));
  }
  JointVector out = JointVector::Zero(robot.dof());
  for (const auto& [key, value] : argument.cast<py::dict>()) {
    const auto name = key.cast<std::string>();
    bool found = false;
    for (int i = 0; i < robot.dof(); ++i) {
      const Coordinate& c = robot.coordinates()[static_cast<std::size_t>(i)];
      if (name != c.name && name != robot.joints()[static_cast<std::size_t>(c.joint)].name) continue;
      out[i] = number_of(value, "tracking_error of '" + name + "'");
      found = true;
    }
    if (!found) throw InputError("tracking_error: the robot has no joint '" + name + "' of its own");
  }
  return out;
}

}  // namespace

MotionErrors errors_of(const py::object& tracking, const py::object& base, const RobotModel& robot) {
  MotionErrors out;
  if (!tracking.is_none()) out.tracking = tracking_of(tracking, robot);
  if (py::isinstance<py::dict>(base)) {
    for (const auto& [key, value] : base.cast<py::dict>()) {
      const auto link = key.cast<std::string>();
      out.links.push_back({link, pose_error_of(value, "base_error of '" + link + "'")});
    }
  } else if (!base.is_none()) {
    const PoseError error = pose_error_of(base, "base_error");
    for (const std::string& link : base_links(robot)) out.links.push_back({link, error});
  }
  EdgeMotion(robot).set_errors(out);  // throws for what no query would take
  return out;
}

}  // namespace planner_ccd::python
