#include <gtest/gtest.h>

#include <cmath>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/validation/tracking_delay.hpp"
#include "planner_ccd/validation/tracking_limit.hpp"
#include "support/small_robots.hpp"

/// Robots that are behind their motion, and the greatest tracking error that is proved free.
namespace planner_ccd {
namespace {

using testing::ball;
using testing::ChainSpec;
using testing::wall;

/// A ball moves away from a wall at its back, at 0.5 m/s: what is behind may still be there.
TEST(Tracking, ADelayIsWhatTheMotionDoesInThatTime) {
  ChainSpec chain;
  chain.slide(Eigen::Vector3d::UnitX()).with(ball(0.1));
  const auto robot = std::make_shared<const RobotModel>(chain.spec);
  const auto verdict = [&](double behind, double delay, double hold) {
    Scene scene;
    scene.objects.push_back({"wall", {wall({behind, 0, 0}, Eigen::Vector3d::UnitX())}});
    const PathChecker checker(robot, scene, CollisionMatrix());
    const auto at = [](double t, double x) { return TrajectoryPoint{t, JointVector::Constant(1, x), {}, {}}; };
    std::vector<TrajectoryPoint> points = {at(0.0, 0.0), at(1.0, 0.5)};
    if (hold > 0.0) points.push_back(at(1.0 + hold, 0.5));
    Workspace w(checker);
    TrajectoryOptions options;
    options.edge.tolerance = 1e-6;
    options.tracking_delay = delay;
    return check_trajectory(checker, make_trajectory(*robot, points), w, options).verdict;
  };
  EXPECT_EQ(verdict(-0.101, 0.0, 0.0), Verdict::Free);
  EXPECT_EQ(verdict(-0.109, 0.02, 0.0), Verdict::Contact);
  EXPECT_EQ(verdict(-0.1101, 0.02, 0.0), Verdict::Free);
  EXPECT_EQ(verdict(-0.1101, 0.02, 0.5), Verdict::Free);
}

/// While one joint of the nominal motion rests already, a robot that is behind still moves it.
TEST(Tracking, ADelayLastsIntoTheNextSegment) {
  ChainSpec chain;
  chain.slide(Eigen::Vector3d::UnitX()).slide(Eigen::Vector3d::UnitY()).with(ball(0.1));
  const auto robot = std::make_shared<const RobotModel>(chain.spec);
  Scene scene;
  scene.objects.push_back({"ball", {ball(0.1)}, testing::shift({0.795, 0.3, 0})});
  const PathChecker checker(robot, scene, CollisionMatrix());
  const auto at = [](double t, double x, double y) { return TrajectoryPoint{t, Eigen::Vector2d(x, y), {}, {}}; };
  const std::vector<TrajectoryPoint> points = {at(0, 0, 0), at(1, 1, 0), at(2, 1, 0.6)};
  const Trajectory trajectory = make_trajectory(*robot, points);
  Workspace w(checker);
  for (const bool all : {false, true}) {
    TrajectoryOptions options;
    options.all_contacts = all;
    EXPECT_EQ(check_trajectory(checker, trajectory, w, options).verdict, Verdict::Free);
    options.tracking_delay = 0.02;
    const TrajectoryResult report = check_trajectory(checker, trajectory, w, options);
    EXPECT_EQ(report.verdict, Verdict::Contact);
    EXPECT_EQ(report.segment, 1);
    EXPECT_EQ(report.findings.size(), 1u);
  }
}

TEST(Tracking, ADelayThatCannotBeTurnedIntoErrorsIsRefused) {
  ChainSpec chain;
  chain.slide(Eigen::Vector3d::UnitX()).with(ball(0.1));
  const auto robot = std::make_shared<const RobotModel>(chain.spec);
  const PathChecker checker(robot, {}, CollisionMatrix());
  Workspace w(checker);
  JointPath path;
  path.waypoints = {JointVector::Zero(1), JointVector::Ones(1)};
  Trajectory trajectory = make_trajectory(*robot, path);
  TrajectoryOptions options;
  options.tracking_delay = 0.01;
  EXPECT_THROW((void)check_trajectory(checker, trajectory, w, options), InputError) << "no times";
  path.times = {0.0, 1.0};
  trajectory = make_trajectory(*robot, path);
  EXPECT_EQ(check_trajectory(checker, trajectory, w, options).verdict, Verdict::Free);
  for (const double bad : {-0.1, std::nan(""), static_cast<double>(INFINITY)}) {
    options.tracking_delay = bad;
    EXPECT_THROW((void)check_trajectory(checker, trajectory, w, options), InputError) << bad;
  }
  options.tracking_delay = 0.01;
  trajectory.segments[0].t1 = trajectory.segments[0].t0;
  EXPECT_THROW((void)check_trajectory(checker, trajectory, w, options), InputError) << "no time passes";
}

/// Segments may join to 1e-9. A robot that is behind is before the jump when the plan is behind it.
TEST(Tracking, ADelayCountsWhatSegmentsJumpBy) {
  ChainSpec chain;
  chain.slide(Eigen::Vector3d::UnitX()).with(ball(0.1));
  const RobotModel robot(chain.spec);
  JointPath path;
  path.waypoints = {JointVector::Zero(1), JointVector::Zero(1), JointVector::Zero(1)};
  path.times = {0.0, 1.0, 2.0};
  Trajectory trajectory = make_trajectory(robot, path);
  trajectory.segments[1].value[0].c[0] = 5e-10;
  TrajectoryOptions options;
  options.tracking_delay = 0.01;
  EXPECT_GE(errors_of(robot, trajectory, 1, options).tracking[0], 5e-10);
  EXPECT_LE(errors_of(robot, trajectory, 0, options).tracking[0], 1e-15);
}

/// A ball goes to a wall and stops 50 mm before it: what it may be off by counts there, and not where it is far away.
TEST(Tracking, ErrorsOfSegmentsCountInTheirOwn) {
  ChainSpec chain;
  chain.slide(Eigen::Vector3d::UnitX()).with(ball(0.1));
  const auto robot = std::make_shared<const RobotModel>(chain.spec);
  Scene scene;
  scene.objects.push_back({"wall", {wall({1.15, 0, 0}, -Eigen::Vector3d::UnitX())}});
  const PathChecker checker(robot, scene, CollisionMatrix());
  JointPath path;
  for (const double x : {0.0, 0.5, 1.0}) path.waypoints.push_back(JointVector::Constant(1, x));
  const Trajectory trajectory = make_trajectory(*robot, path);
  Workspace w(checker);
  const auto check = [&](std::vector<double> errors, bool all = false, double everywhere = 0.0) {
    TrajectoryOptions options;
    options.all_contacts = all;
    options.edge.tolerance = 1e-6;
    if (everywhere > 0.0) options.edge.errors.tracking = JointVector::Constant(1, everywhere);
    for (const double e : errors) options.segment_errors.push_back(JointVector::Constant(1, e));
    return check_trajectory(checker, trajectory, w, options);
  };
  EXPECT_EQ(check({0.3, 0.0499}).verdict, Verdict::Free);
  EXPECT_EQ(check({0.3, 0.0499}, true).verdict, Verdict::Free);
  for (const bool all : {false, true}) {
    const TrajectoryResult late = check({0.3, 0.0501}, all);
    EXPECT_EQ(late.verdict, Verdict::Contact);
    EXPECT_EQ(late.segment, 1);
    EXPECT_EQ(check({0.551, 0.0}, all).segment, 0);
    EXPECT_EQ(check({0.0, 0.03}, all, 0.0199).verdict, Verdict::Free);
    EXPECT_EQ(check({0.0, 0.03}, all, 0.0201).verdict, Verdict::Contact) << "both add up";
  }
  EXPECT_THROW((void)check({0.1}), InputError);
  EXPECT_THROW((void)check({0.1, -0.1}), InputError);
  EXPECT_THROW((void)check({0.1, NAN}), InputError);

  TrackingLimitOptions most;
  most.trajectory.segment_errors = {JointVector::Constant(1, 0.0), JointVector::Constant(1, 0.03)};
  const TrackingLimit whole = max_tracking_error(checker, trajectory, w, most);
  EXPECT_NEAR(whole.proved, 0.02, 4e-4);
  EXPECT_TRUE(whole.by_segment.empty());
  most.each_segment = true;
  const TrackingLimit each = max_tracking_error(checker, trajectory, w, most);
  ASSERT_EQ(each.by_segment.size(), 2u);
  EXPECT_EQ(each.by_segment[0], most.most) << "0.55 m from the wall";
  EXPECT_EQ(each.by_segment[1], each.proved);
  EXPECT_NEAR(each.proved, whole.proved, 4e-4);
  EXPECT_EQ(each.segment, 1);
  most.trajectory.segment_errors[1][0] = 0.06;
  const TrackingLimit none = max_tracking_error(checker, trajectory, w, most);
  EXPECT_EQ(none.proved, -1.0);
  EXPECT_EQ(none.by_segment, (std::vector<double>{most.most, -1.0}));
}

TEST(Tracking, TheGreatestErrorIsProvedAndLimited) {
  ChainSpec chain;  // stretched along x, below a wall
  chain.slide(Eigen::Vector3d::UnitX());
  for (const double x : {0.0, 0.5, 0.5}) chain.turn(Eigen::Vector3d::UnitZ(), 3.0, {x, 0, 0});
  chain.with(ball(0.1, {0.5, 0, 0}));
  const auto robot = std::make_shared<const RobotModel>(chain.spec);
  const double bound = 0.5 + 1.0 + 1.5;                     // of the three joints, per radian
  const double second = 0.5 * 1.6 + 1.5 * 1.1 + 2.5 * 0.6;  // and of second order, for any point of the ball
  JointPath path;
  JointVector q0 = JointVector::Zero(4), q1 = q0;
  q1[0] = 0.5;
  path.waypoints = {q0, q1, q0};
  for (const double room : {0.013, 0.2, 5.0, -0.01}) {
    Scene scene;
    scene.objects.push_back({"wall", {wall({0, 0.1 + room, 0}, -Eigen::Vector3d::UnitY())}});
    const PathChecker checker(robot, scene, CollisionMatrix());
    Workspace w(checker);
    TrackingLimitOptions options;
    options.trajectory.edge.tolerance = 1e-6;
    const TrackingLimit limit = max_tracking_error(checker, make_trajectory(*robot, path), w, options);
    if (room < 0.0) {
      EXPECT_EQ(limit.proved, -1.0);
      EXPECT_EQ(limit.segment, 0);
    } else if (room > 4.0) {
      EXPECT_EQ(limit.proved, options.most);
      EXPECT_TRUE(std::isinf(limit.failed));
      EXPECT_EQ(limit.segment, -1);
    } else {
      EXPECT_LT(limit.proved, room / bound);
      EXPECT_GT(bound * limit.proved + second * limit.proved * limit.proved, 0.985 * room);
      EXPECT_GT(limit.failed, limit.proved);
      EXPECT_LE(limit.failed - limit.proved, 0.0101 * limit.failed);
      ASSERT_TRUE(limit.edge.contact);
      EXPECT_EQ(limit.edge.contact->b, "wall");
    }
  }
}

}  // namespace
}  // namespace planner_ccd
