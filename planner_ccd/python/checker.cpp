#include <mutex>
#include <variant>

#include "planner_ccd/certificate/certificate.hpp"
#include "planner_ccd/io/prepared_file.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/python/bindings.hpp"
#include "planner_ccd/query/assumptions.hpp"
#include "planner_ccd/query/batch/check_edges.hpp"
#include "planner_ccd/query/check_path.hpp"
#include "planner_ccd/query/prepared_robot.hpp"

namespace planner_ccd::python {
namespace {

/// `planner_ccd.PreparedRobot`: with the rules that its robot had when it was prepared.
struct Prepared {
  PreparedRobot robot;
  std::vector<std::string> warnings;
  std::vector<Assumption> assumptions;
};

const Scene& scene_of(const PyScene* scene) {
  static const Scene none;
  return scene ? scene->scene : none;
}

/// A PathChecker for any number of Python threads: each call borrows a workspace.
class Checker {
 public:
  Checker(const Robot& robot, const PyScene* scene, const CheckerOptions& options)
      : checker_(robot.model, scene_of(scene), robot.matrix, options), loaded_(robot.assumptions) {
    if (scene) merge(loaded_, scene->assumptions);
  }
  Checker(const Prepared& prepared, const PyScene* scene, const CheckerOptions& options)
      : checker_(prepared.robot, scene_of(scene), options), loaded_(prepared.assumptions) {
    if (scene) merge(loaded_, scene->assumptions);
  }

  std::vector<Assumption> assumed() const { return assumptions(checker_, loaded_); }

  const PathChecker& get() const { return checker_; }

  /// `use` with a workspace, without the interpreter's lock.
  template <class Use>
  auto borrow(const Use& use) {
    const py::gil_scoped_release release;
    std::unique_ptr<Workspace> workspace;
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        workspace = std::move(idle_.back());
        idle_.pop_back();
      }
    }
    if (!workspace) workspace = std::make_unique<Workspace>(checker_);
    auto result = use(*workspace);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(workspace));
    return result;
  }

  JointVector configuration(const py::object& argument, const std::string& what) const {
    JointVector q = vector_of(argument, what);
    require_size(q.size(), what);
    if (!q.allFinite()) throw InputError(what + ": holds a number that is not finite");
    return q;
  }

  /// Rows of an n x dof array.
  std::vector<JointVector> configurations(const py::object& argument, const std::string& what) const {
    const auto rows = numbers(argument, 2, what);
    require_size(rows.shape(1), what);
    std::vector<JointVector> out;
    for (py::ssize_t i = 0; i < rows.shape(0); ++i) {
      out.emplace_back(Eigen::Map<const JointVector>(rows.data() + i * rows.shape(1), rows.shape(1)));
    }
    return out;
  }

 private:
  PathChecker checker_;
  std::vector<Assumption> loaded_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> idle_;

  void require_size(Eigen::Index size, const std::string& what) const {
    const int dof = checker_.robot().dof();
    if (size == dof) return;
    std::string names;
    for (const Coordinate& c : checker_.robot().coordinates()) names += (names.empty() ? "" : ", ") + c.name;
    throw InputError(what + ": a configuration has " + std::to_string(size) + " entries; the robot has " +
                     std::to_string(dof) + ": " + names);
  }
};

/// The options every query takes, as keyword arguments.
struct Keywords {
  double tolerance;
  std::int64_t max_evaluations;
  std::string angles, method, leaf;

  EdgeOptions options() const {
    EdgeOptions out;
    out.tolerance = tolerance;
    out.max_evaluations = max_evaluations;
    if (angles != "literal" && angles != "wrap") throw InputError("angles: must be 'literal' or 'wrap'");
    if (angles == "wrap") out.angles = AnglePolicy::Wrap;
    out.method = search_method_named(method);
    if (leaf != "inclusion") out.leaf = leaf_kernel_named(leaf);
    return out;
  }
};

const EdgeOptions kDefaults;

