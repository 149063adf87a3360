#include <array>

#include "planner_ccd/math/stored_versions.hpp"
#include "planner_ccd/python/bindings.hpp"
#include "planner_ccd/version.hpp"

namespace planner_ccd::python {

py::handle verdict_member(Verdict verdict) {
  // Never destroyed: Python may have been finalised by then.
  static const auto* members = [] {
    const py::object type = py::module_::import("planner_ccd._verdict").attr("Verdict");
    return new std::array<py::object, 3>{type.attr("FREE"), type.attr("CONTACT"), type.attr("UNDECIDED")};
  }();
  return (*members)[static_cast<std::size_t>(verdict)];
}

}  // namespace planner_ccd::python

PYBIND11_MODULE(_core, module) {
  using namespace planner_ccd;
  using namespace pybind11::literals;
  module.doc() = "Continuous collision checking of robot motions: a proof, or the first contact.";
  pybind11::register_exception<InputError>(module, "InputError", PyExc_ValueError).doc() =
      "Input that cannot be used; the message names the file or argument, the element in it and the remedy.";
  module.attr("InputError").attr("__module__") = "planner_ccd";
  module.attr("__version__") = PLANNER_CCD_VERSION;
  module.attr("_stored") = pybind11::dict("verdicts"_a = stored::kVerdicts, "shards"_a = stored::kShards);
  python::bind_robot(module);
  python::bind_scene(module);
  python::bind_results(module);
  python::bind_edge_results(module);
  python::bind_certificate(module);
  python::bind_trajectory(module);
  python::bind_findings(module);
  python::bind_options(module);
  python::bind_tracking_limit(module);
  python::bind_timeline(module);
  python::bind_logs(module);
  python::bind_prepared(module);
  python::bind_checker(module);
  python::bind_roadmap(module);
  python::bind_leaf_queries(module);
  python::bind_draws(module);
}
