#include "planner_ccd/python/bindings.hpp"
#include "planner_ccd/version.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace planner_ccd;
  module.doc() = "Continuous collision checking of robot motions: a proof, or the first contact.";
  pybind11::register_exception<InputError>(module, "InputError", PyExc_ValueError).doc() =
      "Input that cannot be used; the message names the file or argument, the element in it and the remedy.";
  module.attr("InputError").attr("__module__") = "planner_ccd";
  module.attr("__version__") = PLANNER_CCD_VERSION;
  python::bind_robot(module);
  python::bind_scene(module);
  python::bind_results(module);
  python::bind_certificate(module);
  python::bind_checker(module);
}
