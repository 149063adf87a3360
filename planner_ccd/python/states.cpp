#include <algorithm>

#include "planner_ccd/python/checker.hpp"
#include "planner_ccd/python/records.hpp"
#include "planner_ccd/query/batch/detail/parallel.hpp"

namespace planner_ccd::python {
namespace {

/// Calls `ask(i, workspace)` for every i below `count`, on several threads.
template <class Ask>
void ask_all(const Checker& c, std::size_t count, int threads, const Ask& ask) {
  const py::gil_scoped_release release;
  for_each_index(
      count, threads, [&] { return Workspace(c.get()); }, ask);
}

/// One configuration, or one per row.
struct States {
  std::vector<JointVector> all;
  bool alone;
};

States states_of(const Checker& c, const py::object& q) {
  const auto array = numbers(q, "q");
  if (array.ndim() == 1) return {{c.configuration(q, "q")}, true};
  States states{c.configurations(array, "q"), false};
  for (std::size_t i = 0; i < states.all.size(); ++i) {
    if (states.all[i].allFinite()) continue;
    throw InputError("q: row " + std::to_string(i) + " holds a number that is not finite");
  }
  return states;
}

py::object in_contact(Checker& c, const py::object& q, const PyEdgeOptions* given, int threads, const py::kwargs& old) {
  const EdgeOptions options = c.options(options_of(given, old));
  const States states = states_of(c, q);
  if (states.alone) {
    return py::bool_(c.borrow([&](Workspace& w) { return c.get().in_contact(states.all[0], w, options); }));
  }
  py::array_t<bool> out(static_cast<py::ssize_t>(states.all.size()));
  bool* const to = out.mutable_data();
  ask_all(c, states.all.size(), threads,
          [&](std::size_t i, Workspace& w) { to[i] = c.get().in_contact(states.all[i], w, options); });
  return out;
}

py::object clearance(Checker& c, const py::object& q, int threads) {
  const States states = states_of(c, q);
  if (states.alone) {
    return py::cast(c.borrow([&](Workspace& w) { return c.get().clearance(states.all[0], w); }));
  }
  std::vector<NearestPair> nearest(states.all.size());
  ask_all(c, states.all.size(), threads,
          [&](std::size_t i, Workspace& w) { nearest[i] = c.get().clearance(states.all[i], w); });
  std::size_t longest = 1;
  for (const NearestPair& n : nearest) longest = std::max({longest, n.a.size(), n.b.size()});
  Records out({{"lower", "<f8"},
               {"upper", "<f8"},
               {"a", text_type(longest)},
               {"b", text_type(longest)},
               {"point_a", "<f8", 3},
               {"point_b", "<f8", 3}},
              nearest.size());
  for (const NearestPair& n : nearest) {
    out.put(n.lower);
    out.put(n.upper);
    out.put(n.a, longest);
    out.put(n.b, longest);
    out.put(n.point_a);
    out.put(n.point_b);
  }
  // As a recarray, whose fields are attributes like those of a NearestPair.
  return out.array().attr("view")(py::module_::import("numpy").attr("recarray"));
}

}  // namespace

void bind_states(py::class_<Checker>& checker) {
  checker.def(
      "in_contact", &in_contact, py::arg("q"), py::arg("options") = static_cast<const PyEdgeOptions*>(nullptr),
      py::kw_only(), py::arg("threads") = 0,
      "True unless the configuration is proved clear by more than the margins. q: a configuration; or one a row,\n"
      "and the answer is an array of bool. threads: 0 for one per processor.\n\n"
      "    >>> checker.in_contact(path[0])\n"
      "    False\n"
      "    >>> checker.in_contact(path[:3])\n"
      "    array([False, False, False])");
  checker.def("clearance", &clearance, py::arg("q"), py::kw_only(), py::arg("threads") = 0,
              "The least distance at a configuration, in metres, certified; 0 when something touches or is inside: a\n"
              "NearestPair. q: a configuration; or one a row, and the answer is a record array with its fields.\n"
              "threads: 0 for one per processor.\n\n"
              "    >>> checker.clearance(path[0]).lower > 0\n"
              "    True\n"
              "    >>> checker.clearance(path[:3]).lower.shape\n"
              "    (3,)");
}

}  // namespace planner_ccd::python
