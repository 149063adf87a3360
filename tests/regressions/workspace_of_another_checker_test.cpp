#include <gtest/gtest.h>

#include <optional>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/query/path_checker.hpp"

/// A planner keeps its Workspace while the scene changes and a PathChecker is built for each scene. A workspace
/// contained pointers into the checker it was made for: used with another one it searched the pairs of the first, and
/// the robot passed freely through objects of the second; after the first was destroyed, it read freed memory.
namespace planner_ccd {
namespace {

/// A ball of 0.1 m that slides along x by the sum of `joints` joints.
std::shared_ptr<const RobotModel> slide(int joints) {
  RobotSpec spec;
  spec.name = "slide";
  spec.links = {{"base", {}, {}}};
  for (int i = 0; i < joints; ++i) {
    spec.links.push_back({"link" + std::to_string(i), {}, {}});
    JointSpec joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = JointType::Prismatic;
    joint.parent = spec.links[i].name;
    joint.child = spec.links[i + 1].name;
    spec.joints.push_back(joint);
  }
  spec.links.back().collision = {{Sphere{0.1}, Eigen::Isometry3d::Identity(), "ball"}};
  return std::make_shared<const RobotModel>(spec);
}

Scene wall_at(double x) {
  Scene scene;
  scene.objects.push_back({"wall",
                           {{Box{{0.1, 1.0, 1.0}}, Eigen::Isometry3d::Identity(), "box"}},
                           Eigen::Isometry3d(Eigen::Translation3d(x, 0.0, 0.0))});
  return scene;
}

Eigen::VectorXd all(int joints, double value) { return Eigen::VectorXd::Constant(joints, value); }

TEST(WorkspaceOfAnotherChecker, SeesTheWallOfTheCheckerThatIsAsked) {
  const auto robot = slide(1);
  const PathChecker clear(robot, {}, {}), far(robot, wall_at(5.0), {}), blocked(robot, wall_at(1.0), {});
  for (const std::string& method : search_method_names()) {
    EdgeOptions options;
    options.method = search_method_named(method);
    Workspace workspace(clear);
    EXPECT_TRUE(clear.is_free(all(1, 0.0), all(1, 2.0), workspace, options));
    EXPECT_FALSE(blocked.is_free(all(1, 0.0), all(1, 2.0), workspace, options)) << method;
    EXPECT_EQ(blocked.first_contact(all(1, 0.0), all(1, 2.0), workspace, options).verdict, Verdict::Contact);
    EXPECT_TRUE(far.is_free(all(1, 0.0), all(1, 2.0), workspace, options)) << method;
    EXPECT_TRUE(blocked.in_contact(all(1, 1.0), workspace, options)) << method;
    EXPECT_NEAR(far.clearance(all(1, 0.0), workspace).lower, 4.85, 1e-9);
    EXPECT_NEAR(blocked.clearance(all(1, 0.0), workspace).lower, 0.85, 1e-9);
  }
}

TEST(WorkspaceOfAnotherChecker, OutlivesTheCheckerItWasMadeFor) {
  Workspace workspace;
  for (int round = 0; round < 20; ++round) {
    const int joints = 1 + round % 3;  // a checker of another size, probably at the previous one's address
    std::optional<PathChecker> checker(std::in_place, slide(joints), wall_at(round % 2 ? 1.0 : 5.0), CollisionMatrix{});
    const EdgeResult result = checker->first_contact(all(joints, 0.0), all(joints, 2.0 / joints), workspace);
    EXPECT_EQ(result.verdict, round % 2 ? Verdict::Contact : Verdict::Free) << round;
  }
}

TEST(WorkspaceOfAnotherChecker, ServesCopiesAndMovedCheckersAlike) {
  PathChecker first(slide(1), wall_at(1.0), {});
  Workspace workspace(first);
  PathChecker copy = first;
  EXPECT_FALSE(copy.is_free(all(1, 0.0), all(1, 2.0), workspace));
  const PathChecker moved = std::move(first);
  EXPECT_FALSE(moved.is_free(all(1, 0.0), all(1, 2.0), workspace));
  EXPECT_THROW((void)first.is_free(all(1, 0.0), all(1, 2.0), workspace), InputError);  // NOLINT: that is the question
  EXPECT_THROW((void)first.robot(), InputError);                                       // NOLINT
  first = PathChecker(slide(1), wall_at(5.0), {});
  EXPECT_TRUE(first.is_free(all(1, 0.0), all(1, 2.0), workspace));
  Workspace taken = std::move(workspace);
  EXPECT_FALSE(moved.is_free(all(1, 0.0), all(1, 2.0), workspace));  // NOLINT: made anew
  EXPECT_FALSE(moved.is_free(all(1, 0.0), all(1, 2.0), taken));
}

}  // namespace
}  // namespace planner_ccd
