#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "planner_ccd/certificate/certificate.hpp"
#include "planner_ccd/geometry/scans.hpp"
#include "planner_ccd/query/path_checker.hpp"

/// Clouds and maps as objects of a scene: what is said of contacts with them, and what else is done with them.
namespace planner_ccd {
namespace {

std::shared_ptr<const RobotModel> slider() {
  RobotSpec spec;
  spec.name = "slider";
  spec.links = {{"base", {}, {}}, {"car", {{Box{{0.2, 0.2, 0.2}}, Pose::Identity(), "box"}}, {}}};
  JointSpec joint;
  joint.name = "slide";
  joint.type = JointType::Prismatic;
  joint.parent = "base";
  joint.child = "car";
  joint.axis = Eigen::Vector3d::UnitX();
  joint.lower = -5;
  joint.upper = 5;
  spec.joints = {joint};
  return std::make_shared<const RobotModel>(spec);
}

SceneObject scan(double x) {
  std::vector<Eigen::Vector3f> points;
  for (int i = 0; i < 50; ++i) points.emplace_back(static_cast<float>(x), 1.0f, 0.1f * static_cast<float>(i));
  points.emplace_back(static_cast<float>(x), 0.0f, 0.0f);
  return {"scan", balls_at(points, 0.004, "scan").balls, Pose::Identity()};
}

SceneObject room(bool unknown) {
  std::vector<OctreeCell> cells(3);
  cells[0].key = cells[1].key = {OctreeCell::kMiddle + 200, OctreeCell::kMiddle, OctreeCell::kMiddle};
  cells[2].key = {OctreeCell::kMiddle + 20, OctreeCell::kMiddle, OctreeCell::kMiddle};
  cells[2].unknown = unknown;
  return {"room", cubes_of(cells, 0.05, "room"), Pose::Identity()};
}

TEST(Clouds, TheFirstContactIsWhereItMustBe) {
  Scene scene;
  scene.objects.push_back(scan(1.0));
  const PathChecker checker(slider(), scene, CollisionMatrix());
  Workspace w(checker);
  const Eigen::VectorXd q0 = Eigen::VectorXd::Constant(1, 0.0), q1 = Eigen::VectorXd::Constant(1, 2.0);
  const EdgeResult r = checker.first_contact(q0, q1, w);
  ASSERT_EQ(r.verdict, Verdict::Contact);
  EXPECT_NEAR(r.contact->t, (1.0 - 0.004 - 0.1) / 2.0, 1e-4);
  EXPECT_EQ(r.contact->a == "scan" ? r.contact->geometry_a : r.contact->geometry_b, 50);
  scene.objects.erase("scan");
  scene.objects.push_back(room(true));
  const PathChecker among_cells(slider(), scene, CollisionMatrix());
  Workspace w2(among_cells);
  const EdgeResult c = among_cells.first_contact(q0, q1, w2);
  ASSERT_EQ(c.verdict, Verdict::Contact);
  EXPECT_NEAR(c.contact->t, (1.0 - 0.1) / 2.0, 1e-4);
  EXPECT_EQ(c.contact->a == "room" ? c.contact->geometry_a : c.contact->geometry_b, 2);
}

/// A ball wholly within the car, which has a surface only.
TEST(Clouds, APointInsideOfALinkIsInContact) {
  Scene scene;
  scene.objects.push_back(scan(0.0));
  const PathChecker checker(slider(), scene, CollisionMatrix());
  Workspace w(checker);
  const EdgeResult r = checker.first_contact(Eigen::VectorXd::Constant(1, 0.0), Eigen::VectorXd::Constant(1, 0.01), w);
  ASSERT_EQ(r.verdict, Verdict::Contact);
  EXPECT_EQ(r.t_free, 0.0);
}

Trajectory straight(double from, double to) {
  JointPath path;
  path.waypoints = {Eigen::VectorXd::Constant(1, from), Eigen::VectorXd::Constant(1, to)};
  return make_trajectory(*slider(), path);
}

TEST(Clouds, FreeMotionsAmongThemAreCertified) {
  Scene scene;
  scene.objects.push_back(scan(1.0));
  const PathChecker checker(slider(), scene, CollisionMatrix());
  const CertificateResult free = make_certificate(checker, straight(-1.0, 0.8));
  EXPECT_TRUE(free.proved) << free.obstacle;
  EXPECT_FALSE(make_certificate(checker, straight(-1.0, 1.5)).proved);
  scene.objects.push_back(room(true));
  const PathChecker with_cells(slider(), scene, CollisionMatrix());
  EXPECT_TRUE(make_certificate(with_cells, straight(-1.0, 0.8)).proved);
}

}  // namespace
}  // namespace planner_ccd
