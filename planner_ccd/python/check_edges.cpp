#include "planner_ccd/python/checker.hpp"
#include "planner_ccd/python/edge_results.hpp"
#include "planner_ccd/query/batch/detail/check_each.hpp"

namespace planner_ccd::python {
namespace {

/// Checks without the GIL; an exception from `progress` ends it and is rethrown here.
Batch run(const Checker& c, const EdgeSource& source, BatchOptions options, const py::object& progress) {
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
  Batch out{{}, c.get().robot().dof()};
  {
    const py::gil_scoped_release release;
    out.edges.resize(source.count);
    (void)check_each(c.get(), source, options,
                     [&](std::size_t i, EdgeResult&& edge) { out.edges[i] = Batch::Edge(std::move(edge)); });
  }
  if (raised) std::rethrow_exception(raised);
  return out;
}

/// The numbers of an n x dof array, row by row, where they are; `rows` keeps them alive.
std::function<const double*(std::size_t)> rows_in(const py::array_t<double>& rows) {
  const double* const first = rows.data();
  const auto step = static_cast<std::size_t>(rows.shape(1));
  return [=](std::size_t i) { return first + i * step; };
}

Batch edges(Checker& c, const py::object& starts, const py::object& ends, bool first_contact, int threads,
            const py::object& progress, double tolerance, std::int64_t max_evaluations, const std::string& angles,
            const std::string& method, const std::string& leaf) {
  BatchOptions options;
  options.edge = Keywords{tolerance, max_evaluations, angles, method, leaf}.options();
  options.first_contact = first_contact;
  options.threads = threads;
  const auto from = c.rows(starts, "starts"), to = c.rows(ends, "ends");
  if (from.shape(0) != to.shape(0)) {
    throw InputError("starts has " + std::to_string(from.shape(0)) + " rows, ends " + std::to_string(to.shape(0)));
  }
  return run(c, {static_cast<std::size_t>(from.shape(0)), rows_in(from), rows_in(to)}, std::move(options), progress);
}

Batch fan(Checker& c, const py::object& start, const py::object& ends, bool first_contact, int threads,
          const py::object& progress, double tolerance, std::int64_t max_evaluations, const std::string& angles,
          const std::string& method, const std::string& leaf) {
  BatchOptions options;
  options.edge = Keywords{tolerance, max_evaluations, angles, method, leaf}.options();
  options.first_contact = first_contact;
  options.threads = threads;
  const JointVector from = c.configuration(start, "start");
  const auto to = c.rows(ends, "ends");
  const auto at_start = [&](std::size_t) { return from.data(); };
  return run(c, {static_cast<std::size_t>(to.shape(0)), at_start, rows_in(to), true}, std::move(options), progress);
}

template <class Function, class... Extra>
void def_batch(py::class_<Checker>& checker, const char* name, const Function& ask, const char* doc,
               const Extra&... motions) {
  checker.def(name, ask, motions..., py::kw_only(), py::arg("first_contact") = false, py::arg("threads") = 0,
              py::arg("progress") = py::none(), py::arg("tolerance") = kDefaults.tolerance,
              py::arg("max_evaluations") = kDefaults.max_evaluations, py::arg("angles") = "literal",
              py::arg("method") = "taylor", py::arg("leaf") = "inclusion", doc);
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
