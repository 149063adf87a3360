#include "planner_ccd/python/options.hpp"

#include <algorithm>
#include <sstream>

#include "planner_ccd/papers/by_name.hpp"

namespace planner_ccd::python {
namespace {

PyEdgeOptions edge_options(double tolerance, std::int64_t max_evaluations, const std::string& angles,
                           const std::string& method, const std::string& leaf, const py::object& tracking_error,
                           const py::object& base_error) {
  (void)angle_policy_of(angles);
  (void)search_method_named(method);
  (void)leaf_kernel_named(leaf);
  return {tolerance, max_evaluations, angles, method, leaf, GivenErrors(tracking_error, base_error)};
}

PyTrajectoryOptions trajectory_options(const PyEdgeOptions* edge, bool all_contacts, double contact_resolution,
                                       bool check_limits, const PyMotionLimits* limits, double clearance_accuracy,
                                       std::size_t clearance_pairs, double clearance_below, double profile_step,
                                       double tracking_delay, const py::object& segment_errors) {
  PyTrajectoryOptions out;
  if (edge) out.edge = *edge;
  if (limits) out.limits = *limits;
  TrajectoryOptions& rest = out.rest;
  rest.all_contacts = all_contacts;
  rest.contact_resolution = contact_resolution;
  rest.check_limits = check_limits;
  rest.clearance_accuracy = clearance_accuracy;
  rest.clearance_pairs = clearance_pairs;
  rest.clearance_below = clearance_below;
  rest.profile_step = profile_step;
  rest.tracking_delay = tracking_delay;
  rest.segment_errors = segment_errors_of(segment_errors);
  return out;
}

/// What differs from the defaults, as it would be written.
template <class T>
std::string written(const char* type, const T& options, const std::vector<const char*>& names) {
  const py::object self = py::cast(options), usual = py::cast(T());
  std::string text;
  for (const char* name : names) {
    const py::object value = self.attr(name);
    if (py::repr(value).equal(py::repr(usual.attr(name)))) continue;
    text += (text.empty() ? "" : ", ") + std::string(name) + "=" + py::repr(value).cast<std::string>();
  }
  return std::string("planner_ccd.") + type + "(" + text + ")";
}

void bind_edge_options(py::module_& module) {
  py::class_<PyEdgeOptions> options(module, "EdgeOptions",
                                    "How motions are searched, and how far the robot may be from them. For all queries "
                                    "of a PathChecker.\n\n"
                                    "    >>> options = planner_ccd.EdgeOptions(tolerance=1e-3)\n"
                                    "    >>> checker.is_free(path[0], path[1], options)\n"
                                    "    True");
  options.attr("__module__") = "planner_ccd";
  options
      .def(
          py::init(&edge_options), py::kw_only(), py::arg("tolerance") = kDefaults.tolerance,
          py::arg("max_evaluations") = kDefaults.max_evaluations, py::arg("angles") = "literal",
          py::arg("method") = "taylor", py::arg("leaf") = "inclusion", py::arg("tracking_error") = py::none(),
          py::arg("base_error") = py::none(),
          "tolerance: metres; may turn FREE into CONTACT, never CONTACT into FREE. max_evaluations: distance\n"
          "evaluations over all pairs. angles: how joints without limits turn, 'literal' or 'wrap'; trajectories have\n"
          "angles of their own. method, leaf: searches and leaf kernels of papers, for comparison; verdicts are the\n"
          "same.\n"
          "tracking_error: FREE then holds for joint values within it: radians or metres, for every joint, or a dict\n"
          "by joint.\n"
          "base_error: and wherever the robots' bases stand within it: metres, or (metres, radians); or a dict of\n"
          "these by link, whose pose on the link that carries it is then uncertain.")
      .def_readonly("tolerance", &PyEdgeOptions::tolerance, "In metres.")
      .def_readonly("max_evaluations", &PyEdgeOptions::max_evaluations, "Distance evaluations over all pairs.")
      .def_readonly("angles", &PyEdgeOptions::angles, "'literal' or 'wrap'.")
      .def_readonly("method", &PyEdgeOptions::method, "'taylor', or a search of a paper.")
      .def_readonly("leaf", &PyEdgeOptions::leaf, "'inclusion', or a leaf kernel of a paper.")
      .def_property_readonly(
          "tracking_error", [](const PyEdgeOptions& o) { return o.errors.tracking_as_given(); },
          "Radians or metres, of every joint or by joint; None: no error.")
      .def_property_readonly(
          "base_error", [](const PyEdgeOptions& o) { return o.errors.base_as_given(); },
          "(metres, radians), of every base or by link; None: no error.")
      .def("__repr__", [](const PyEdgeOptions& o) {
        return written("EdgeOptions", o,
                       {"tolerance", "max_evaluations", "angles", "method", "leaf", "tracking_error", "base_error"});
      });
  def_constant(options);
}

void def_trajectory_members(py::class_<PyTrajectoryOptions>& options) {
  const auto read = [&](const char* name, auto member, const char* doc) {
    options.def_property_readonly(
        name, [member](const PyTrajectoryOptions& o) { return o.rest.*member; }, doc);
  };
  options.def_readonly("edge", &PyTrajectoryOptions::edge, "An EdgeOptions.")
      .def_property_readonly(
          "limits", [](const PyTrajectoryOptions& o) { return o.limits; },
          "The MotionLimits, in rad, m and seconds; None: those of the robot.")
      .def_property_readonly(
          "segment_errors",
          [](const PyTrajectoryOptions& o) -> py::object {
            if (o.rest.segment_errors.empty()) return py::none();
            return py::module_::import("numpy").attr("array")(o.rest.segment_errors);
          },
          "An array, a row a segment, in radians or metres; None: no error.");
  read("all_contacts", &TrajectoryOptions::all_contacts, "Every contact of every pair, not only the first.");
  read("contact_resolution", &TrajectoryOptions::contact_resolution, "In seconds.");
  read("check_limits", &TrajectoryOptions::check_limits, "Of positions, velocities, ... in rad, m and seconds.");
  read("clearance_accuracy", &TrajectoryOptions::clearance_accuracy, "In metres; 0: clearances are not computed.");
  read("clearance_pairs", &TrajectoryOptions::clearance_pairs, "At most so many, of distances in metres.");
  read("clearance_below", &TrajectoryOptions::clearance_below, "In metres.");
  read("profile_step", &TrajectoryOptions::profile_step, "In seconds; 0: no profile.");
  read("tracking_delay", &TrajectoryOptions::tracking_delay, "In seconds.");
}

void bind_trajectory_options(py::module_& module) {
  const TrajectoryOptions usual;
  py::class_<PyTrajectoryOptions> options(module, "TrajectoryOptions",
                                          "What check_trajectory is asked.\n\n"
                                          "    >>> planner_ccd.TrajectoryOptions(clearance_accuracy=1e-3)\n"
                                          "    planner_ccd.TrajectoryOptions(clearance_accuracy=0.001)");
  options.attr("__module__") = "planner_ccd";
  options.def(
      py::init(&trajectory_options), py::kw_only(), py::arg("edge") = static_cast<const PyEdgeOptions*>(nullptr),
      py::arg("all_contacts") = false, py::arg("contact_resolution") = usual.contact_resolution,
      py::arg("check_limits") = true, py::arg("limits") = static_cast<const PyMotionLimits*>(nullptr),
      py::arg("clearance_accuracy") = 0.0, py::arg("clearance_pairs") = usual.clearance_pairs,
      py::arg("clearance_below") = usual.clearance_below, py::arg("profile_step") = 0.0,
      py::arg("tracking_delay") = 0.0, py::arg("segment_errors") = py::none(),
      "edge: an EdgeOptions: how it is searched, and errors.\n"
      "all_contacts: go on after the first: every contact of every pair, from when to when. contact_resolution:\n"
      "contacts of a pair apart by less, in seconds, may be reported as one. check_limits, limits: of joints, of\n"
      "velocities, accelerations and jerks; without MotionLimits those of the robot. clearance_accuracy: metres; also\n"
      "the least distance of the clearance_pairs that come nearest, and nearer than clearance_below. profile_step:\n"
      "seconds; also the least distance in pieces no longer than this. tracking_delay: seconds; the robot may be so\n"
      "much behind the motion, on its own path. segment_errors: a row a segment, a column a coordinate: what joints\n"
      "may be off by there, in addition to the errors of `edge`.");
  def_trajectory_members(options);
  options.def("__repr__", [](const PyTrajectoryOptions& o) {
    return written("TrajectoryOptions", o,
                   {"edge", "all_contacts", "contact_resolution", "check_limits", "limits", "clearance_accuracy",
                    "clearance_pairs", "clearance_below", "profile_step", "tracking_delay", "segment_errors"});
  });
  def_constant(options);
}

/// The keywords that are among these, taken out of `given`.
py::dict taken(py::dict& given, std::initializer_list<const char*> names) {
  py::dict out;
  for (const char* name : names) {
    if (given.contains(name)) out[name] = given.attr("pop")(name);
  }
  return out;
}

std::string names_of(const py::dict& keywords) {
  std::string names;
  for (const auto& [key, value] : keywords) names += (names.empty() ? "" : ", ") + key.cast<std::string>();
  return names;
}

}  // namespace

EdgeOptions PyEdgeOptions::of(const RobotModel& robot) const {
  EdgeOptions out;
  out.tolerance = tolerance;
  out.max_evaluations = max_evaluations;
  out.angles = angle_policy_of(angles);
  out.method = search_method_named(method);
  if (leaf != "inclusion") out.leaf = leaf_kernel_named(leaf);
  out.errors = errors.of(robot);
  return out;
}

std::vector<JointVector> segment_errors_of(const py::object& given) {
  std::vector<JointVector> out;
  if (given.is_none()) return out;
  const auto rows = given.cast<py::array_t<double, py::array::c_style | py::array::forcecast>>();
  if (rows.ndim() != 2)
    throw InputError("segment_errors: must be a row for each segment, not an array of " + std::to_string(rows.ndim()) +
                     " dimensions");
  for (py::ssize_t i = 0; i < rows.shape(0); ++i) {
    out.emplace_back(Eigen::Map<const JointVector>(rows.data(i, 0), rows.shape(1)));
  }
  if (out.empty()) throw InputError("segment_errors: has no rows");
  return out;
}

void require_segment_errors(const RobotModel& robot, const std::vector<JointVector>& errors) {
  if (errors.empty() || errors.front().size() == robot.dof()) return;
  throw InputError("segment_errors: must be a row for each segment, with a number for each of the robot's " +
                   std::to_string(robot.dof()) + " coordinates");
}

void warn_old(const std::string& text) {
  if (PyErr_WarnEx(PyExc_DeprecationWarning, ("planner_ccd: " + text).c_str(), 1) != 0) throw py::error_already_set();
}

void allow_keywords(const py::kwargs& given, std::initializer_list<std::string_view> known) {
  for (const auto& [key, value] : given) {
    const auto name = key.cast<std::string>();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw py::type_error("there is no keyword argument '" + name + "'");
    }
  }
}

