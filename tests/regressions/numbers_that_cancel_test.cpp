#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "regressions/doors.hpp"

/// Rounding errors are relative to the terms of a sum, but the pads were relative to the result: a mimic joint's value
/// multiplier * q + offset, with 1000 and 1e6, was Free at a depth of 3e-11 m, with 1e9 at 3e-8 m, and an object whose
/// pose and shape pose lead 9e6 m away and back at 1e-10 m. (Trajectories, and so the command, padded the terms of a
/// mimic joint.)
namespace planner_ccd::test {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

constexpr double kRadius = 0.125;  ///< [m] Exact, as are its sums with small numbers.

JointSpec joint(const std::string& name, JointType type, const std::string& parent, const std::string& child) {
  JointSpec j;
  j.name = name;
  j.type = type;
  j.parent = parent;
  j.child = child;
  return j;
}

/// A box whose face towards the origin is at x.
SceneObject wall_from(double x) {
  return {
      "wall", {{Box{{1.0, 1.0, 1.0}}, Isometry3d::Identity(), "box"}}, Isometry3d(Eigen::Translation3d(x + 0.5, 0, 0))};
}

void expect_not_free(const RobotSpec& spec, const Scene& scene, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1,
                     double tolerance) {
  const PathChecker checker(std::make_shared<const RobotModel>(spec), scene, {});
  Workspace workspace(checker);
  for (const std::string& method : search_method_names()) {
    EdgeOptions options;
    options.method = search_method_named(method);
    options.tolerance = tolerance;
    EXPECT_NE(checker.first_contact(q0, q1, workspace, options).verdict, Verdict::Free) << method;
    EXPECT_FALSE(checker.is_free(q0, q1, workspace, options)) << method;
  }
}

RobotSpec mimic(double multiplier, double offset) {
  RobotSpec spec;
  spec.name = "mimic";
  spec.links = {{"base", {}, {}}, {"master", {}, {}}, {"slave", {}, {}}};
  spec.links[2].collision = {{Sphere{kRadius}, Isometry3d::Identity(), "ball"}};
  spec.joints = {joint("q", JointType::Continuous, "base", "master"),
                 joint("s", JointType::Prismatic, "base", "slave")};
  spec.joints[1].mimic = MimicSpec{"q", multiplier, offset};
  return spec;
}

/// A value of q with multiplier q + offset near 0.5, which rounding to nearest decreases by at least `error`: the true
/// value comes from a product that is rounded only once.
double unlucky(double multiplier, double offset, double error, double& truth) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100'000; ++i) {
    const double q = (0.5 - offset) / multiplier * (1.0 + 1e-12 * static_cast<double>(random() % 1000));
    truth = std::fma(multiplier, q, offset);
    if (truth - (multiplier * q + offset) >= error) return q;
  }
  ADD_FAILURE() << "no such value";
  return 0.0;
}

TEST(NumbersThatCancel, InAMimicJoint) {
  for (const auto& [offset, error] : {std::pair(-1e6, 4e-11), {-1e9, 4e-8}, {1e6, 4e-11}}) {
    double truth = 0.0;
    const double q = unlucky(1000.0, offset, error, truth);
    Scene scene;
    scene.objects = {wall_from(truth + kRadius - 0.4 * error)};  // overlaps by 0.4 error; as rounded, 0.6 error apart
    const auto at = [](double x) { return Eigen::VectorXd::Constant(1, x); };
    expect_not_free(mimic(1000.0, offset), scene, at(q), at(q), 0.1 * error);
    expect_not_free(mimic(1000.0, offset), scene, at(q - 1e-4), at(q), 0.1 * error);
  }
}

