#include <cstdint>
#include <memory>
#include <string>

#include "planner_ccd/io/timeline_file.hpp"
#include "planner_ccd/math/error.hpp"

namespace {

using namespace planner_ccd;

SceneObject ball(const std::string& name, double x) {
  SceneObject object{name, {{Sphere{0.1}, Eigen::Isometry3d::Identity(), "ball"}}};
  object.pose.translation().x() = x;
  return object;
}

RobotSpec slider() {
  RobotSpec spec;
  spec.name = "slider";
  for (const char* name : {"base", "hand", "finger"}) spec.links.push_back({name, {}, {}});
  spec.links[1].collision = ball("", 0.0).geometry;
  spec.joints.push_back({.name = "x", .type = JointType::Prismatic, .parent = "base", .child = "hand"});
  spec.joints.push_back({.name = "grip", .type = JointType::Prismatic, .parent = "hand", .child = "finger"});
  for (JointSpec& joint : spec.joints) joint.lower = -9.0, joint.upper = 9.0;
  return spec;
}

}  // namespace

// Any text: either an InputError, or a timeline whose worlds are valid scenes and whose motion has the length of the robot's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const TimelineFile file = parse_timeline(text, "fuzz.yaml", "/nonexistent/folder");
    if (file.moving.size() > 4 || file.events.size() > 16) return 0;
    const RobotModel bare(slider());
    const auto robot = std::make_shared<const RobotModel>(with_moving_frames(slider(), file.moving));
    JointPath path;
    for (int i = 0; i < 4; ++i) {
      path.waypoints.push_back(JointVector::Constant(2, 0.5 * i));
      path.times.push_back(2.0 * i);
    }
    const Trajectory motion = make_trajectory(bare, path);
    Scene scene;
    for (const char* name : {"cup", "crate", "table"}) scene.objects.push_back(ball(name, 2.0 * name[1] / 100.0));
    const Trajectory whole = with_moving_frames(*robot, motion, file.moving);
    scene = with_carried(*robot, scene, whole, file.moving);
    const Timeline timeline(PathChecker(robot, scene, CollisionMatrix(), {.cell_evaluations = 0}), scene, whole,
                            at_times(file.events, motion));
    if (timeline.stages().front().begin != 0.0 || timeline.stages().back().end != 6.0) __builtin_trap();
    for (const Timeline::Stage& stage : timeline.stages()) validate(stage.scene);
  } catch (const InputError&) {
    return 0;
  }
  return 0;
}
