#include "io/io_support.hpp"
#include "planner_ccd/io/collision_rules.hpp"
#include "planner_ccd/io/path_file.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "support/shared_data.hpp"

namespace planner_ccd::test {
namespace {

std::vector<std::filesystem::path> own_files(const std::string& folder, const std::string& ending) {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path root = std::filesystem::path(testing::source_dir()) / folder;
  if (!std::filesystem::exists(root)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ending) files.push_back(entry.path());
  }
  return files;
}

TEST(OwnModels, EveryUrdfLoadsWithoutAWarning) {
  const auto urdfs = own_files("urdf", ".urdf");
  if (urdfs.empty()) GTEST_SKIP() << "there are no URDFs of our own";
  for (const auto& urdf : urdfs) {
    SCOPED_TRACE(urdf.string());
    const auto loaded = load_urdf(urdf.string());
    EXPECT_TRUE(loaded.warnings.empty()) << loaded.warnings.front().text;
    const RobotModel model(loaded.value);
    const auto srdf = urdf.parent_path() / (urdf.stem().string() + ".srdf");
    if (!std::filesystem::exists(srdf)) continue;
    const auto rules = load_srdf(srdf.string(), model);
    EXPECT_TRUE(rules.warnings.empty()) << rules.warnings.front().text;
    EXPECT_FALSE(build_collision_matrix(model, rules.value).exclusions().empty());
  }
}

TEST(OwnModels, EverySceneLoadsWithoutWarnings) {
  const auto scenes = own_files("models/scenes", ".yaml");
  if (scenes.empty()) GTEST_SKIP() << "there are no scenes of our own";
  for (const auto& scene : scenes) {
    SCOPED_TRACE(scene.string());
    const auto loaded = load_scene(scene.string());
    EXPECT_TRUE(loaded.warnings.empty()) << loaded.warnings.front().text;
  }
}

// A path belongs to the robot whose joints its header names.
TEST(OwnModels, EveryPathLoadsForARobotOfOurs) {
  const auto paths = own_files("models/paths", ".csv");
  if (paths.empty()) GTEST_SKIP() << "there are no paths of our own";
  std::vector<RobotModel> models;
  for (const auto& urdf : own_files("urdf", ".urdf")) models.emplace_back(load_urdf(urdf.string()).value);
  for (const auto& path : paths) {
    SCOPED_TRACE(path.string());
    int fitting = 0;
    std::string reasons;
    for (const RobotModel& model : models) {
      try {
        const auto loaded = load_path(path.string(), model);
        EXPECT_TRUE(loaded.warnings.empty()) << loaded.warnings.front().text;
        ++fitting;
      } catch (const InputError& error) {
        reasons += std::string(error.what()) + "\n";
      }
    }
    EXPECT_GE(fitting, 1) << reasons;
  }
}

}  // namespace
}  // namespace planner_ccd::test
