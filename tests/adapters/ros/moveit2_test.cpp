// The adapter of docs/moveit2.md, compiled and run with declarations like MoveIt's.
#include "adapters/ros/moveit2_adapter.hpp"
#include "support/shared_data.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace planner_ccd::test {
namespace {

std::string slurp(const std::string& file) {
  std::ifstream in(testing::source_dir() + "/" + file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A sphere on an arm that turns by `angle`, past a ball that stands at 90 degrees.
std::int32_t answer(double angle) {
  const std::string urdf =
      "<robot name='r'><link name='w'/><link name='l'><collision><origin xyz='1 0 0'/><geometry><sphere radius='0.1'/>"
      "</geometry></collision></link><joint name='j' type='revolute'><parent link='w'/><child link='l'/>"
      "<axis xyz='0 0 1'/><limit lower='-3' upper='3' velocity='1' effort='1'/></joint></robot>";
  const std::string scene = ::testing::TempDir() + "/planner_ccd_moveit2_scene.yaml";
  std::ofstream(scene) << "objects: [{name: ball, sphere: {radius: 0.1}, pose: {xyz: [0, 1, 0]}}]\n";
  const auto node = std::make_shared<rclcpp::Node>();
  node->parameters = {
      {"robot_description", urdf}, {"robot_description_semantic", "<robot name='r'/>"}, {"planner_ccd_scene", scene}};
  ProveSolution adapter;
  adapter.initialize(node, "");
  planning_interface::MotionPlanResponse response;
  response.trajectory = std::make_shared<robot_trajectory::RobotTrajectory>();
  auto& plan = response.trajectory->message.joint_trajectory;
  plan.joint_names = {"j"};
  plan.points.resize(2);
  plan.points[0].positions = {0.0};
  plan.points[1].positions = {angle};
  plan.points[1].time_from_start.sec = 4;
  adapter.adapt(std::make_shared<planning_scene::PlanningScene>(), {}, response);
  return response.error_code.val;
}

TEST(MoveIt2, PlanThroughAnObstacleBetweenItsWaypointsIsRefused) {
  EXPECT_EQ(answer(1.0), moveit_msgs::msg::MoveItErrorCodes::SUCCESS);
  EXPECT_EQ(answer(2.5), moveit_msgs::msg::MoveItErrorCodes::INVALID_MOTION_PLAN);
}

TEST(MoveIt2, PageShowsWhatIsCompiled) {
  const std::string code = slurp("tests/adapters/ros/moveit2_adapter.hpp");
  ASSERT_GT(code.size(), 500u);
  EXPECT_NE(slurp("docs/moveit2.md").find("```c++\n" + code + "```"), std::string::npos);
}

}  // namespace
}  // namespace planner_ccd::test
