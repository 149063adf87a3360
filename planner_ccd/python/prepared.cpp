#include "planner_ccd/io/prepared_file.hpp"
#include "planner_ccd/python/checker.hpp"

namespace planner_ccd::python {
namespace {

Prepared prepare(const Robot& robot, double margin, double self_margin, std::int64_t cell_evaluations,
                 const py::object& cache) {
  const std::string folder = cache.is_none() ? std::string() : path_of(cache);
  const py::gil_scoped_release release;
  const PrepareOptions options{margin, cell_evaluations, self_margin};
  Loaded<PreparedRobot> made = folder.empty()
                                   ? Loaded<PreparedRobot>{PreparedRobot(robot.model, robot.matrix, options), {}}
                                   : load_prepared(robot.model, robot.matrix, options, folder);
  return {robot, std::make_shared<const PreparedRobot>(std::move(made.value)), std::move(made.warnings)};
}

}  // namespace

void bind_prepared(py::module_& module) {
  py::class_<Prepared> prepared(
      module, "PreparedRobot",
      "A robot with what is proved of it before any scene; any number of checkers may share it.");
  prepared.attr("__module__") = "planner_ccd";
  prepared
      .def(
          py::init(&prepare), py::arg("robot"), py::kw_only(), py::arg("margin") = 0.0, py::arg("self_margin") = 0.0,
          py::arg("cell_evaluations") = PrepareOptions{}.cell_evaluations, py::arg("cache") = py::none(),
          "margin, self_margin: the greatest that pairs of links will be asked for, in metres: of two robots, of one.\n"
          "cell_evaluations: spent on each pair of links, on proofs for ranges of joint values.\n"
          "cache: a folder to find the proofs in, if they are there, and to keep them in; files of others are not "
          "used.")
      .def_readonly("warnings", &Prepared::warnings, "What was wrong with files in the cache.")
      .def_property_readonly(
          "margin", [](const Prepared& p) { return p.robot->margin(); }, "The greatest margin prepared for, in metres.")
      .def_property_readonly(
          "self_margin", [](const Prepared& p) { return p.robot->self_margin(); },
          "The same within a robot, in metres.")
      .def("__repr__", [](const Prepared& p) {
        return "<planner_ccd.PreparedRobot '" + p.robot->robot().name() +
               "': " + std::to_string(p.robot->cell_memory() / 1024) + " KiB of proofs>";
      });
  def_constant(prepared);
  def_digest(prepared);
}

}  // namespace planner_ccd::python
