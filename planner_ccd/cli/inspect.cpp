#include <iostream>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/cli/inspect_report.hpp"
#include "planner_ccd/cli/options.hpp"

namespace planner_ccd::cli {

int run_inspect(const Arguments& arguments) {
  const LoadedRobot robot = load_robot(arguments.required("ROBOT.urdf"), arguments);
  std::cout << (arguments.has("json") ? inspect_json(robot) : inspect_text(robot)) << std::flush;
  return kFree;
}

}  // namespace planner_ccd::cli
