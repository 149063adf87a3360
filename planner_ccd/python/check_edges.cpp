#include "planner_ccd/python/checker.hpp"
#include "planner_ccd/python/edge_results.hpp"
#include "planner_ccd/query/batch/detail/check_each.hpp"

namespace planner_ccd::python {
namespace {

/// Rows of numbers, wherever they lie: `at(i)` is the first of row i.
struct Rows {
  const double* first;
  std::size_t step;

  explicit Rows(const py::array_t<double>& array)
      : first(array.data()), step(static_cast<std::size_t>(array.shape(1))) {}
  explicit Rows(const JointVector& always) : first(always.data()), step(0) {}
  const double* operator()(std::size_t i) const { return first + i * step; }
};

/// Checks without the GIL; an exception from `progress` ends it and is rethrown here.
Batch run(const Checker& c, std::size_t count, const Rows& starts, const Rows& ends, BatchOptions options,
          const py::object& progress) {
  std::stop_source stop;
  std::exception_ptr raised;
  if (!progress.is_none()) {
    options.cancel = stop.get_token();
    options.progress = [&](std::size_t done, std::size_t edges) {
      const py::gil_scoped_acquire acquire;
      if (raised) return;
      try {
        progress(done, edges);
      } catch (const py::error_already_set&) {
        raised = std::current_exception();
        stop.request_stop();
      }
    };
  }
  Batch out{std::vector<Batch::Edge>(count), c.get().robot().dof(), {}, c.get().checks_nothing()};
  std::vector<Batch::Store> stores;
  {
    const py::gil_scoped_release release;
    tbb::enumerable_thread_specific<Batch::Store> store;
    (void)check_each(c.get(), count, starts.step == 0, starts, ends, options, [&](std::size_t i, EdgeResult&& edge) {
      out.edges[i] = Batch::Edge(std::move(edge), store.local());
    });
    for (Batch::Store& of_thread : store) stores.push_back(std::move(of_thread));
  }
  if (raised) std::rethrow_exception(raised);
  out.stores = std::make_shared<const std::vector<Batch::Store>>(std::move(stores));
  return out;
}

BatchOptions batch_options(const Checker& c, const PyEdgeOptions& edge, bool first_contact, int threads) {
  BatchOptions out;
  out.edge = c.options(edge);
  out.first_contact = first_contact;
  out.threads = threads;
  return out;
}

Batch edges(Checker& c, const py::object& starts, const py::object& ends, const PyEdgeOptions* options,
            bool first_contact, int threads, const py::object& progress, const py::kwargs& old) {
  BatchOptions asked = batch_options(c, options_of(options, old), first_contact, threads);
  const auto from = c.rows(starts, "starts"), to = c.rows(ends, "ends");
  if (from.shape(0) != to.shape(0)) {
    throw InputError("starts has " + std::to_string(from.shape(0)) + " rows, ends " + std::to_string(to.shape(0)));
  }
  return run(c, static_cast<std::size_t>(from.shape(0)), Rows(from), Rows(to), std::move(asked), progress);
}

Batch fan(Checker& c, const py::object& start, const py::object& ends, const PyEdgeOptions* options, bool first_contact,
          int threads, const py::object& progress, const py::kwargs& old) {
  BatchOptions asked = batch_options(c, options_of(options, old), first_contact, threads);
  const JointVector from = c.configuration(start, "start");
  const auto to = c.rows(ends, "ends");
  return run(c, static_cast<std::size_t>(to.shape(0)), Rows(from), Rows(to), std::move(asked), progress);
}

template <class Function, class... Extra>
void def_batch(py::class_<Checker>& checker, const char* name, const Function& ask, const char* doc,
               const Extra&... motions) {
  checker.def(name, ask, motions..., py::arg("options") = static_cast<const PyEdgeOptions*>(nullptr), py::kw_only(),
              py::arg("first_contact") = false, py::arg("threads") = 0, py::arg("progress") = py::none(), doc);
}

}  // namespace

void bind_check_edges(py::class_<Checker>& checker) {
  def_batch(checker, "check_edges", &edges,
            "Check many straight motions, rows of starts to rows of ends, on several threads: EdgeResults.\n\n"
            "first_contact: the first contact of each edge; otherwise any, which is faster. threads: 0 for one per\n"
            "processor. progress: called with how many edges are done and how many there are; what it raises ends the\n"
            "check and is raised here.\n\n"
            "    >>> checker.check_edges(path[:-1], path[1:]).free\n"
            "    array([ True,  True,  True, False, False])",
            py::arg("starts"), py::arg("ends"));
  def_batch(
      checker, "check_fan", &fan,
      "The straight motions from one configuration to rows of ends, as planners connect a new sample: EdgeResults.\n"
      "The start is looked at once. Keywords as in check_edges.\n\n"
      "    >>> checker.check_fan(path[0], path[1:])\n"
      "    <planner_ccd.EdgeResults: ... of 5 edges free>",
      py::arg("start"), py::arg("ends"));
}

}  // namespace planner_ccd::python
