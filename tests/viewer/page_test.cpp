#include "viewer/puma_page.hpp"

namespace planner_ccd::test {
namespace {

using viewer::EntryKind;

/// The Puma's page with a cup that it picks up at 1.5 and puts down at 3.5, and where the cup is then.
json write_handed_page(PumaPage& puma, const TempFolder& folder) {
  SceneObject cup{"cup", {{Sphere{0.05}, Eigen::Isometry3d::Identity(), "ball"}}};
  cup.pose.translation() = Eigen::Vector3d(0.5, 0.6, 0.7);
  puma.scene.objects.push_back(cup);
  const Link& gripper = puma.robot.links()[static_cast<std::size_t>(puma.robot.find_link("gripper"))];
  const auto hand = [&](double time) -> Pose {
    const JointVector &q0 = puma.path.waypoints[static_cast<std::size_t>(time)],
                      &q1 = puma.path.waypoints[static_cast<std::size_t>(time) + 1];
    const JointVector q = q0 + (time - std::floor(time)) * (q1 - q0);
    return kinematics(puma.robot, q).bodies[static_cast<std::size_t>(gripper.body)].pose();
  };
  const Pose held = hand(1.5).inverse() * cup.pose, put = hand(3.5) * held;
  puma.content.stays = {{"cup", 0.0, 0, cup.pose}, {"cup", 1.5, gripper.body, held}, {"cup", 3.5, 0, put}};
  puma.add_finding(EntryKind::Event, 1.5);
  viewer::write_page(puma.content, folder.path("handed.html"));
  json places = json::array();
  const auto add = [&](double time, const Pose& X) {
    const Eigen::Vector3d p = X.translation();
    places.push_back({{"time", time}, {"cup", {p.x(), p.y(), p.z()}}});
  };
  for (const double time : {0.0, 1.0, 1.499, 3.5, 4.5}) add(time, time < 3.5 ? cup.pose : put);
  for (const double time : {1.5, 2.25, 3.0, 3.499}) add(time, hand(time) * held);
  return places;
}

TEST(ViewerPage, WorksInABrowser) {
  if (std::string(PLANNER_CCD_CHROMIUM).empty()) GTEST_SKIP() << "Chromium is not installed";
  const TempFolder folder;
  const PumaPage puma;
  viewer::write_page(puma.content, folder.path("puma.html"));
  folder.write("puma.json", puma.expected.dump());
  PumaPage handed;
  folder.write("handed.json", write_handed_page(handed, folder).dump());
  PumaPage unchecked;
  unchecked.content.verdict.clear();
  unchecked.content.findings.clear();
  unchecked.add_finding(EntryKind::Event, 1.5);
  viewer::write_page(unchecked.content, folder.path("unchecked.html"));
  const RandomMotion random(3);
  viewer::write_page(random.content, folder.path("random.html"));
  folder.write("random.json", random.expected.dump());
  RobotSpec with_visual = load_urdf(source("urdf/puma.urdf")).value;
  with_visual.links[2].visual.push_back(
      {Box{{0.1, 0.2, 0.3}}, Eigen::Isometry3d::Identity(), "box", std::array<double, 4>{1.0, 0.5, 0.0, 0.25}});
  const RobotModel robot(with_visual);
  viewer::PageContent still;
  still.title = "still";
  still.robot = &robot;
  const Scene empty;
  still.scene = &empty;
  viewer::write_page(still, folder.path("still.html"));
  folder.write("still.json", poses_json(kinematics(puma.robot, puma.robot.neutral())).dump());
  Eigen::VectorXd moved = puma.robot.neutral();
  moved[1] = 1.25;
  folder.write("moved.json", poses_json(kinematics(puma.robot, moved)).dump());
  EXPECT_EQ(run_node("page_test.mjs", "'" + folder.path() + "' '" PLANNER_CCD_CHROMIUM "'"), 0);
}

TEST(ViewerPage, IsOneSmallFileWithoutReferencesToOthers) {
  const PumaPage puma;
  const std::string html = viewer::page(puma.content);
  EXPECT_LT(html.size(), 400'000u);
  for (const char* reference : {" src=", "href=", "@import", "url("}) {
    EXPECT_EQ(html.substr(0, html.find("id=\"app\"")).find(reference), std::string::npos) << reference;
  }
  EXPECT_NE(html.find("<title>&lt;/title&gt;&lt;script&gt;throw 1"), std::string::npos);
}

TEST(ViewerPage, FileThatCannotBeWrittenIsNamed) {
  const PumaPage puma;
  expect_input_error([&] { viewer::write_page(puma.content, "/nonexistent/p.html"); }, {"/nonexistent/p.html: "});
}

TEST(ViewerPage, TrianglesAreMarkedInTheFrameOfTheirBody) {
  const PumaPage puma;
  const int link = puma.robot.find_link("gripper");
  const auto marked = viewer::marked_triangle(puma.robot, puma.scene, "gripper", 0, 89);
  ASSERT_TRUE(marked);
  EXPECT_EQ(marked->body, puma.robot.links()[static_cast<std::size_t>(link)].body);
  const auto car = viewer::marked_triangle(puma.robot, puma.scene, "car", 0, 5);
  ASSERT_TRUE(car);
  EXPECT_EQ(car->body, 0);
  const auto& mesh = **std::get_if<MeshPtr>(&puma.scene.objects[0].geometry[0].shape);
  const Eigen::Isometry3d X = puma.scene.objects[0].pose * puma.scene.objects[0].geometry[0].pose;
  EXPECT_TRUE(car->corners[1].isApprox(X * mesh.vertices[static_cast<std::size_t>(mesh.triangles[5][1])]));
  EXPECT_FALSE(viewer::marked_triangle(puma.robot, puma.scene, "floor", 0, 0)) << "a box has no mesh";
  EXPECT_FALSE(viewer::marked_triangle(puma.robot, puma.scene, "gripper", 0, -1));
  EXPECT_FALSE(viewer::marked_triangle(puma.robot, puma.scene, "gripper", 7, 0));
  EXPECT_FALSE(viewer::marked_triangle(puma.robot, puma.scene, "nobody", 0, 0));
}

}  // namespace
}  // namespace planner_ccd::test
