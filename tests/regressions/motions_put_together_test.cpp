#include <gtest/gtest.h>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/validation/check_trajectory.hpp"
#include "planner_ccd/validation/path_clearance.hpp"

/// A Trajectory is plain data. One built by a program could have an error below 0, which reduced the rounding pads, or
/// a degree above a polynomial's capacity, which was read out of bounds; and one with gaps between its segments was
/// Free, although the robot must cross the gap, which was not checked.
namespace planner_ccd {
namespace {

std::shared_ptr<const RobotModel> slide() {
  RobotSpec spec;
  spec.name = "slide";
  spec.links = {{"base", {}, {}}, {"ball", {{Sphere{0.1}, Eigen::Isometry3d::Identity(), "ball"}}, {}}};
  JointSpec joint;
  joint.name = "j";
  joint.type = JointType::Prismatic;
  joint.parent = "base";
  joint.child = "ball";
  spec.joints = {joint};
  return std::make_shared<const RobotModel>(spec);
}

Scene wall() {
  Scene scene;
  scene.objects = {{"wall",
                    {{Box{{0.1, 1.0, 1.0}}, Eigen::Isometry3d::Identity(), "box"}},
                    Eigen::Isometry3d(Eigen::Translation3d(1.0, 0.0, 0.0))}};
  return scene;
}

TrajectorySegment line(double from, double to, double t0) {
  TrajectorySegment segment;
  segment.t0 = t0;
  segment.t1 = t0 + 1.0;
  Polynomial p;
  p.c[0] = from;
  p.c[1] = to - from;
  p.degree = 1;
  segment.value = {p};
  segment.error = {0.0};
  return segment;
}

TEST(MotionsPutTogether, SayHowFarTheyMayBeOff) {
  const PathChecker checker(slide(), wall(), {});
  Workspace workspace(checker);
  EdgeOptions options;
  options.tolerance = 1e-12;
  TrajectorySegment segment = line(0.0, 0.85 + 1e-9, 0.0);  // a nanometre into the wall
  EXPECT_FALSE(checker.is_free(segment, workspace, options));
  segment.error[0] = -1e-6;
  EXPECT_THROW((void)checker.is_free(segment, workspace, options), InputError);
  segment.error[0] = 0.0;
  for (const int degree : {-1, 6, 1000}) {
    segment.value[0].degree = degree;
    EXPECT_THROW((void)checker.is_free(segment, workspace, options), InputError) << degree;
  }
}

TEST(MotionsPutTogether, HaveNoGaps) {
  const PathChecker checker(slide(), wall(), {});
  Workspace workspace(checker);
  Trajectory trajectory;
  trajectory.segments = {line(0.0, 0.5, 0.0), line(0.5, 0.7, 1.0),
                         line(1.4, 1.6, 2.0)};  // through the wall between two segments
  EXPECT_THROW((void)check_trajectory(checker, trajectory, workspace), InputError);
  EXPECT_THROW((void)PathClearance(checker, trajectory), InputError);
  trajectory.segments[2] = line(0.7 + 1e-12, 0.5, 2.0);  // a gap of the size of rounding is none
  EXPECT_EQ(check_trajectory(checker, trajectory, workspace).verdict, Verdict::Free);
}

}  // namespace
}  // namespace planner_ccd
