#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "bench/scenarios/data_worlds.hpp"
#include "bench/scenarios/scenario.hpp"
#include "planner_ccd/io/collision_rules.hpp"
#include "planner_ccd/io/path_file.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/io/urdf.hpp"

namespace planner_ccd::bench {
namespace {

const std::string kSource = PLANNER_CCD_SOURCE_DIR;

struct OwnFiles {
  const char* name;
  const char* robot;   ///< urdf/<robot>.urdf and .srdf
  const char* scene;   ///< models/scenes/<scene>.yaml, or none
  const char* paths;   ///< models/paths/<paths>*.csv: the paper's motion
  bool start_on_path;  ///< Robots whose links meet at nearly all random configurations.
};

constexpr OwnFiles kOwn[] = {
    {"puma_car", "puma", "puma_car", "puma_", false},
    {"mannequin_exercise", "mannequin", "", "mannequin_exercise", true},
    {"mannequin_walk", "mannequin", "chess", "mannequin_walk", true},
    {"grasp", "hand", "ball", "hand_", true},
    {"arm_clutter", "arm7", "arm_clutter", "arm_", false},
};

/// The segments of every path whose file name begins with `prefix`, in the order of the names.
void load_motion(const std::string& prefix, World& world, bool start_on_path) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kSource + "/models/paths")) {
    if (entry.path().filename().string().rfind(prefix, 0) == 0) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    const std::vector<JointVector> q = load_path(file.string(), *world.robot).value.waypoints;
    for (std::size_t i = 1; i < q.size(); ++i) world.motion.push_back({q[i - 1], q[i], false});
    if (start_on_path) world.poses.insert(world.poses.end(), q.begin(), q.end());
  }
}

World own_world(const OwnFiles& files) {
  World world;
  world.robot = std::make_shared<const RobotModel>(load_urdf(kSource + "/urdf/" + files.robot + ".urdf").value);
  world.matrix =
      build_collision_matrix(*world.robot, load_srdf(kSource + "/urdf/" + files.robot + ".srdf", *world.robot).value);
  if (*files.scene) world.scene = load_scene(kSource + "/models/scenes/" + files.scene + ".yaml").value;
  load_motion(files.paths, world, files.start_on_path);
  return world;
}

}  // namespace

std::vector<std::string> own_scenarios() {
  std::vector<std::string> names;
  for (const OwnFiles& f : kOwn) names.emplace_back(f.name);
  return names;
}

World load_world(const std::string& name) {
  for (const OwnFiles& f : kOwn) {
    if (name == f.name) return own_world(f);
  }
  const char* given = std::getenv("PLANNER_CCD_DATA");
  const std::string data = given != nullptr ? given : kSource + "/../shared/data";
  if (!std::filesystem::exists(data)) {
    std::cerr << name << ": skipped, there is no folder " << data << " (PLANNER_CCD_DATA)\n";
    return {};
  }
  return data_world(name, data);
}

}  // namespace planner_ccd::bench
