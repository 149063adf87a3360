#include <iostream>

#include "planner_ccd/cli/load.hpp"
#include "planner_ccd/cli/motion.hpp"
#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/cli/timeline.hpp"
#include "planner_ccd/version.hpp"
#include "planner_ccd/viewer/report_page.hpp"

namespace planner_ccd::cli {

int run_view(const Arguments& arguments) {
  const std::string file = arguments.required("html");
  std::vector<InputFile> timeline_file;
  std::optional<Changes> changes = load_timeline_option(arguments, timeline_file);
  LoadedRobot robot = load_robots("ROBOT.urdf", arguments, changes ? changes->file.moving : std::vector<MovingFrame>());
  viewer::PageContent content;
  content.title = robot.model->name();
  content.robot = robot.model.get();
  robot.inputs.insert(robot.inputs.end(), timeline_file.begin(), timeline_file.end());
  Scene scene = load_scene_option(arguments, robot);
  content.scene = &scene;
  if (changes || arguments.has("path") || arguments.has("trajectory")) {
    const Loaded<Motion> motion = load_motion(arguments, robot, changes, robot);
    Trajectory trajectory = motion.value.whole("a page");
    if (changes) {
      const CheckerOptions unchecked{.cell_evaluations = 0};
      const Timeline timeline = make_timeline(arguments, *changes, robot, scene, motion.value, unchecked, robot);
      scene = timeline.stages()[0].scene;
      trajectory = timeline.motion();
      viewer::show_events(timeline.events(), content);
      viewer::show_changes(timeline, content);
    }
    content.motion = viewer::pieces_of(*robot.model, trajectory);
    content.rest = configuration(*robot.model, trajectory.segments.front(), 0.0);
    content.time_is_known = trajectory.timed;
  }
  print_warnings(arguments, robot);
  content.facts.emplace_back("planner_ccd", PLANNER_CCD_VERSION);
  content.command_line = arguments.command();
  for (const InputFile& input : robot.inputs) content.inputs.push_back({input.role, input.path, input.sha256_hex()});
  for (const InputWarning& w : robot.warnings) content.warnings.push_back({to_string(w.kind), w.text});
  viewer::write_page(content, file);
  std::cout << "wrote " << file << "\n" << std::flush;
  return kFree;
}

}  // namespace planner_ccd::cli
