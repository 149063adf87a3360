#include <iostream>

#include "planner_ccd/certificate/certificate.hpp"
#include "planner_ccd/cli/load.hpp"
#include "planner_ccd/cli/motion.hpp"
#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/cli/timeline.hpp"
#include "planner_ccd/query/path_checker.hpp"

namespace planner_ccd::cli {

int run_statement(const Arguments& arguments) {
  CheckerOptions options = checker_options(arguments);
  options.cell_evaluations = 0;  // nothing is searched for
  LoadedRobot robot = load_robots("robot", arguments);
  const Scene scene = load_scene_option(arguments, robot);
  std::optional<Changes> none;
  const Loaded<Motion> motion = load_motion(arguments, robot, none, robot);
  const PathChecker checker(robot.model, scene, robot.matrix, options);
  print_warnings(arguments, robot);
  std::cout << "statement " << statement_sha256(checker, motion.value.whole("a statement")) << "\n" << std::flush;
  return kFree;
}

}  // namespace planner_ccd::cli
