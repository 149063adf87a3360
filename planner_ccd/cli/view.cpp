#include <iostream>

#include "planner_ccd/cli/check_page.hpp"
#include "planner_ccd/cli/load.hpp"
#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/io/path_file.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/viewer/page.hpp"

namespace planner_ccd::cli {

int run_view(const Arguments& arguments) {
  const std::string file = arguments.required("html");
  LoadedRobot robot = load_robot(arguments.required("ROBOT.urdf"), arguments);
  viewer::PageContent content;
  content.title = robot.model->name();
  content.robot = robot.model.get();
  content.facts = {{"robot", robot.file}};
  Scene scene;
  if (const auto scene_file = arguments.text("scene")) {
    SceneFileOptions options;
    options.resources = resource_options(arguments);
    options.robot = robot.model.get();
    Loaded<Scene> read = load_scene(*scene_file, options);
    scene = std::move(read.value);
    robot.warnings.insert(robot.warnings.end(), read.warnings.begin(), read.warnings.end());
    content.facts.emplace_back("scene", *scene_file);
  }
  content.scene = &scene;
  if (const auto path_file = arguments.text("path")) {
    const Loaded<JointPath> path = load_path(*path_file, *robot.model);
    robot.warnings.insert(robot.warnings.end(), path.warnings.begin(), path.warnings.end());
    const Trajectory trajectory = make_trajectory(*robot.model, path.value);
    content.motion = pieces_of(*robot.model, trajectory);
    content.rest = configuration(*robot.model, trajectory.segments.front(), 0.0);
    content.time_is_known = trajectory.timed;
    content.facts.emplace_back("path", *path_file);
  }
  for (const std::string& warning : robot.warnings) std::cerr << "warning: " << warning << "\n";
  viewer::write_page(content, file);
  std::cout << "wrote " << file << "\n" << std::flush;
  return kFree;
}

}  // namespace planner_ccd::cli
