#include "planner_ccd/roadmap/roadmap.hpp"

#include "planner_ccd/python/checker.hpp"

namespace planner_ccd::python {
namespace {

/// `planner_ccd.Roadmap`: one question at a time.
struct PyRoadmap {
  std::shared_ptr<const RobotModel> robot;
  std::unique_ptr<Roadmap> roadmap;
  std::unique_ptr<std::mutex> mutex = std::make_unique<std::mutex>();

  template <class Use>
  auto use(const Use& what) {
    const py::gil_scoped_release release;
    const std::lock_guard lock(*mutex);
    return what(*roadmap);
  }
};

PyRoadmap make_roadmap(const std::variant<const Robot*, const Prepared*>& robot, const PyScene* scene,
                       const PyEdgeOptions* given, double margin, double self_margin, double spare, int threads,
                       const py::kwargs& old) {
  allow_keywords(old, {"tolerance", "max_evaluations"});
  const auto* prepared = std::get_if<const Prepared*>(&robot);
  const Robot& bare = prepared ? (*prepared)->source : *std::get<const Robot*>(robot);
  RoadmapOptions options;
  options.checker.margin = margin;
  options.checker.self_margin = self_margin;
  options.edge = options_of(given, old).of(*bare.model);
  options.spare = spare;
  options.threads = threads;
  const Scene around = scene ? scene->scene : Scene();
  if (prepared) return {bare.model, std::make_unique<Roadmap>(*(*prepared)->robot, around, options)};
  return {bare.model, std::make_unique<Roadmap>(bare.model, around, bare.matrix, options)};
}

std::vector<JointVector> rows_of(const PyRoadmap& r, const py::object& argument, const std::string& what) {
  const auto rows = numbers(argument, 2, what);
  if (rows.shape(1) != r.robot->dof()) {
    throw InputError(what + ": each row must have " + std::to_string(r.robot->dof()) + " entries, not " +
                     std::to_string(rows.shape(1)));
  }
  std::vector<JointVector> out;
  for (py::ssize_t i = 0; i < rows.shape(0); ++i) {
    out.emplace_back(Eigen::Map<const JointVector>(rows.data(i, 0), rows.shape(1)));
  }
  return out;
}

std::size_t add(PyRoadmap& r, const py::object& starts, const py::object& ends) {
  auto from = rows_of(r, starts, "starts"), to = rows_of(r, ends, "ends");
  if (from.size() != to.size()) {
    throw InputError("starts has " + std::to_string(from.size()) + " rows, ends " + std::to_string(to.size()));
  }
  std::vector<Edge> edges(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) edges[i] = {std::move(from[i]), std::move(to[i])};
  return r.use([&](Roadmap& roadmap) { return roadmap.add(edges); });
}

py::array_t<std::uint8_t> verdicts(PyRoadmap& r) {
  const auto all = r.use([](const Roadmap& roadmap) {
    std::vector<std::uint8_t> out(roadmap.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint8_t>(roadmap.verdict(i));
    return out;
  });
  return py::array_t<std::uint8_t>(static_cast<py::ssize_t>(all.size()), all.data());
}

void bind_update(py::module_& module) {
  py::class_<RoadmapUpdate> update(module, "RoadmapUpdate", "What a change of the scene cost, and what it changed.");
  update.attr("__module__") = "planner_ccd";
  update.def_readonly("checked", &RoadmapUpdate::checked, "Edges that were checked again.")
      .def_readonly("kept_far", &RoadmapUpdate::kept_far, "Free; nothing new is in the space they sweep.")
      .def_readonly("kept_spare", &RoadmapUpdate::kept_spare,
                    "Free, with more room than any object near them has moved.")
      .def_readonly("kept_contact", &RoadmapUpdate::kept_contact, "In contact between things that have not changed.")
      .def_property_readonly(
          "turned",
          [](const RoadmapUpdate& u) {
            return py::array_t<std::size_t>(static_cast<py::ssize_t>(u.turned.size()), u.turned.data());
          },
          "Array: the edges with another verdict than before.")
      .def_readonly("evaluations", &RoadmapUpdate::evaluations, "Distance evaluations spent.")
      .def("__repr__", [](const RoadmapUpdate& u) {
        return "<planner_ccd.RoadmapUpdate: " + std::to_string(u.checked) + " edges checked, " +
               std::to_string(u.turned.size()) + " turned>";
      });
}

}  // namespace

void bind_roadmap(py::module_& module) {
  bind_update(module);
  py::class_<PyRoadmap> roadmap(
      module, "Roadmap",
      "Edges and what is known of them, kept true while the scene changes: only edges whose verdict could be\n"
      "another one are asked again.\n\n"
      "    >>> roadmap = planner_ccd.Roadmap(robot, scene)\n"
      "    >>> roadmap.add(path[:-1], path[1:])\n"
      "    0\n"
      "    >>> roadmap.free\n"
      "    array([ True,  True,  True, False, False])\n"
      "    >>> roadmap.change_scene(planner_ccd.Scene()).turned\n"
      "    array([3, 4], dtype=uint64)");
  roadmap.attr("__module__") = "planner_ccd";
  roadmap
      .def(py::init(&make_roadmap), py::arg("robot").none(false), py::arg("scene") = nullptr,
           py::arg("options") = static_cast<const PyEdgeOptions*>(nullptr), py::kw_only(), py::arg("margin") = 0.0,
           py::arg("self_margin") = 0.0, py::arg("spare") = RoadmapOptions{}.spare, py::arg("threads") = 0,
           "robot, margin, self_margin: as PathChecker has them, in metres. options: how edges are searched. spare:\n"
           "metres; free edges with so much more room need no new check when objects move by less. threads: 0 for one\n"
           "per processor.")
      .def("add", &add, py::arg("starts"), py::arg("ends"),
           "Check edges, rows of starts to rows of ends, and keep them: the number of the first; the others follow.\n\n"
           "    >>> planner_ccd.Roadmap(robot, scene).add(path[:-1], path[1:])\n"
           "    0")
      .def(
          "change_scene",
          [](PyRoadmap& r, const PyScene& scene) {
            return r.use([&](Roadmap& map) { return map.change_scene(scene.scene); });
          },
          py::arg("scene"),
          "Another scene: a RoadmapUpdate.\n\n"
          "    >>> roadmap = planner_ccd.Roadmap(robot, scene)\n"
          "    >>> roadmap.change_scene(planner_ccd.Scene()).checked\n"
          "    0")
      .def_property_readonly(
          "free", [](PyRoadmap& r) { return verdicts(r).attr("__eq__")(static_cast<int>(Verdict::Free)); },
          "Array of bool: proved free in the present scene.")
      .def_property_readonly("verdict", &verdicts, "Array of uint8: the values of Verdict.")
      .def("__len__", [](PyRoadmap& r) { return r.use([](const Roadmap& map) { return map.size(); }); })
      .def("__repr__", [](PyRoadmap& r) {
        return "<planner_ccd.Roadmap: " + std::to_string(r.use([](const Roadmap& map) { return map.size(); })) +
               " edges>";
      });
}

}  // namespace planner_ccd::python
