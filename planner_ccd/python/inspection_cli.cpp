#include "planner_ccd/cli/inspect_report.hpp"
#include "planner_ccd/python/report.hpp"

namespace planner_ccd::python {

std::string inspection_of(const Robot& robot, std::int64_t cell_evaluations) {
  CheckerOptions options;
  options.cell_evaluations = cell_evaluations;
  const PathChecker checker(robot.model, {}, robot.matrix, options);
  cli::LoadedRobot loaded;
  loaded.model = robot.model;
  loaded.srdf = robot.srdf;
  loaded.matrix = robot.matrix;
  loaded.inputs = robot.inputs;
  loaded.warnings = robot.warnings;
  loaded.assumptions = robot.assumptions;
  return cli::inspect_json(std::move(loaded), checker, {});
}

}  // namespace planner_ccd::python
