#include "planner_ccd/python/options.hpp"

namespace planner_ccd::python {
namespace {

double number_of(const py::handle& argument, const std::string& what) {
  try {
    return argument.cast<double>();
  } catch (const py::cast_error&) {
    throw InputError(what + ": must be a number");
  }
}

double error_of(const py::handle& argument, const std::string& what) {
  const double error = number_of(argument, what);
  if (!(error >= 0.0 && error <= kMostError)) {
    throw InputError(what + ": must be a number from 0 to 1000, in radians or metres");
  }
  return error;
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

/// One for all, or a dict by name.
template <class T, class Read>
std::variant<T, std::map<std::string, T>> read_errors(const py::object& argument, const std::string& what,
                                                      const Read& read) {
  if (!py::isinstance<py::dict>(argument)) return read(argument, what);
  std::map<std::string, T> out;
  for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(argument)) {
    const auto name = py::cast<std::string>(key);
    out.emplace(name, read(value, what + " of '" + name + "'"));
  }
  return out;
}

JointVector by_joint(const std::map<std::string, double>& errors, const RobotModel& robot) {
  JointVector out = JointVector::Zero(robot.dof());
  for (const auto& [name, error] : errors) {
    bool found = false;
    for (int i = 0; i < robot.dof(); ++i) {
      const Coordinate& c = robot.coordinates()[static_cast<std::size_t>(i)];
      if (name != c.name && name != robot.joints()[static_cast<std::size_t>(c.joint)].name) continue;
      out[i] = error;
      found = true;
    }
    if (!found) throw InputError("tracking_error: the robot has no joint '" + name + "' of its own");
  }
  return out;
}

}  // namespace

GivenErrors::GivenErrors(const py::object& tracking_error, const py::object& base_error) {
  if (!tracking_error.is_none()) tracking = read_errors<double>(tracking_error, "tracking_error", error_of);
  if (!base_error.is_none()) base = read_errors<PoseError>(base_error, "base_error", pose_error_of);
}

MotionErrors GivenErrors::of(const RobotModel& robot) const {
  MotionErrors out;
  if (tracking) {
    const auto* every = std::get_if<double>(&*tracking);
    out.tracking = every ? JointVector(JointVector::Constant(robot.dof(), *every))
                         : by_joint(std::get<std::map<std::string, double>>(*tracking), robot);
  }
  if (base) {
    if (const auto* every = std::get_if<PoseError>(&*base)) {
      for (const std::string& link : base_links(robot)) out.links.push_back({link, *every});
    } else {
      for (const auto& [link, error] : std::get<std::map<std::string, PoseError>>(*base)) {
        out.links.push_back({link, error});
      }
    }
  }
  return out;
}

py::object GivenErrors::tracking_as_given() const { return py::cast(tracking); }

py::object GivenErrors::base_as_given() const {
  if (!base) return py::none();
  const auto pair = [](const PoseError& e) { return py::make_tuple(e.position, e.angle); };
  if (const auto* every = std::get_if<PoseError>(&*base)) return pair(*every);
  py::dict out;
  for (const auto& [link, error] : std::get<std::map<std::string, PoseError>>(*base)) out[py::str(link)] = pair(error);
  return out;
}

}  // namespace planner_ccd::python
