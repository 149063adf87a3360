#include "planner_ccd/io/prepared_file.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "planner_ccd/io/text.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/math/error.hpp"
#include "support/shared_data.hpp"

namespace planner_ccd {
namespace {

namespace fs = std::filesystem;

class PreparedFile : public ::testing::Test {
 protected:
  PreparedFile() { fs::remove_all(folder_); }
  ~PreparedFile() override { fs::remove_all(folder_); }

  const fs::path folder_ = fs::path(::testing::TempDir()) / ("prepared_file_" + std::to_string(std::rand()));
  const std::shared_ptr<const RobotModel> robot_ =
      std::make_shared<const RobotModel>(load_urdf(testing::source_dir() + "/urdf/puma.urdf").value);
  const CollisionMatrix matrix_;

  Loaded<std::optional<PreparedRobot>> find(double margin = 0.0) const {
    return find_prepared(robot_, matrix_, {margin, 0, margin}, folder_.string());
  }
};

TEST_F(PreparedFile, IsFoundAgainByWhatItIsAbout) {
  EXPECT_FALSE(find().value);
  const PreparedRobot made(robot_, matrix_, {0.0, 500});
  const std::string path = keep_prepared(made, folder_.string());
  EXPECT_EQ(fs::path(path).filename().string(), made.key() + ".cells");
  const auto found = find();
  ASSERT_TRUE(found.value);
  EXPECT_TRUE(found.warnings.empty());
  EXPECT_EQ(found.value->cell_evaluations(), 500);
  EXPECT_EQ(found.value->proofs(), made.proofs());
  EXPECT_GT(found.value->cell_memory(), 0u);
  EXPECT_FALSE(find(0.01).value);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1) << "drafts are left";
}

TEST_F(PreparedFile, ThatIsDamagedOrOthersMayWriteIsLeftAloneWithAWarning) {
  const std::string path = keep_prepared(PreparedRobot(robot_, matrix_, {0.0, 200}), folder_.string());
  fs::permissions(path, fs::perms::group_write, fs::perm_options::add);
  auto found = find();
  EXPECT_FALSE(found.value);
  ASSERT_EQ(found.warnings.size(), 1u);
  EXPECT_NE(found.warnings[0].text.find("written by others"), std::string::npos) << found.warnings[0].text;
  fs::permissions(path, fs::perms::group_write, fs::perm_options::remove);
  EXPECT_TRUE(find().value);
  fs::resize_file(path, fs::file_size(path) - 1);
  found = find();
  EXPECT_FALSE(found.value);
  ASSERT_EQ(found.warnings.size(), 1u);
  EXPECT_NE(found.warnings[0].text.find(path), std::string::npos) << found.warnings[0].text;
}

TEST_F(PreparedFile, IsMadeWhenItIsNotThereOrTookLessThanIsAskedFor) {
  const auto load = [&](std::int64_t evaluations) {
    return load_prepared(robot_, matrix_, {0.0, evaluations}, folder_.string());
  };
  EXPECT_EQ(load(200).value.cell_evaluations(), 200);
  ASSERT_TRUE(find().value);
  EXPECT_EQ(load(100).value.cell_evaluations(), 200) << "what is there will do";
  EXPECT_EQ(load(400).value.cell_evaluations(), 400);
  EXPECT_EQ(find().value->cell_evaluations(), 400);
  // A folder that cannot be created: the robot is prepared nevertheless.
  std::ofstream(folder_ / "file") << "x";
  const auto without = load_prepared(robot_, matrix_, {0.0, 100}, (folder_ / "file").string());
  EXPECT_EQ(without.value.cell_evaluations(), 100);
  EXPECT_EQ(without.warnings.size(), 1u);
  EXPECT_THROW((void)keep_prepared(without.value, ""), InputError);
}

TEST_F(PreparedFile, LiesWhereTheEnvironmentSays) {
  setenv("PLANNER_CCD_CACHE", "/somewhere", 1);
  EXPECT_EQ(default_proof_folder(), "/somewhere");
  unsetenv("PLANNER_CCD_CACHE");
  setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(default_proof_folder(), "/cache/planner_ccd");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(default_proof_folder(), "/home/me/.cache/planner_ccd");
  unsetenv("HOME");
  EXPECT_EQ(default_proof_folder(), "");
}

}  // namespace
}  // namespace planner_ccd
