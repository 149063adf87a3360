#include "planner_ccd/python/checker.hpp"

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

EdgeOptions Keywords::options(const Checker& checker) const {
  EdgeOptions out;
  out.errors = checker.setup().errors;
  out.tolerance = tolerance;
  out.max_evaluations = max_evaluations;
  out.angles = angle_policy_of(angles);
  out.method = search_method_named(method);
  if (leaf != "inclusion") out.leaf = leaf_kernel_named(leaf);
  return out;
}

namespace {

void bind_queries(py::class_<Checker>& type) {
  using Text = const std::string&;
  const auto first = [](Checker& c, const py::object& q0, const py::object& q1, double tolerance,
                        std::int64_t max_evaluations, Text angles, Text method, Text leaf) {
    const EdgeOptions options = Keywords{tolerance, max_evaluations, angles, method, leaf}.options(c);
    const JointVector a = c.configuration(q0, "q0"), b = c.configuration(q1, "q1");
    return c.borrow([&](Workspace& w) { return c.get().first_contact(a, b, w, options); });
  };
  const auto q0 = py::arg("q0"), q1 = py::arg("q1");
  def_query(type, "first_contact", first,
            "The verdict on the straight motion from q0 to q1, and its first contact.\n\n"
            "    >>> checker.first_contact(path[3], path[4])\n"
            "    <planner_ccd.EdgeResult: contact of gripper and car at t = 0.57...>",
            q0, q1, py::kw_only());
  def_query(
      type, "is_free",
      [](Checker& c, const py::object& start, const py::object& end, double tolerance, std::int64_t max_evaluations,
         Text angles, Text method, Text leaf) {
        const EdgeOptions options = Keywords{tolerance, max_evaluations, angles, method, leaf}.options(c);
        const JointVector a = c.configuration(start, "q0"), b = c.configuration(end, "q1");
        return c.borrow([&](Workspace& w) { return c.get().is_free(a, b, w, options); });
      },
      "True only when proved: nothing comes within its margin anywhere on the straight motion from q0 to q1.\n\n"
      "    >>> checker.is_free(path[0], path[1])\n"
      "    True",
      q0, q1, py::kw_only());
  def_query(
      type, "check",
      [](Checker& c, const py::object& waypoints, double tolerance, std::int64_t max_evaluations, Text angles,
         Text method, Text leaf) {
        const EdgeOptions options = Keywords{tolerance, max_evaluations, angles, method, leaf}.options(c);
        JointPath path;
        path.waypoints = c.configurations(waypoints, "waypoints");
        return c.borrow([&](Workspace& w) { return check_path(c.get(), path, w, options); });
      },
      "Check a path, waypoints in rows, to its first contact.\n\n"
      "    >>> checker.check(path)\n"
      "    <planner_ccd.PathResult of 5 segments: in segment 3: contact of gripper and car at t = 0.57...>",
      py::arg("waypoints"), py::kw_only());
}

void bind_properties(py::class_<Checker>& type) {
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
          "without_inside", [](const Checker& c) { return c.get().without_inside(); },
          "Links and objects whose surfaces are not all closed: what lies wholly behind an open one is not seen.")
      .def(
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

}  // namespace

void bind_checker(py::module_& module) {
  py::class_<Checker> type(module, "PathChecker",
                           "Robot and scene, ready for queries. Immutable; any number of threads may share it.");
  type.attr("__module__") = "planner_ccd";
  type.def(
      py::init([](const std::variant<const Robot*, const Prepared*>& robot, const PyScene* scene, double margin,
                  double self_margin, const py::object& tracking_error, const py::object& base_error,
                  std::int64_t cell_evaluations, const std::string& broad_phase) {
        Setup setup{nullptr, scene ? *scene : PyScene(), margin, self_margin, cell_evaluations, broad_phase, {}};
        std::visit([&](const auto* r) { setup.robot = std::make_shared<const Setup::AnyRobot>(*r); }, robot);
        setup.errors = errors_of(tracking_error, base_error, model_of(*setup.robot));
        const py::gil_scoped_release release;
        return std::make_unique<Checker>(std::move(setup));
      }),
      py::arg("robot").none(false), py::arg("scene") = nullptr, py::kw_only(), py::arg("margin") = 0.0,
      py::arg("self_margin") = 0.0, py::arg("tracking_error") = py::none(), py::arg("base_error") = py::none(),
      py::arg("cell_evaluations") = CheckerOptions{}.cell_evaluations, py::arg("broad_phase") = "tree",
      "Copies what it needs. robot: a Robot, or a PreparedRobot: then it costs its scene alone.\n"
      "margin: clearance demanded between a robot and the world, and between robots, in metres.\n"
      "self_margin: the same within a robot, of its links and what they hold.\n"
      "tracking_error: all queries of motions then hold for joint values within it: radians or metres, for every\n"
      "joint, or a dict by joint.\n"
      "base_error: and wherever the robots' bases stand within it: metres, or (metres, radians); or a dict of these\n"
      "by link, whose pose on the link that carries it is then uncertain.\n"
      "cell_evaluations: spent on each pair of moving links that is not prepared, on proofs for ranges of joint "
      "values.\n"
      "broad_phase: how obstacles near a link are found, 'tree' (the first look), 'sweep_and_prune' or 'box_tree'.");
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
  bind_queries(type);
  bind_states(type);
  bind_check_edges(type);
  bind_check_trajectory(type);
  bind_suggest_pairs(module, type);
  def_constant(type);
  def_digest(type);
  bind_certify(type);
  bind_properties(type);
}

}  // namespace planner_ccd::python
