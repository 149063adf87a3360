#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "planner_ccd/query/path_checker.hpp"
#include "support/small_robots.hpp"

/// A disc of 1 m radius and 1 um thickness, 3 m from its joint, was Free where it overlapped a ball by 6e-11 m; of 1 nm by 6e-8 m. The ends of its
/// axis are rounded one by one when it is placed, which tilts the axis by as much over its length, and the rim goes with it.
namespace planner_ccd::test {
namespace {

using Eigen::Vector3d;
using Long = Eigen::Matrix<long double, 3, 1>;

TEST(ThinCylinders, MeetWhatTheirRimsTouch) {
  std::mt19937_64 random(1);
  const auto draw = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random); };
  constexpr double kRadius = 1.0, kBall = 0.05;
  for (const double thickness : {1e-4, 1e-6, 1e-9}) {
    int free = 0;
    for (int i = 0; i < 300; ++i) {
      testing::ChainSpec robot;
      robot.slide(Vector3d::UnitX());
      robot.spec.links.back().collision = {{Cylinder{kRadius, thickness}, Eigen::Isometry3d::Identity(), "disc"}};
      const Eigen::Quaterniond turn =
          Eigen::Quaterniond(draw(-1, 1), draw(-1, 1), draw(-1, 1), draw(-1, 1)).normalized();
      robot.spec.joints[0].origin =
          Eigen::Isometry3d(Eigen::Translation3d(3.0 * Vector3d(draw(-1, 1), draw(-1, 1), draw(-1, 1))) * turn);
      const auto model = std::make_shared<const RobotModel>(robot.spec);
      const Pose& X = model->joints()[0].X_ParentBodyJoint;
      const double angle = draw(0.0, 6.28), depth = 6e-17 / thickness;
      const Vector3d center(0.999999 * std::cos(angle), 0.999999 * std::sin(angle), 0.5 * thickness + kBall - depth);
      const Long world =
          X.linear().cast<long double>() * center.cast<long double>() + X.translation().cast<long double>();
      Scene scene;
      scene.objects = {{"ball", {testing::ball(kBall)}, testing::shift(world.cast<double>())}};
      const PathChecker checker(model, scene, {});
      Workspace workspace(checker);
      EdgeOptions options;
      options.tolerance = 0.01 * depth;
      options.max_evaluations = 2000;
      free += checker.is_free(Eigen::VectorXd::Zero(1), Eigen::VectorXd::Zero(1), workspace, options);
    }
    EXPECT_EQ(free, 0) << thickness;
  }
}

}  // namespace
}  // namespace planner_ccd::test