/// The same through a chain of mimic joints, whose offsets are folded into one: 0.1 + 1000 * 9e3 - 1000 * 9e3.
TEST(NumbersThatCancel, InAChainOfMimicJoints) {
  RobotSpec spec = mimic(1.0, -9e3);
  spec.joints[1].type = JointType::Continuous;
  spec.links.push_back({"third", {}, {}});
  spec.links.push_back({"fourth", spec.links[2].collision, {}});
  spec.links[2].collision.clear();
  spec.joints.push_back(joint("u", JointType::Continuous, "base", "third"));
  spec.joints.back().mimic = MimicSpec{"s", 1.0, 9e3};
  spec.joints.push_back(joint("v", JointType::Prismatic, "base", "fourth"));
  spec.joints.back().mimic = MimicSpec{"u", 1000.0, 0.1};
  Scene scene;
  scene.objects = {wall_from(0.1 + kRadius - 1.5e-10)};
  expect_not_free(spec, scene, Eigen::VectorXd::Zero(1), Eigen::VectorXd::Zero(1), 1e-11);
}

/// With numbers whose error exceeds the usual tolerance.
TEST(NumbersThatCancel, AtEveryDoor) {
  double truth = 0.0;
  const double q = unlucky(1e10, -1e13, 8e-4, truth);
  std::stringstream scene;
  scene.precision(17);
  scene << "objects: [{name: wall, box: {size: [1, 1, 1]}, pose: {xyz: [" << truth + kRadius + 0.5 - 4e-4
        << ", 0, 0]}}]\n";
  const Doors doors(
      "<robot name='r'><link name='base'/><link name='m'/><link name='s'><collision><geometry><sphere radius='0.125'/>"
      "</geometry></collision></link><joint name='q' type='prismatic'><parent link='base'/><child link='m'/><axis "
      "xyz='1 0 0'/>"
      "<limit lower='-1e4' upper='1e4' velocity='1' effort='1'/></joint><joint name='s' type='prismatic'><parent "
      "link='base'/>"
      "<child link='s'/><axis xyz='1 0 0'/><limit lower='-10' upper='10' velocity='1' effort='1'/><mimic joint='q' "
      "multiplier='1e10' offset='-1e13'/></joint></robot>",
      scene.str());
  doors.expect_not_free(Eigen::VectorXd::Constant(1, q - 1e-11), Eigen::VectorXd::Constant(1, q));
}

/// An object and its shape with rotated poses that lead 9e6 m away and back: their product is off by some 1e-9.
TEST(NumbersThatCancel, InPosesOfObjects) {
  RobotSpec spec;
  spec.name = "ball";
  spec.links = {{"base", {}, {}}, {"ball", {{Sphere{kRadius}, Isometry3d::Identity(), "ball"}}, {}}};
  spec.joints = {joint("j", JointType::Continuous, "base", "ball")};
  int asked = 0;
  for (int i = 0; i < 400; ++i) {
    const Eigen::Matrix3d R = Eigen::AngleAxisd(0.01 * i, Vector3d::UnitZ()).toRotationMatrix();
    const Vector3d far(9e6, 0.1 * i, 0.0);
    Vector3d back = -(R * far);
    back.x() += kRadius + 0.125;
    // The true position, with a few more bits: a ball's centre at back + R far.
    Eigen::Matrix<long double, 3, 1> centre =
        back.cast<long double>() + R.cast<long double>() * far.cast<long double>();
    const double rounded = (R * far + back).x();
    if (!(rounded - static_cast<double>(centre.x()) > 4e-10)) continue;
    ++asked;
    Isometry3d X = Isometry3d::Identity();
    X.linear() = R;
    X.translation() = back;
    const double radius = static_cast<double>(centre.x()) - kRadius + 1.5e-10;  // reaches 1.5e-10 into the link's ball
    Scene scene;
    scene.objects = {{"far", {{Sphere{radius}, Isometry3d(Eigen::Translation3d(far)), "ball"}}, X}};
    expect_not_free(spec, scene, Eigen::VectorXd::Zero(1), Eigen::VectorXd::Constant(1, 1e-3), 1e-11);
  }
  EXPECT_GT(asked, 5);
}

}  // namespace
}  // namespace planner_ccd::test