PyEdgeOptions options_of(const PyEdgeOptions* options, const py::kwargs& old) {
  if (old.empty()) return options ? *options : PyEdgeOptions();
  allow_keywords(old, {"tolerance", "max_evaluations", "angles", "method", "leaf"});
  if (options) throw py::type_error("options has a place for " + names_of(old));
  warn_old("write EdgeOptions(" + names_of(old) + ") for options in place of these keywords");
  return py::type::of<PyEdgeOptions>()(**old).cast<PyEdgeOptions>();
}

PyTrajectoryOptions options_of(const PyTrajectoryOptions* options, const py::kwargs& old) {
  if (old.empty()) return options ? *options : PyTrajectoryOptions();
  allow_keywords(old, {"tolerance", "max_evaluations", "method", "leaf", "all_contacts", "contact_resolution",
                       "check_limits", "limits", "clearance_accuracy", "clearance_pairs", "clearance_below",
                       "profile_step", "tracking_delay", "segment_errors"});
  if (options) throw py::type_error("options has a place for " + names_of(old));
  warn_old("write TrajectoryOptions(" + names_of(old) + ") for options in place of these keywords");
  py::dict rest = old.attr("copy")();
  const py::dict edge = taken(rest, {"tolerance", "max_evaluations", "method", "leaf"});
  rest["edge"] = py::type::of<PyEdgeOptions>()(**edge);
  return py::type::of<PyTrajectoryOptions>()(**rest).cast<PyTrajectoryOptions>();
}

void bind_options(py::module_& module) {
  bind_edge_options(module);
  bind_trajectory_options(module);
}

}  // namespace planner_ccd::python
