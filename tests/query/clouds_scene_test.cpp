#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "planner_ccd/certificate/certificate.hpp"
#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "planner_ccd/validation/depth.hpp"
#include "support/random_robot.hpp"

/// Clouds and maps as objects of a scene: their contacts, and other operations on them.
namespace planner_ccd {
namespace {

using testing::Draw;

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
  return {"scan",
          {{std::make_shared<const PointCloud>(points, 0.004, "scan"), Pose::Identity(), "scan.pcd"}},
          Pose::Identity()};
}

SceneObject room(bool unknown) {
  std::vector<OctreeCell> cells(3);
  cells[0].key = cells[1].key = {CellMap::kMiddle + 200, CellMap::kMiddle, CellMap::kMiddle};
  cells[2].key = {CellMap::kMiddle + 20, CellMap::kMiddle, CellMap::kMiddle};
  cells[2].unknown = unknown;
  return {
      "room", {{std::make_shared<const CellMap>(cells, 0.05, "room"), Pose::Identity(), "room.bt"}}, Pose::Identity()};
}

/// A step from 0 to 0.5 m high at x = 1.5, in a field of 2 x 1 m below z = 0.3.
SceneObject step(bool missing) {
  std::vector<double> heights(21 * 11, -0.5);
  for (std::size_t i = 0; i < heights.size(); ++i) {
    if (i % 21 > 15) heights[i] = missing ? std::nan("") : 0.0;
  }
  const HeightFieldOptions options{.pixel = 0.1, .floor = -0.8, .top = 0.25};
  SceneObject object{"step",
                     {{std::make_shared<const CellMap>(make_height_field(heights, 21, options, "step"), "step"),
                       Pose::Identity(), "step.npy"}},
                     Pose::Identity()};
  object.pose.translation() = Eigen::Vector3d(0.0, -0.5, 0.0);
  return object;
}

TEST(Clouds, AStepOfAHeightFieldIsMetAtItsSide) {
  for (const bool missing : {false, true}) {
    Scene scene;
    scene.objects.push_back(step(missing));
    const PathChecker checker(slider(), scene, CollisionMatrix());
    Workspace w(checker);
    const EdgeResult r = checker.first_contact(Eigen::VectorXd::Constant(1, 0.0), Eigen::VectorXd::Constant(1, 2.0), w);
    ASSERT_EQ(r.verdict, Verdict::Contact);
    EXPECT_NEAR(r.contact->t, (1.5 - 0.1) / 2.0, 1e-4);
    const int number = r.contact->a == "step" ? r.contact->triangle_a : r.contact->triangle_b;
    EXPECT_EQ(number % 21, 15) << "the column before the first high height reaches up to it";
    const CellMap& map = *std::get<CellsPtr>(scene.objects.front().geometry[0].shape);
    EXPECT_EQ(map.unknown(map.find(number)), missing);
    Eigen::Isometry3d X_car = Eigen::Isometry3d::Identity();
    X_car.translation() = Eigen::Vector3d(1.75, 0.05, -0.1);  // on the axis of a column
    const SsvTree field = SsvTree::build(scene.objects.front().geometry, "field");
    const auto car = SsvTree::build({{Sphere{0.05}, Pose::Identity(), "ball"}}, "car");
    const auto depth = deepest_point(car, X_car, field, Eigen::Isometry3d(scene.objects.front().pose.matrix()));
    ASSERT_TRUE(depth.has_value());
    EXPECT_NEAR(depth->depth, 0.1, 1e-9) << "half a column, and the ball's radius";
  }
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
  EXPECT_EQ(r.contact->a == "scan" ? r.contact->triangle_a : r.contact->triangle_b, 50);
  scene.objects.erase("scan");
  scene.objects.push_back(room(true));
  const PathChecker among_cells(slider(), scene, CollisionMatrix());
  Workspace w2(among_cells);
  const EdgeResult c = among_cells.first_contact(q0, q1, w2);
  ASSERT_EQ(c.verdict, Verdict::Contact);
  EXPECT_NEAR(c.contact->t, (1.0 - 0.1) / 2.0, 1e-4);
  const int number = c.contact->a == "room" ? c.contact->triangle_a : c.contact->triangle_b;
  const auto& map = *std::get<CellsPtr>(scene.objects.find("room")->geometry[0].shape);
  EXPECT_EQ(map.cell(number).key[0], CellMap::kMiddle + 20);
  EXPECT_TRUE(map.cell(number).unknown);
}

/// A ball wholly inside the car, which is only a surface.
TEST(Clouds, APointInsideOfALinkIsInContact) {
  Scene scene;
  scene.objects.push_back(scan(0.0));
  const PathChecker checker(slider(), scene, CollisionMatrix());
  Workspace w(checker);
  const EdgeResult r = checker.first_contact(Eigen::VectorXd::Constant(1, 0.0), Eigen::VectorXd::Constant(1, 0.01), w);
  ASSERT_EQ(r.verdict, Verdict::Contact);
  EXPECT_EQ(r.t_free, 0.0);
}

/// Clouds are added, removed, moved, and given again unchanged.
TEST(Clouds, ACheckerThatFollowsItsSceneSeesThem) {
  Draw draw(testing::seeded(11));
  Scene scene;
  scene.objects.push_back(scan(1.0));
  PathChecker follows(slider(), scene, CollisionMatrix());
  const Eigen::VectorXd q0 = Eigen::VectorXd::Constant(1, -4.0), q1 = Eigen::VectorXd::Constant(1, 4.0);
  const auto first = [&](const PathChecker& checker) {
    Workspace w(checker);
    const EdgeResult r = checker.first_contact(q0, q1, w);
    return r.verdict == Verdict::Contact ? r.contact->t : 2.0;
  };
  int contacts = 0;
  double last = 1.0;
  for (int i = 0; i < 60; ++i) {
    const int what = draw.integer(0, 4);
    const char* name = what == 4 ? "room" : "scan";
    if (scene.objects.find(name) != nullptr) scene.objects.erase(name);
    if (what < 2) last = draw.uniform(-3.0, 3.0);
    if (what < 3) scene.objects.push_back(scan(last));
    if (what == 2) {
      SceneObject moved = scan(last);
      moved.pose.translation().x() = draw.uniform(-2.0, 2.0);
      scene.objects.replace(std::move(moved));
    }
    if (what == 4) {
      SceneObject placed = room(true);
      placed.pose.translation().x() = draw.uniform(-3.0, 3.0);
      scene.objects.push_back(std::move(placed));
    }
    follows = follows.with_scene(scene);
    const double t = first(follows);
    EXPECT_NEAR(t, first(PathChecker(slider(), scene, CollisionMatrix())), 1e-9) << i;
    contacts += t < 1.0;
  }
  EXPECT_GT(contacts, 30);
}

/// How deep a point or a cell is inside a link: the depth in findings.
TEST(Clouds, ContactsHaveADepth) {
  const auto car = SsvTree::build({{Box{{0.2, 0.2, 0.2}}, Pose::Identity(), "box"}}, "car");
  const SceneObject points = scan(0.04), cells = room(false);
  const SsvTree cloud = SsvTree::build(points.geometry, "cloud"), map = SsvTree::build(cells.geometry, "map");
  const Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  EXPECT_NEAR(deepest_point(car, X, cloud, X)->depth, 0.06, 1e-6);
  Eigen::Isometry3d X_car = X;
  X_car.translation() = Eigen::Vector3d(1.045, 0.025, 0.025);  // the cell is from 1 to 1.05, from 0 to 0.05
  EXPECT_NEAR(deepest_point(car, X_car, map, X)->depth, 0.08, 1e-6);
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
  scene.objects.push_back(step(true));
  const PathChecker with_field(slider(), scene, CollisionMatrix());
  EXPECT_TRUE(make_certificate(with_field, straight(-1.0, 0.8)).proved);
  EXPECT_FALSE(make_certificate(with_field, straight(-1.0, 1.45)).proved);
}

}  // namespace
}  // namespace planner_ccd
