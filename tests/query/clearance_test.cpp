// PathChecker::clearance on bodies whose distance is known in closed form.
#include <gtest/gtest.h>

#include <numbers>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/path_checker.hpp"

namespace planner_ccd {
namespace {

/// A ball of radius 0.1 at the end of an arm of length 1 that turns about z, and posts on the circle it describes.
PathChecker ball_on_arm(double margin = 0.0) {
  RobotSpec spec;
  spec.name = "ball on an arm";
  spec.links.push_back({"base", {}, {}});
  Geometry ball{Sphere{0.1}, Eigen::Isometry3d::Identity(), "ball"};
  ball.pose.translation() = Eigen::Vector3d::UnitX();
  spec.links.push_back({"arm", {ball}, {}});
  JointSpec joint;
  joint.name = "turn";
  joint.type = JointType::Continuous;
  joint.parent = "base";
  joint.child = "arm";
  joint.axis = Eigen::Vector3d::UnitZ();
  spec.joints.push_back(joint);
  Scene scene;
  for (const double angle : {0.0, 2.0}) {
    SceneObject post;
    post.name = angle == 0.0 ? "near" : "far";
    post.geometry.push_back({Sphere{0.2}, Eigen::Isometry3d::Identity(), "sphere"});
    post.pose.translation() = Eigen::Vector3d(2.0 * std::cos(angle), 2.0 * std::sin(angle), 0.0);
    scene.objects.push_back(post);
  }
  return PathChecker(std::make_shared<const RobotModel>(spec), scene, {}, CheckerOptions{.margin = margin});
}

Eigen::VectorXd at(double angle) { return Eigen::VectorXd::Constant(1, angle); }

TEST(Clearance, IsTheDistanceOfTheNearestPair) {
  const PathChecker checker = ball_on_arm();
  Workspace workspace(checker);
  for (double angle = -3.0; angle < 3.0; angle += 0.1) {
    const auto to_post = [&](double post) { return std::sqrt(5.0 - 4.0 * std::cos(angle - post)) - 0.3; };
    const NearestPair c = checker.clearance(at(angle), workspace);
    const double expected = std::min(to_post(0.0), to_post(2.0));
    EXPECT_LE(c.lower, expected + 1e-15);
    EXPECT_GE(c.upper, expected - 1e-15);
    EXPECT_NEAR(c.upper, c.lower, 1e-9);
    EXPECT_EQ(c.a, "arm");
    EXPECT_EQ(c.b, to_post(0.0) < to_post(2.0) ? "near" : "far");
  }
}

TEST(Clearance, AgreesWithInContactUnderAMargin) {
  for (const double margin : {0.69, 0.71}) {
    const PathChecker checker = ball_on_arm(margin);
    Workspace workspace(checker);
    EXPECT_NEAR(checker.clearance(at(0.0), workspace).lower, 0.7, 1e-12) << "margins do not enter";
    EXPECT_EQ(checker.in_contact(at(0.0), workspace), margin > 0.7);
  }
}

TEST(Clearance, RefusesWhatIsNoConfiguration) {
  const PathChecker checker = ball_on_arm();
  Workspace workspace(checker);
  EXPECT_THROW((void)checker.clearance(Eigen::VectorXd::Zero(2), workspace), InputError);
  EXPECT_THROW((void)checker.clearance(at(std::nan("")), workspace), InputError);
}

}  // namespace
}  // namespace planner_ccd