template <class Function, class... Extra>
void def_query(py::class_<Checker>& type, const char* name, const Function& query, const char* doc,
               const Extra&... arguments) {
  type.def(name, query, arguments..., py::kw_only(), py::arg("tolerance") = kDefaults.tolerance,
           py::arg("max_evaluations") = kDefaults.max_evaluations, py::arg("angles") = "literal",
           py::arg("method") = "taylor", py::arg("leaf") = "inclusion", doc);
}

/// What check_edges returns: arrays for the whole batch, and the results one by one.
struct Batch {
  std::vector<EdgeResult> edges;

  template <class T, class Of>
  py::array_t<T> array(const Of& of) const {
    py::array_t<T> out(static_cast<py::ssize_t>(edges.size()));
    for (std::size_t i = 0; i < edges.size(); ++i) out.mutable_data()[i] = of(edges[i]);
    return out;
  }
};

/// One parameter for each keyword: pybind11 makes the signature that help() shows of them.
Batch check_batch(Checker& c, const py::object& starts, const py::object& ends, bool first_contact, int threads,
                  const py::object& progress, double tolerance, std::int64_t max_evaluations, const std::string& angles,
                  const std::string& method, const std::string& leaf) {
  BatchOptions options;
  options.edge = Keywords{tolerance, max_evaluations, angles, method, leaf}.options();
  options.first_contact = first_contact;
  options.threads = threads;
  const auto from = c.configurations(starts, "starts"), to = c.configurations(ends, "ends");
  if (from.size() != to.size()) {
    throw InputError("starts has " + std::to_string(from.size()) + " rows, ends " + std::to_string(to.size()));
  }
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < from.size(); ++i) edges.push_back({from[i], to[i]});

  std::stop_source stop;
  std::exception_ptr raised;
  options.cancel = stop.get_token();
  if (!progress.is_none()) {
    options.progress = [&](std::size_t done, std::size_t count) {
      const py::gil_scoped_acquire acquire;
      if (raised) return;
      try {
        progress(done, count);
      } catch (const py::error_already_set&) {
        raised = std::current_exception();
        stop.request_stop();
      }
    };
  }
  BatchResult result;
  {
    const py::gil_scoped_release release;
    result = check_edges(c.get(), edges, options);
  }
  if (raised) std::rethrow_exception(raised);
  return {std::move(result.edges)};
}

}  // namespace

