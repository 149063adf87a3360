#include "planner_ccd/python/checker.hpp"
#include "planner_ccd/validation/suggest_pairs.hpp"

namespace planner_ccd::python {

template <class A>
void describe(A& a, Of<A, PairSuggestion>& v) {
  a.choice(v.reason, SuggestedReason::Default);
  a(v.a, v.b, v.contacts, v.proved);
}

void bind_suggest_pairs(py::module_& module, py::class_<Checker>& checker) {
  py::class_<PairSuggestion> pair(module, "PairSuggestion", "A pair of links that need not be checked, and why.");
  pair.attr("__module__") = "planner_ccd";
  pair.def_readonly("a", &PairSuggestion::a, "A link.")
      .def_readonly("b", &PairSuggestion::b, "The other link.")
      .def_property_readonly(
          "reason", [](const PairSuggestion& p) { return to_string(p.reason); },
          "In the words of SRDF: 'Never' in contact, 'Always', or 'Default': in the neutral configuration.")
      .def_readonly("contacts", &PairSuggestion::contacts,
                    "In how many of the random configurations it was in contact.")
      .def_readonly("proved", &PairSuggestion::proved, "Never by proof; otherwise it is what sampling saw.")
      .def("__repr__", [](const PairSuggestion& p) {
        return "<planner_ccd.PairSuggestion: " + p.a + " and " + p.b + ": " + to_string(p.reason) +
               (p.proved ? ", proved>" : ">");
      });
  def_constant(pair);
  checker.def(
      "suggest_pairs",
      [](const Checker& c, int samples, std::uint64_t seed) {
        const py::gil_scoped_release release;
        return suggest_pairs(c.get(), SuggestOptions{samples, seed}).pairs;
      },
      py::kw_only(), py::arg("samples") = SuggestOptions{}.samples, py::arg("seed") = SuggestOptions{}.seed,
      "Which pairs of links could be left out of checking, by the rules of the usual set-up tools: a list of\n"
      "PairSuggestion. samples: random configurations within the limits. Only `proved` is a guarantee.\n\n"
      "    >>> checker.suggest_pairs(samples=100)\n"
      "    [...]");
}

}  // namespace planner_ccd::python
