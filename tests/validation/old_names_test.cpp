#include <gtest/gtest.h>

#include "planner_ccd/validation/check_trajectory.hpp"
#include "planner_ccd/validation/cloud_filters.hpp"
#include "support/small_robots.hpp"

/// Old names say what the new ones say, for one minor version; the table is in CHANGELOG.md. old_names.py compiles this file to see
/// that each of them warns, and names the new one.
#ifndef SHOW_WARNINGS
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

namespace planner_ccd {
namespace {

using testing::ball;

std::shared_ptr<const RobotModel> slider() {
  testing::ChainSpec chain;
  chain.slide(Eigen::Vector3d::UnitX()).with(ball(0.1));
  return std::make_shared<const RobotModel>(chain.spec);
}

TEST(OldNames, TheUndecidedPairOfAResult) {
  // A ball on an arm passes a wall within a micrometre, which takes more than one evaluation to prove.
  testing::ChainSpec chain;
  chain.turn(Eigen::Vector3d::UnitZ()).with(ball(0.1, {0.5, 0, 0}));
  const auto robot = std::make_shared<const RobotModel>(chain.spec);
  Scene scene;
  scene.objects.push_back({"wall", {testing::wall({0.600001, 0, 0}, Eigen::Vector3d::UnitX())}});
  const PathChecker checker(robot, scene, CollisionMatrix(), {.cell_evaluations = 0});
  Workspace workspace(checker);
  const JointVector q0 = JointVector::Constant(1, -1.0), q1 = JointVector::Constant(1, 1.1);
  EdgeOptions options;
  options.tolerance = 1e-9;
  options.max_evaluations = 1;
  const EdgeResult result = checker.first_contact(q0, q1, workspace, options);
  ASSERT_TRUE(result.verdict == Verdict::Undecided && result.undecided_pair);
  ASSERT_TRUE(result.open);
  EXPECT_EQ(result.open->a, result.undecided_pair->a);
  EXPECT_EQ((*result.open).b, "wall");
  const EdgeResult free = checker.first_contact(q0, q0, workspace);
  EXPECT_FALSE(free.open || free.undecided_pair);

  TrajectoryOptions of_all;
  of_all.edge = options;
  const PathReport report =
      check_trajectory(checker, make_trajectory(*robot, JointPath{{q0, q1}, {}}), workspace, of_all);
  EXPECT_TRUE(report.edge.open && report.edge.open->b == "wall");
}

TEST(OldNames, OpenSurfaces) {
  Scene scene;
  scene.objects.push_back({"wall", {testing::wall({1, 0, 0}, Eigen::Vector3d::UnitX())}});
  const PathChecker checker(slider(), scene, CollisionMatrix());
  EXPECT_EQ(checker.open_surfaces(), std::vector<std::string>{"wall"});
  EXPECT_EQ(checker.without_inside(), checker.open_surfaces());
}

TEST(OldNames, TheErrorOfAPose) {
  PoseError error{.xyz = 0.25, .angle = 0.5};
  EXPECT_EQ(error, (PoseError{.position = 0.25, .angle = 0.5}));
  error.xyz = 0.125;
  EXPECT_EQ(error.position, 0.125);
  error.position = 2.0;
  EXPECT_EQ(error.xyz, 2.0);
  EXPECT_TRUE(PoseError(error) == error && error.any() && !PoseError().any());
}

TEST(OldNames, FiltersOfClouds) {
  const auto cloud =
      std::make_shared<const PointCloud>(std::vector<Eigen::Vector3d>{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, 0.01, "cloud");
  const RobotFilter filter(slider());
  EXPECT_EQ(filter.without_robot(cloud, Pose::Identity(), JointVector::Zero(1), 0.02).dropped, 1);
  EXPECT_EQ(without_region(cloud, Pose::Identity(), {0.5, -1, -1}, {3, 1, 1}).dropped, 2);
}

}  // namespace
}  // namespace planner_ccd
