#include <iostream>

#include "planner_ccd/cli/check_page.hpp"
#include "planner_ccd/cli/check_trajectory_options.hpp"
#include "planner_ccd/cli/load.hpp"
#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/viewer/page.hpp"

namespace planner_ccd::cli {

int run_view(const Arguments& arguments) {
  const std::string file = arguments.required("html");
  LoadedRobot robot = load_robot(arguments.required("ROBOT.urdf"), arguments);
  viewer::PageContent content;
  content.title = robot.model->name();
  content.robot = robot.model.get();
  content.facts = page_facts(arguments);
  Scene scene;
  if (const auto scene_file = arguments.text("scene")) {
    SceneFileOptions options;
    options.resources = resource_options(arguments);
    options.robot = robot.model.get();
    Loaded<Scene> read = load_scene(*scene_file, options);
    scene = std::move(read.value);
    robot.warnings.insert(robot.warnings.end(), read.warnings.begin(), read.warnings.end());
  }
  content.scene = &scene;
  if (arguments.has("path") || arguments.has("trajectory")) {
    const Loaded<Trajectory> motion = load_motion(arguments, *robot.model);
    robot.warnings.insert(robot.warnings.end(), motion.warnings.begin(), motion.warnings.end());
    content.motion = pieces_of(*robot.model, motion.value);
    content.rest = configuration(*robot.model, motion.value.segments.front(), 0.0);
    content.time_is_known = motion.value.timed;
  }
  for (const std::string& warning : robot.warnings) std::cerr << "warning: " << warning << "\n";
  viewer::write_page(content, file);
  std::cout << "wrote " << file << "\n" << std::flush;
  return kFree;
}

}  // namespace planner_ccd::cli
