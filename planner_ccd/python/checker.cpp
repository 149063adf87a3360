#include "planner_ccd/python/checker.hpp"

#include "planner_ccd/motion/edge_motion.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/python/report.hpp"
#include "planner_ccd/query/check_path.hpp"

namespace planner_ccd::python {
namespace {

PathChecker make(const Setup& setup) {
  const CheckerOptions options = options_of(setup);
  if (const auto* prepared = std::get_if<Prepared>(setup.robot.get())) {
    return PathChecker(*prepared->robot, setup.scene.scene, options);
  }
  const Robot& robot = std::get<Robot>(*setup.robot);
  return PathChecker(robot.model, setup.scene.scene, robot.matrix, options);
}

}  // namespace

CheckerOptions options_of(const Setup& setup) {
  CheckerOptions options;
  options.margin = setup.margin;
  options.self_margin = setup.self_margin;
  options.cell_evaluations = setup.cell_evaluations;
  options.broad_phase = box_index_named(setup.broad_phase);
  return options;
}

Checker::Checker(Setup setup) : setup_(std::move(setup)), checker_(make(setup_)) {}

Checker Checker::with_scene(PyScene scene) const {
  PathChecker now = checker_.with_scene(scene.scene);
  Setup setup = setup_;
  setup.scene = std::move(scene);
  return Checker(std::move(setup), std::move(now), pool_);
}

const RobotModel& model_of(const Setup::AnyRobot& robot) {
  const auto* prepared = std::get_if<Prepared>(&robot);
  return prepared ? *prepared->source.model : *std::get<Robot>(robot).model;
}

const Robot& Checker::robot() const {
  const auto* prepared = std::get_if<Prepared>(setup_.robot.get());
  return prepared ? prepared->source : std::get<Robot>(*setup_.robot);
}

std::vector<Assumption> Checker::assumed() const {
  std::vector<Assumption> loaded = robot().assumptions;
  merge(loaded, setup_.scene.assumptions);
  return assumptions(checker_, loaded);
}

JointVector Checker::configuration(const py::object& argument, const std::string& what) const {
  JointVector q = vector_of(argument, what);
  require_size(q.size(), what);
  if (!q.allFinite()) throw InputError(what + ": holds a number that is not finite");
  return q;
}

py::array_t<double> Checker::rows(const py::object& argument, const std::string& what) const {
  auto rows = numbers(argument, 2, what);
  require_size(rows.shape(1), what);
  return rows;
}

std::vector<JointVector> Checker::configurations(const py::object& argument, const std::string& what) const {
  const auto given = rows(argument, what);
  std::vector<JointVector> out;
  out.reserve(static_cast<std::size_t>(given.shape(0)));
  for (py::ssize_t i = 0; i < given.shape(0); ++i) {
    out.emplace_back(Eigen::Map<const JointVector>(given.data() + i * given.shape(1), given.shape(1)));
  }
  return out;
}

void Checker::require_size(Eigen::Index size, const std::string& what) const {
  const int dof = checker_.robot().dof();
  if (size == dof) return;
  std::string names;
  for (const Coordinate& c : checker_.robot().coordinates()) names += (names.empty() ? "" : ", ") + c.name;
  throw InputError(what + ": a configuration has " + std::to_string(size) + " entries; the robot has " +
                   std::to_string(dof) + ": " + names);
}

EdgeOptions Checker::options(const PyEdgeOptions& given) const {
  EdgeOptions out = given.of(checker_.robot());
  if (!setup_.errors.any()) return out;
  if (given.errors.any()) {
    throw InputError("errors are given by the options and by the checker; give them by the options alone");
  }
  out.errors = setup_.errors;
  return out;
}

TrajectoryOptions Checker::options(const PyTrajectoryOptions& given) const {
  TrajectoryOptions out = given.rest;
  out.edge = options(given.edge);
  if (given.limits) out.limits = given.limits->limits;
  require_segment_errors(checker_.robot(), out.segment_errors);
  return out;
}

namespace {

std::unique_ptr<Checker> make_checker(const std::variant<const Robot*, const Prepared*>& robot, const PyScene* scene,
                                      double margin, double self_margin, std::int64_t cell_evaluations,
                                      const std::string& broad_phase, const py::kwargs& old) {
  allow_keywords(old, {"tracking_error", "base_error"});
  Setup setup{nullptr, scene ? *scene : PyScene(), margin, self_margin, cell_evaluations, broad_phase, {}};
  std::visit([&](const auto* r) { setup.robot = std::make_shared<const Setup::AnyRobot>(*r); }, robot);
  const auto keyword = [&](const char* name) { return py::object(old.attr("get")(name)); };
  if (const GivenErrors errors(keyword("tracking_error"), keyword("base_error")); errors.any()) {
    warn_old("give tracking_error and base_error to EdgeOptions, for options of queries");
    setup.errors = errors.of(model_of(*setup.robot));
    EdgeMotion(model_of(*setup.robot)).set_errors(setup.errors);  // throws for what no query would take
  }
  const py::gil_scoped_release release;
  return std::make_unique<Checker>(std::move(setup));
}

bool is_free(Checker& c, const py::object& q0, const py::object& q1, const PyEdgeOptions* options,
             const py::kwargs& old) {
  const EdgeOptions asked = c.options(options_of(options, old));
  const JointVector a = c.configuration(q0, "q0"), b = c.configuration(q1, "q1");
  return c.borrow([&](Workspace& w) { return c.get().is_free(a, b, w, asked); });
}

EdgeResult first_contact(Checker& c, const py::object& q0, const py::object& q1, const PyEdgeOptions* options,
                         const py::kwargs& old) {
  const EdgeOptions asked = c.options(options_of(options, old));
  const JointVector a = c.configuration(q0, "q0"), b = c.configuration(q1, "q1");
  return c.borrow([&](Workspace& w) { return c.get().first_contact(a, b, w, asked); });
}

PathResult check_waypoints(Checker& c, const py::object& waypoints, const PyEdgeOptions* options,
                           const py::kwargs& old) {
  const EdgeOptions asked = c.options(options_of(options, old));
  JointPath path;
  path.waypoints = c.configurations(waypoints, "waypoints");
  return c.borrow([&](Workspace& w) { return check_path(c.get(), path, w, asked); });
}

void def_queries(py::class_<Checker>& type) {
  const auto q0 = py::arg("q0"), q1 = py::arg("q1");
  const auto options = py::arg("options") = static_cast<const PyEdgeOptions*>(nullptr);
  type.def("first_contact", &first_contact, q0, q1, options,
           "The verdict on the straight motion from q0 to q1, and its first contact.\n\n"
           "    >>> checker.first_contact(path[3], path[4])\n"
           "    <planner_ccd.EdgeResult: contact of gripper and car at t = 0.57...>");
  type.def("is_free", &is_free, q0, q1, options,
           "True only when proved: nothing comes within its margin anywhere on the straight motion from q0 to q1.\n\n"
           "    >>> checker.is_free(path[0], path[1])\n"
           "    True");
  type.def("check_path", &check_waypoints, py::arg("waypoints"), options,
           "Check a path, waypoints in rows, to its first contact.\n\n"
           "    >>> checker.check_path(path)\n"
           "    <planner_ccd.PathResult of 5 segments: in segment 3: contact of gripper and car at t = 0.57...>");
}

void def_world(py::class_<Checker>& type) {
  type.def_property_readonly(
          "robot", [](const Checker& c) { return c.robot(); }, "A copy of its Robot.")
      .def_property_readonly(
          "scene", [](const Checker& c) { return c.setup().scene; }, "A copy of its Scene.")
      .def_property_readonly(
          "margin", [](const Checker& c) { return c.setup().margin; }, "In metres, to the world and between robots.")
      .def_property_readonly(
          "self_margin", [](const Checker& c) { return c.setup().self_margin; }, "In metres, within a robot.")
      .def_property_readonly(
          "proved_apart",
          [](const Checker& c) {
            py::list out;
            for (const LinkPair& pair : c.get().proved_apart()) out.append(py::make_tuple(pair.a, pair.b));
            return out;
          },
          "Pairs of links proved apart for all joint values within the limits.")
      .def_property_readonly(
          "assumptions", &Checker::assumed,
          "What every answer relies on: bodies without an inside, links without geometry, pairs that are\n"
          "not checked and why, ... A list of Assumption.")
      .def_property_readonly(
          "checks_nothing", [](const Checker& c) { return c.get().checks_nothing(); },
          "No pair of bodies is checked, for want of geometry or by rules: every motion is then free.")
      .def_property_readonly(
          "open_surfaces", [](const Checker& c) { return c.get().open_surfaces(); },
          "Links and objects whose surfaces are not all closed: what lies wholly behind an open one is not seen.");
}

}  // namespace

void bind_checker(py::module_& module) {
  py::class_<Checker> type(module, "PathChecker",
                           "Robot and scene, ready for queries. Immutable; any number of threads may share it.");
  type.attr("__module__") = "planner_ccd";
  type.def(py::init(&make_checker), py::arg("robot").none(false), py::arg("scene") = nullptr, py::kw_only(),
           py::arg("margin") = 0.0, py::arg("self_margin") = 0.0,
           py::arg("cell_evaluations") = CheckerOptions{}.cell_evaluations, py::arg("broad_phase") = "tree",
           "Copies what it needs. robot: a Robot, or a PreparedRobot: then it costs its scene alone.\n"
           "margin: clearance demanded between a robot and the world, and between robots, in metres.\n"
           "self_margin: the same within a robot, of its links and what they hold.\n"
           "cell_evaluations: spent on each pair of moving links that is not prepared, on proofs for ranges of joint "
           "values.\n"
           "broad_phase: how obstacles near a link are found, 'tree' or 'sweep_and_prune'.");
  type.def(
      "with_scene",
      [](const Checker& c, const PyScene& scene) {
        PyScene now = scene;
        const py::gil_scoped_release release;
        return std::make_unique<Checker>(c.with_scene(std::move(now)));
      },
      py::arg("scene"),
      "The same robot and options in another scene. Where that is a changed copy of this checker's it costs what has\n"
      "changed, some microseconds for an object, however many there are. This checker stays as it is.\n\n"
      "    >>> checker.is_free(path[3], path[4])\n"
      "    False\n"
      "    >>> scene.remove('car')\n"
      "    >>> checker.with_scene(scene).is_free(path[3], path[4])\n"
      "    True");
  def_queries(type);
  bind_states(type);
  bind_check_edges(type);
  bind_check_trajectory(type);
  bind_suggest_pairs(module, type);
  def_constant(type);
  def_digest(type);
  bind_certify(type);
  def_world(type);
  def_old_names(type, {{"check", "check_path"}, {"without_inside", "open_surfaces"}});
  type.def(
          "html", [](const Checker& c) { return html_of(c.robot(), c.setup().scene.scene); },
          "A page that shows robot and scene, joints moved by hand: one text that any browser opens.\n\n"
          "    >>> checker.html()[:15]\n"
          "    '<!doctype html>'")
      .def("_repr_html_", [](const Checker& c) { return frame_of(html_of(c.robot(), c.setup().scene.scene)); })
      .def("__repr__", [](const Checker& c) {
        return "<planner_ccd.PathChecker of '" + c.get().robot().name() + "', " +
               std::to_string(c.get().robot().dof()) + " coordinates" +
               (c.get().checks_nothing() ? ": no pair of bodies is checked>" : ">");
      });
}

}  // namespace planner_ccd::python