void bind_checker(py::module_& module) {
  py::class_<Batch> batch(module, "EdgeResults", "What check_edges found, in the order of the edges.");
  batch.attr("__module__") = "planner_ccd";
  batch
      .def_property_readonly(
          "free",
          [](const Batch& b) { return b.array<bool>([](const EdgeResult& r) { return r.verdict == Verdict::Free; }); },
          "Array of bool: proved free.")
      .def_property_readonly(
          "t_free", [](const Batch& b) { return b.array<double>([](const EdgeResult& r) { return r.t_free; }); },
          "Array: proved free before this time of each edge.")
      .def("__len__", [](const Batch& b) { return b.edges.size(); })
      .def(
          "__getitem__",
          [](const Batch& b, py::ssize_t i) {
            const auto size = static_cast<py::ssize_t>(b.edges.size());
            if (i < -size || i >= size) throw py::index_error("there are " + std::to_string(size) + " edges");
            return b.edges[static_cast<std::size_t>(i < 0 ? i + size : i)];
          },
          py::arg("index"), "The EdgeResult of one edge.")
      .def("__repr__", [](const Batch& b) {
        const auto free = std::count_if(b.edges.begin(), b.edges.end(),
                                        [](const EdgeResult& r) { return r.verdict == Verdict::Free; });
        return "<planner_ccd.EdgeResults: " + std::to_string(free) + " of " + std::to_string(b.edges.size()) +
               " edges free>";
      });

  py::class_<Prepared>(module, "PreparedRobot",
                       "A robot with what is proved of it before any scene; any number of checkers may share it.")
      .def(
          py::init([](const Robot& robot, double margin, double self_margin, std::int64_t cell_evaluations,
                      const py::object& cache) {
            const std::string folder = cache.is_none() ? std::string() : path_of(cache);
            const py::gil_scoped_release release;
            const PrepareOptions options{margin, cell_evaluations, self_margin};
            if (folder.empty()) {
              return Prepared{PreparedRobot(robot.model, robot.matrix, options), {}, robot.assumptions};
            }
            Loaded<PreparedRobot> loaded = load_prepared(robot.model, robot.matrix, options, folder);
            return Prepared{std::move(loaded.value), std::move(loaded.warnings), robot.assumptions};
          }),
          py::arg("robot"), py::kw_only(), py::arg("margin") = 0.0, py::arg("self_margin") = 0.0,
          py::arg("cell_evaluations") = PrepareOptions{}.cell_evaluations, py::arg("cache") = py::none(),
          "margin, self_margin: the greatest that pairs of links will be asked for, in metres: of two robots, of one.\n"
          "cell_evaluations: spent on each pair of links, on proofs for ranges of joint values.\n"
          "cache: a folder to find the proofs in, if they are there, and to keep them in; files of others are not "
          "used.")
      .def_readonly("warnings", &Prepared::warnings, "What was wrong with files in the cache.")
      .def_property_readonly(
          "margin", [](const Prepared& p) { return p.robot.margin(); }, "The greatest margin prepared for, in metres.")
      .def_property_readonly(
          "self_margin", [](const Prepared& p) { return p.robot.self_margin(); }, "The same within a robot.")
      .def("__repr__", [](const Prepared& p) {
        return "<planner_ccd.PreparedRobot '" + p.robot.robot().name() +
               "': " + std::to_string(p.robot.cell_memory() / 1024) + " KiB of proofs>";
      });

  py::class_<Checker> type(module, "PathChecker",
                           "Robot and scene, ready for queries. Immutable; any number of threads may share it.");
  type.attr("__module__") = "planner_ccd";
  type.def(py::init([](const std::variant<const Robot*, const Prepared*>& robot, const PyScene* scene, double margin,
                       double self_margin, std::int64_t cell_evaluations, const std::string& broad_phase) {
             CheckerOptions options;
             options.margin = margin;
             options.self_margin = self_margin;
             options.cell_evaluations = cell_evaluations;
             options.broad_phase = box_index_named(broad_phase);
             return std::visit([&](const auto* r) { return std::make_unique<Checker>(*r, scene, options); }, robot);
           }),
           py::arg("robot").none(false), py::arg("scene") = nullptr, py::kw_only(), py::arg("margin") = 0.0,
           py::arg("self_margin") = 0.0, py::arg("cell_evaluations") = CheckerOptions{}.cell_evaluations,
           py::arg("broad_phase") = "tree",
           "Copies what it needs. robot: a Robot, or a PreparedRobot: then it costs its scene alone.\n"
           "margin: clearance demanded between a robot and the world, and between robots, in metres.\n"
           "self_margin: the same within a robot, of its links and what they hold.\n"
           "cell_evaluations: spent on each pair of moving links that is not prepared, on proofs for ranges of joint "
           "values.\n"
           "broad_phase: how obstacles near a link are found, 'tree' or 'sweep_and_prune'.");
  using Text = const std::string&;
  const auto first = [](Checker& c, const py::object& q0, const py::object& q1, double tolerance,
                        std::int64_t max_evaluations, Text angles, Text method, Text leaf) {
    const EdgeOptions options = Keywords{tolerance, max_evaluations, angles, method, leaf}.options();
    const JointVector a = c.configuration(q0, "q0"), b = c.configuration(q1, "q1");
    return c.borrow([&](Workspace& w) { return c.get().first_contact(a, b, w, options); });
  };
  const auto q0 = py::arg("q0"), q1 = py::arg("q1"), q = py::arg("q");
  def_query(type, "first_contact", first, "The verdict on the straight motion from q0 to q1, and its first contact.",
            q0, q1);
  def_query(
      type, "is_free",
      [](Checker& c, const py::object& start, const py::object& end, double tolerance, std::int64_t max_evaluations,
         Text angles, Text method, Text leaf) {
        const EdgeOptions options = Keywords{tolerance, max_evaluations, angles, method, leaf}.options();
        const JointVector a = c.configuration(start, "q0"), b = c.configuration(end, "q1");
        return c.borrow([&](Workspace& w) { return c.get().is_free(a, b, w, options); });
      },
      "True only when proved: nothing comes within its margin anywhere on the straight motion from q0 to q1.", q0, q1);
  def_query(
      type, "in_contact",
      [](Checker& c, const py::object& at, double tolerance, std::int64_t max_evaluations, Text angles, Text method,
         Text leaf) {
        const EdgeOptions options = Keywords{tolerance, max_evaluations, angles, method, leaf}.options();
        const JointVector a = c.configuration(at, "q");
        return c.borrow([&](Workspace& w) { return c.get().in_contact(a, w, options); });
      },
      "True unless the configuration is proved clear.", q);
  def_query(
      type, "check",
      [](Checker& c, const py::object& waypoints, double tolerance, std::int64_t max_evaluations, Text angles,
         Text method, Text leaf) {
        const EdgeOptions options = Keywords{tolerance, max_evaluations, angles, method, leaf}.options();
        JointPath path;
        path.waypoints = c.configurations(waypoints, "waypoints");
        return c.borrow([&](Workspace& w) { return check_path(c.get(), path, w, options); });
      },
      "Check a path, waypoints in rows, to its first contact.", py::arg("waypoints"));
  type.def(
          "clearance",
          [](Checker& c, const py::object& at) {
            const JointVector a = c.configuration(at, "q");
            return c.borrow([&](Workspace& w) { return c.get().clearance(a, w); });
          },
          q, "The least distance at a configuration, certified; 0 when something touches or is inside.")
      .def(
          "certify",
          [](Checker& c, const py::object& path, const py::object& file, const py::object& title) {
            JointPath waypoints;
            waypoints.waypoints = c.configurations(path, "path");
            const std::string to = path_of(file);
            CertificateOptions options;
            if (!title.is_none()) options.title = title.cast<std::string>();
            for (const Assumption& a : c.assumed()) options.notes.push_back(to_line(a, 50));
            const py::gil_scoped_release release;
            return certify(c.get(), make_trajectory(c.get().robot(), waypoints), to, options);
          },
          py::arg("path"), py::arg("file"), py::kw_only(), py::arg("title") = py::none(),
          "Write a proof that a path, waypoints in rows, is free: a file that planner_ccd.verify and the program\n"
          "planner_ccd_verify check on their own. Angles are literal. Nothing is written when there is no proof.\n"
          "title: what the motion is, for people.")
      .def("check_edges", &check_batch, py::arg("starts"), py::arg("ends"), py::kw_only(),
           py::arg("first_contact") = false, py::arg("threads") = 0, py::arg("progress") = py::none(),
           py::arg("tolerance") = kDefaults.tolerance, py::arg("max_evaluations") = kDefaults.max_evaluations,
           py::arg("angles") = "literal", py::arg("method") = "taylor", py::arg("leaf") = "inclusion",
           "Check many straight motions, rows of starts to rows of ends, on several threads.\n\n"
           "first_contact: the first contact of each edge; otherwise any, which is faster. threads: 0 for one per\n"
           "processor. progress: called with how many edges are done and how many there are; what it raises ends the\n"
           "check and is raised here.")
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
          "without_inside", [](const Checker& c) { return c.get().without_inside(); },
          "Links and objects whose surfaces are not all closed: what lies wholly behind an open one is not seen.")
      .def("__repr__", [](const Checker& c) {
        return "<planner_ccd.PathChecker of '" + c.get().robot().name() + "', " +
               std::to_string(c.get().robot().dof()) + " coordinates>";
      });
}

}  // namespace planner_ccd::python
