#include <gtest/gtest.h>

#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/query/path_checker.hpp"

/// Containment despite shortcuts that consider surfaces only.
namespace planner_ccd {
namespace {

Geometry box(double size, double x) {
  Geometry g{Box{{size, size, size}}, Eigen::Isometry3d::Identity(), "box"};
  g.pose.translation().x() = x;
  return g;
}

/// A chain of two joints; the last link is a small cube, the first a large one. At 0 the small one is inside the large
/// one.
std::shared_ptr<const RobotModel> nested_chain() {
  RobotSpec spec;
  spec.name = "nested";
  spec.links = {{"base", {}, {}}, {"large", {box(1.0, 0.0)}, {}}, {"middle", {}, {}}, {"small", {box(0.1, 0.0)}, {}}};
  for (int i = 0; i < 3; ++i) {
    JointSpec joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = JointType::Revolute;
    joint.lower = -0.1, joint.upper = 0.1;
    joint.parent = spec.links[i].name;
    joint.child = spec.links[i + 1].name;
    joint.axis = Eigen::Vector3d::Unit(i);
    spec.joints.push_back(joint);
  }
  return std::make_shared<const RobotModel>(spec);
}

/// Certified cells prove that surfaces stay apart, which holds for a link inside another for all joint values; the
/// cells then hid the pair from the search, so that containment was never checked: Free.
TEST(NestedLinks, AreNotHiddenByCertifiedCells) {
  const auto robot = nested_chain();
  const PathChecker checker(robot, {}, {});
  Workspace workspace(checker);
  const Eigen::VectorXd q0 = Eigen::VectorXd::Constant(3, -0.05), q1 = Eigen::VectorXd::Constant(3, 0.05);
  EXPECT_EQ(checker.first_contact(q0, q1, workspace).verdict, Verdict::Contact);
  EXPECT_EQ(checker.any_contact(q0, q1, workspace).verdict, Verdict::Contact);
  EXPECT_TRUE(checker.in_contact(q0, workspace));
}

/// A link starts inside another, on a curve, and leaves through its wall. A sample in the middle of the edge, where the
/// two are apart and which proved less than half of the edge, kept the pair from counting as possibly nested: the
/// contact at the wall was reported with everything before it proved free.
TEST(NestedLinks, ThatLeaveAreInContactFromTheStart) {
  RobotSpec spec;
  spec.name = "slide";
  spec.links = {{"base", {}, {}}, {"large", {box(1.0, 0.0)}, {}}, {"small", {box(0.1, 0.0)}, {}}};
  for (int i = 0; i < 2; ++i) {
    JointSpec joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = JointType::Continuous;
    joint.axis = Eigen::Vector3d::UnitZ();
    joint.parent = spec.links[i].name;
    joint.child = spec.links[i + 1].name;
    spec.joints.push_back(joint);
  }
  spec.joints[1].origin.translation() = Eigen::Vector3d(0.0, -3.0, 0.0);  // the small link swings on an arm of 3 m
  spec.links[2].collision[0].pose.translation() = Eigen::Vector3d(0.0, 3.0, 0.0);
  const auto robot = std::make_shared<const RobotModel>(spec);
  const PathChecker checker(robot, {}, {}, {.margin = 0.0, .cell_evaluations = 0});
  Workspace workspace(checker);
  for (double end = 0.2; end < 6.0; end *= 1.02) {
    const Eigen::Vector2d q1(0.0, end);
    for (const std::string& method : search_method_names()) {
      EdgeOptions options;
      options.method = search_method_named(method);
      const EdgeResult r = checker.first_contact(Eigen::Vector2d::Zero(), q1, workspace, options);
      EXPECT_EQ(r.verdict, Verdict::Contact) << end << " " << method;
      EXPECT_EQ(r.t_free, 0.0) << end << " " << method;
      options.max_evaluations = 5;
      EXPECT_EQ(checker.first_contact(Eigen::Vector2d::Zero(), q1, workspace, options).t_free, 0.0) << end;
    }
  }
}

}  // namespace
}  // namespace planner_ccd
