#include <iostream>

#include "planner_ccd/cli/load.hpp"
#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/viewer/page.hpp"

namespace planner_ccd::cli {

int run_view(const Arguments& arguments) {
  const std::string file = arguments.required("html");
  const LoadedRobot robot = load_robot(arguments.required("ROBOT.urdf"), arguments);
  viewer::PageContent content;
  content.robot = &robot.model;
  const Scene scene;
  content.scene = &scene;
  content.title = robot.model.name();
  content.facts = {{"robot", robot.file}};
  viewer::write_page(content, file);
  std::cout << file << "\n" << std::flush;
  return kFree;
}

}  // namespace planner_ccd::cli
