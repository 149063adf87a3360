#pragma once

#include <initializer_list>
#include <optional>
#include <variant>

#include "planner_ccd/python/content.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "planner_ccd/validation/check_trajectory.hpp"

namespace planner_ccd::python {

/// MotionErrors before it is known of which robot.
struct GivenErrors {
  using Tracking = std::variant<double, std::map<std::string, double>>;
  using Base = std::variant<PoseError, std::map<std::string, PoseError>>;

  std::optional<Tracking> tracking;  ///< [rad or m] Of every joint, or by joint.
  std::optional<Base> base;          ///< Of every base, or by link.

  GivenErrors() = default;
  /// From the arguments tracking_error and base_error. Throws InputError for what no robot can have.
  GivenErrors(const py::object& tracking_error, const py::object& base_error);

  bool any() const { return tracking || base; }
  /// Throws InputError for joints and links that the robot does not have.
  MotionErrors of(const RobotModel& robot) const;
  py::object tracking_as_given() const;
  py::object base_as_given() const;
};

inline const EdgeOptions kDefaults;

/// `planner_ccd.EdgeOptions`.
struct PyEdgeOptions {
  double tolerance = kDefaults.tolerance;
  std::int64_t max_evaluations = kDefaults.max_evaluations;
  std::string angles = "literal", method = "taylor", leaf = "inclusion";
  GivenErrors errors;

  /// For a robot; throws InputError.
  EdgeOptions of(const RobotModel& robot) const;
};

/// `planner_ccd.MotionLimits`.
struct PyMotionLimits {
  MotionLimits limits;
  std::vector<InputWarning> warnings;
  std::vector<InputFile> inputs = {};
};

/// `planner_ccd.TrajectoryOptions`.
struct PyTrajectoryOptions {
  PyEdgeOptions edge;
  std::optional<PyMotionLimits> limits;
  TrajectoryOptions rest;  ///< All but `edge` and `limits`.
};

template <class A>
void describe(A& a, Of<A, GivenErrors>& v) {
  a(v.tracking, v.base);
}
template <class A>
void describe(A& a, Of<A, PyEdgeOptions>& v) {
  a(v.tolerance, v.max_evaluations, v.angles, v.method, v.leaf, v.errors);
}
template <class A>
void describe(A& a, Of<A, PyMotionLimits>& v) {
  a(v.limits.velocity, v.limits.acceleration, v.limits.lower, v.limits.upper, v.limits.jerk, v.warnings, v.inputs);
}
template <class A>
void describe(A& a, Of<A, PyTrajectoryOptions>& v) {
  auto& r = v.rest;
  a(v.edge, v.limits, r.tracking_delay, r.segment_errors, r.all_contacts, r.contact_resolution, r.check_limits,
    r.clearance_accuracy, r.clearance_pairs, r.clearance_below, r.profile_step);
}

/// Rows of numbers: what joints may be off by, segment by segment. Throws InputError.
std::vector<JointVector> segment_errors_of(const py::object& given);
/// Throws InputError for rows that are not of this robot.
void require_segment_errors(const RobotModel& robot, const std::vector<JointVector>& errors);

// Old names: they work for one minor version, and warn. What was renamed is in CHANGELOG.md.

/// A DeprecationWarning at the caller's line.
void warn_old(const std::string& text);

/// The options of a query, or what `old` keywords say in their place. Throws TypeError for other keywords.
PyEdgeOptions options_of(const PyEdgeOptions* options, const py::kwargs& old);
PyTrajectoryOptions options_of(const PyTrajectoryOptions* options, const py::kwargs& old);

/// Throws TypeError for a keyword that is none of these.
void allow_keywords(const py::kwargs& given, std::initializer_list<std::string_view> known);

/// Members that have another name now.
template <class T, class... More>
void def_old_names(py::class_<T, More...>& type, const std::map<std::string, std::string>& new_names) {
  const auto of = type.attr("__name__").template cast<std::string>();
  type.def("__getattr__", [of, new_names](const py::object& self, const std::string& name) -> py::object {
    const auto found = new_names.find(name);
    if (found == new_names.end()) throw py::attribute_error("'" + of + "' object has no attribute '" + name + "'");
    warn_old(of + "." + name + " is now " + found->second);
    return self.attr(found->second.c_str());
  });
}

}  // namespace planner_ccd::python
