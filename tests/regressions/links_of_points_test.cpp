// The balls that the first look proves a link by left out points about which a ball had no radius.
#include <gtest/gtest.h>

#include <memory>

#include "planner_ccd/query/path_checker.hpp"

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

}  // namespace
}  // namespace planner_ccd
