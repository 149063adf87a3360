#include <iostream>

#include "planner_ccd/cli/check_page.hpp"
#include "planner_ccd/cli/load.hpp"
#include "planner_ccd/cli/motion.hpp"
#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/cli/timeline.hpp"
#include "planner_ccd/cli/timeline_report.hpp"
#include "planner_ccd/viewer/page.hpp"

namespace planner_ccd::cli {

int run_view(const Arguments& arguments) {
  const std::string file = arguments.required("html");
  std::optional<Changes> changes = load_timeline_option(arguments);
  LoadedRobot robot = load_robots("ROBOT.urdf", arguments, changes ? changes->file.moving : std::vector<MovingFrame>());
  viewer::PageContent content;
  content.title = robot.model->name();
  content.robot = robot.model.get();
  content.facts = page_facts(arguments);
  Scene scene = load_scene_option(arguments, robot);
  content.scene = &scene;
  if (changes || arguments.has("path") || arguments.has("trajectory")) {
    const Loaded<Motion> motion = load_motion(arguments, robot, changes);
    robot.note(motion);
    Trajectory trajectory = motion.value.whole("a page");
    if (changes) {
      const CheckerOptions unchecked{.cell_evaluations = 0};
      const Timeline timeline = make_timeline(arguments, *changes, robot, scene, motion.value, unchecked);
      scene = timeline.stages()[0].scene;
      trajectory = timeline.motion();
      show_events(timeline, content);
    }
    content.motion = pieces_of(*robot.model, trajectory);
    content.rest = configuration(*robot.model, trajectory.segments.front(), 0.0);
    content.time_is_known = trajectory.timed;
  }
  print_warnings(arguments, robot);
  viewer::write_page(content, file);
  std::cout << "wrote " << file << "\n" << std::flush;
  return kFree;
}

}  // namespace planner_ccd::cli
