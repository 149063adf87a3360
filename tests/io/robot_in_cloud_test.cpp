#include "io/io_support.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "support/small_robots.hpp"

/// 'drop_robot' of a cloud in a scene file: the points of the robot, and of what it holds, where it stood.
namespace planner_ccd {
namespace {

using test::expect_input_error;

class RobotInCloud : public ::testing::Test {
 protected:
  test::TempFolder folder_;
  RobotModel robot_ = [] {
    testing::ChainSpec chain;
    chain.slide(Eigen::Vector3d::UnitX()).turn(Eigen::Vector3d::UnitZ()).with(testing::ball(0.1));
    return RobotModel(chain.spec);
  }();

  void SetUp() override { folder_.write("scan.xyz", "0 0 0\n1 0 0\n1.15 0 0\n1.3 0 0\n2 0 0\n1 0 1\n"); }

  Loaded<Scene> read(const std::string& drop, const std::string& more = "", bool with_robot = true) {
    SceneFileOptions options;
    if (with_robot) options.robot = &robot_;
    return parse_scene("objects:\n  - {name: seen, cloud: {file: scan.xyz, radius: 0.01, drop_robot: " + drop +
                           "}, pose: {xyz: [0, 0, -1]}}\n" + more,
                       "s.yaml", folder_.path(), options);
  }
  static const PointCloud& cloud_of(const Loaded<Scene>& scene) {
    return *std::get<CloudPtr>(scene.value.objects.find("seen")->geometry[0].shape);
  }
};

TEST_F(RobotInCloud, IsDroppedAndCounted) {
  const Loaded<Scene> touching =
      read("{at: {j1: 1, j2: 0.5}}");  // the points lie a metre lower: the last is the ball's
  EXPECT_EQ(cloud_of(touching).size(), 5);
  EXPECT_EQ(cloud_of(touching).find(5), -1);
  ASSERT_EQ(touching.assumptions.size(), 2u);
  EXPECT_EQ(touching.assumptions[1].kind, AssumptionKind::PointsDropped);
  EXPECT_EQ(touching.assumptions[1].names, std::vector<std::string>{"seen"});
  EXPECT_EQ(touching.assumptions[1].text, "1 points of a cloud, in the robot or within 0 m of it, were left out");
  EXPECT_EQ(cloud_of(read("{at: {j1: 1, j2: 0}, within: 0.92}")).size(), 3)
      << "also 1 0 0 and 1.15 0 0, 0.9 and 0.911 m off";
  const Loaded<Scene> elsewhere = read("{at: {j1: 50, j2: 0}, within: 0.1}");
  EXPECT_EQ(cloud_of(elsewhere).size(), 6);
  EXPECT_EQ(elsewhere.assumptions.size(), 1u);
}

TEST_F(RobotInCloud, AlsoWhatItHolds) {
  const Loaded<Scene> scene = read("{at: {j1: 1, j2: 0}}",
                                   "attached:\n  - {name: bar, box: {size: [0.02, 0.02, 2]}, link: l2, pose: {xyz: "
                                   "[0.15, 0, -0.5]}}\n");
  EXPECT_EQ(cloud_of(scene).size(), 4);
  EXPECT_EQ(cloud_of(scene).find(2), -1);
}

TEST_F(RobotInCloud, BadOnesAreRefused) {
  for (const auto& [drop, part] : std::vector<std::pair<std::string, std::string>>{
           {"{at: {j1: 1}}", "missing: j2"},
           {"{at: {j1: 1, j2: 0, j3: 0}}", "\"j3\" is not a joint"},
           {"{at: {j1: 1, j2: x}}", "j2"},
           {"{at: [1, 0]}", "every joint its value"},
           {"{within: 0.1}", "at"},
           {"{at: {j1: 1, j2: 0}, within: -1}", "'within' must not be negative"},
           {"{at: {j1: 1, j2: 0}, within: 100}", "all points of the cloud belong to the robot"},
           {"{at: {j1: 1, j2: 0}, radius: 1}", "radius"}}) {
    expect_input_error([&, text = drop] { read(text); }, {"s.yaml:2", part});
  }
  expect_input_error([&] { read("{at: {j1: 1, j2: 0}}", "", false); }, {"s.yaml:2", "load the scene with it"});
  expect_input_error(
      [&] {
        SceneFileOptions options;
        options.robot = &robot_;
        parse_scene(
            "objects: []\nattached:\n  - {name: seen, link: l2, cloud: {file: scan.xyz, radius: 0.01, drop_robot: {at: "
            "{j1: 1, j2: 0}}}}\n",
            "s.yaml", folder_.path(), options);
      },
      {"s.yaml:3", "a cloud that is held"});
}

}  // namespace
}  // namespace planner_ccd
