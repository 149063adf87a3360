// The balls that the first look proves a link by left out points about which a ball had no radius. Swept boxes of a link that is a point
// at its body's origin were not a number wide in a tube, and met nothing. What is near a link was looked for first within its radius,
// then four times as far, and so on: beside a point for ever.
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "planner_ccd/validation/path_clearance.hpp"

namespace planner_ccd {
namespace {

TEST(LinksOfPoints, AreMetAtEachOfThem) {
  for (int count = 1; count <= 8; ++count) {
    auto mesh = std::make_shared<TriangleMesh>();
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < 3; ++k) mesh->vertices.emplace_back(i % 2, i / 2 % 2, i / 4);
      mesh->triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
    }
    RobotSpec spec;
    spec.name = "points";
    spec.links = {{"base", {}, {}}, {"points", {{MeshPtr(mesh), Pose::Identity(), "points"}}, {}}};
    JointSpec joint;
    joint.name = "joint";
    joint.type = JointType::Prismatic;
    joint.parent = "base";
    joint.child = "points";
    joint.axis = Eigen::Vector3d::UnitX();
    joint.lower = -1.0;
    joint.upper = 1.0;
    spec.joints = {joint};
    const auto robot = std::make_shared<const RobotModel>(spec);
    for (int i = 0; i < count; ++i) {
      SceneObject ball{"ball", {{Sphere{0.01}, Pose::Identity(), "sphere"}}, Pose::Identity()};
      ball.pose.translation() = mesh->vertices[static_cast<std::size_t>(3 * i)] + Eigen::Vector3d(0.03, 0.0, 0.0);
      Scene scene;
      scene.objects.push_back(ball);
      const PathChecker checker(robot, scene, {});
      Workspace workspace(checker);
      EXPECT_FALSE(checker.is_free(Eigen::VectorXd::Constant(1, 0.0), Eigen::VectorXd::Constant(1, 0.1), workspace))
          << "point " << i << " of " << count;
    }
  }
}

TEST(LinksOfPoints, AreSweptWithTheirErrors) {
  auto mesh = std::make_shared<TriangleMesh>();
  mesh->vertices.assign(3, Eigen::Vector3d::Zero());
  mesh->triangles.emplace_back(0, 1, 2);
  RobotSpec spec;
  spec.name = "point";
  spec.links = {{"base", {}, {}}, {"arm", {}, {}}, {"point", {{MeshPtr(mesh), Pose::Identity(), "point"}}, {}}};
  for (int i = 0; i < 2; ++i) {
    JointSpec joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = JointType::Revolute;
    joint.parent = spec.links[static_cast<std::size_t>(i)].name;
    joint.child = spec.links[static_cast<std::size_t>(i + 1)].name;
    joint.axis = Eigen::Vector3d::UnitZ();
    joint.origin.translation().x() = 0.5 * i;
    joint.lower = -3.0;
    joint.upper = 3.0;
    spec.joints.push_back(joint);
  }
  const auto robot = std::make_shared<const RobotModel>(spec);
  const auto ball = [](const std::string& name, double radius, const Eigen::Vector3d& at) {
    SceneObject out{name, {{Sphere{radius}, Pose::Identity(), "sphere"}}, Pose::Identity()};
    out.pose.translation() = at;
    return out;
  };
  Scene scene, many;
  scene.objects.push_back(ball("ball", 0.05, {0.5, 0.06, 0.0}));
  many = scene;
  for (int i = 0; i < 600; ++i) many.objects.push_back(ball("far" + std::to_string(i), 0.01, {5.0 + i, 0.0, 0.0}));
  const PathChecker empty(robot, {}, {}), full(robot, scene, {}), crowded(robot, many, {});
  EdgeOptions options;
  options.errors.tracking = JointVector::Constant(2, 0.05);
  const JointVector q0 = JointVector::Zero(2), q1 = Eigen::Vector2d(0.0, 0.3);
  TrajectorySegment curve;
  curve.t0 = 0.0;
  curve.t1 = 1.0;
  curve.value.resize(2);
  curve.value[1].degree = 2;
  curve.value[1].c[1] = 0.3;
  curve.value[1].c[2] = 0.01;
  curve.error = {0.0, 0.0};
  for (const PathChecker& checker : {empty.with_scene(scene), full, crowded}) {
    Workspace workspace(checker);
    EXPECT_NE(checker.any_contact(q0, q1, workspace, options).verdict, Verdict::Free);
    EXPECT_NE(checker.any_contact(curve, workspace, options).verdict, Verdict::Free);
    EXPECT_EQ(checker.any_contact(q0, q1, workspace).verdict, Verdict::Free) << "the motion itself is free";
  }
}

TEST(LinksOfPoints, HaveAClearance) {
  for (const bool mesh : {true, false}) {
    RobotSpec spec;
    spec.name = "point";
    Geometry point{Sphere{1e-300}, Pose::Identity(), "point"};
    if (mesh) {
      auto dot = std::make_shared<TriangleMesh>();
      dot->vertices.assign(3, Eigen::Vector3d::Zero());
      dot->triangles.emplace_back(0, 1, 2);
      point.shape = MeshPtr(dot);
    }
    spec.links = {{"base", {}, {}}, {"point", {point}, {}}};
    JointSpec joint;
    joint.name = "joint";
    joint.type = JointType::Prismatic;
    joint.parent = "base";
    joint.child = "point";
    joint.axis = Eigen::Vector3d::UnitX();
    joint.lower = -1.0;
    joint.upper = 1.0;
    spec.joints = {joint};
    const auto robot = std::make_shared<const RobotModel>(spec);
    Scene scene;
    for (const double x : {3.0, 4.0}) {
      SceneObject ball{"ball at " + std::to_string(x), {{Sphere{0.5}, Pose::Identity(), "sphere"}}, Pose::Identity()};
      ball.pose.translation() = Eigen::Vector3d(x, 0.0, 0.0);
      scene.objects.push_back(ball);
    }
    const PathChecker checker(robot, scene, {});
    Workspace workspace(checker);
    alarm(60);  // ends the test if one of these never does
    EXPECT_NEAR(checker.clearance(Eigen::VectorXd::Constant(1, 0.5), workspace).lower, 2.0, 1e-9);
    const Trajectory path = make_trajectory(
        *robot, {{0.0, Eigen::VectorXd::Constant(1, 0.0), {}, {}}, {1.0, Eigen::VectorXd::Constant(1, 1.0), {}, {}}});
    PathClearance clearance(checker, path);
    EXPECT_NEAR(clearance.nearest().upper, 1.5, 1.1e-3);
    EXPECT_EQ(clearance.nearest_pairs(5).size(), 2u);
    EXPECT_NEAR(clearance.profile(0.1).back().nearest.upper, 1.5, 1.1e-3);
    alarm(0);
  }
}

}  // namespace
}  // namespace planner_ccd
