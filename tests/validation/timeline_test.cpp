// Timelines: contacts planted just before, at and after events; findings, clearances and assumptions over all of it.
#include "planner_ccd/validation/timeline.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "planner_ccd/math/error.hpp"
#include "validation/timeline_world.hpp"

namespace planner_ccd {
namespace {

using testing::attach;
using testing::ball_object;
using testing::detach;
using testing::rule;
using testing::Slide;

/// The held cup first touches the post when it is this far before it.
double reach(double beside) { return std::sqrt(4.0 * testing::kBall * testing::kBall - beside * beside); }

TEST(Timeline, ContactEndsWithTheDetachJustBeforeIt) {
  Slide world;
  world.scene.objects.push_back(ball_object("post", {7.0, 0.48, 0.0}));  // 0.18 beside the cup's way
  const double meets = 7.0 - reach(0.18);
  EXPECT_EQ(world.verdict({}), Verdict::Free);
  EXPECT_EQ(world.verdict({attach(4.0, "cup")}), Verdict::Contact);
  EXPECT_EQ(world.verdict({attach(4.0, "cup"), detach(meets - 3e-3, "cup")}), Verdict::Free);
  EXPECT_EQ(world.verdict({attach(4.0, "cup"), detach(meets + 1e-6, "cup")}), Verdict::Contact);
  // Both ends of a part belong to it: at the very instant the cup is still held, and touches.
  EXPECT_EQ(world.verdict({attach(4.0, "cup"), detach(meets, "cup")}), Verdict::Contact);
}

TEST(Timeline, ContactBeginsWithTheAttachJustBeforeIt) {
  Slide world;
  // The hand passes the cup by at x = 4; held from later on, the cup trails behind and passes the post later.
  world.scene.objects.push_back(ball_object("post", {4.0 + 0.25, 0.3, 0.0}));
  EXPECT_EQ(world.verdict({}), Verdict::Free);
  EXPECT_EQ(world.verdict({attach(4.0, "cup")}), Verdict::Contact);
  EXPECT_EQ(world.verdict({attach(10.0 - 0.049, "cup")}), Verdict::Free);
  EXPECT_EQ(world.verdict({attach(10.0 - 0.051, "cup")}), Verdict::Contact);
  EXPECT_NEAR(world.check({attach(6.0, "cup")}).findings.at(0).begin.to, 6.05, 2e-4);
}

TEST(Timeline, ContactAtTheInstantAlone) {
  Slide world;
  // A cup inside of what stands around it: two things at rest are not checked, a held one is.
  world.scene.objects.push_back(ball_object("post", {4.1, 0.3, 0.0}));
  EXPECT_EQ(world.verdict({}), Verdict::Free);
  const TrajectoryResult report = world.check({attach(5.0, "cup"), detach(5.5, "cup")});
  EXPECT_EQ(report.verdict, Verdict::Contact);
  EXPECT_EQ(report.findings.at(0).begin.to, 5.0);
  // At the motion's end the world after the event is checked in its last configuration, at its start that before in its first.
  EXPECT_EQ(world.verdict({attach(10.0, "cup")}), Verdict::Contact);
  EXPECT_EQ(world.verdict({attach(0.0, "cup")}), Verdict::Contact);
  Slide held;
  held.scene.attach("cup", "l1", testing::shift({0.0, 0.3, 0.0}), {});
  held.scene.objects.push_back(ball_object("post", {0.1, 0.3, 0.0}));
  EXPECT_EQ(held.verdict({detach(0.0, "cup")}), Verdict::Contact);
  EXPECT_EQ(held.check({detach(0.0, "cup")}).findings.at(0).kind, FindingKind::ContactAtStart);
}

TEST(Timeline, ReleasedObjectStaysWhereItWas) {
  Slide world;
  const Timeline timeline = world.timeline({attach(4.0, "cup"), detach(7.25, "cup")});
  ASSERT_EQ(timeline.stages().size(), 3u);
  EXPECT_NEAR(timeline.stages()[2].scene.objects.find("cup")->pose.translation().x(), 7.25, 1e-12);
  EXPECT_EQ(timeline.stages()[1].scene.attached.at(0).link, "l1");
  EXPECT_EQ(timeline.events()[1].from, "l1");
  EXPECT_NEAR(timeline.events()[1].pose->translation().x(), 7.25, 1e-12);
  EXPECT_EQ(timeline.motion().segments.size(), 6u);  // 7.25 s is no waypoint, 4 s is one
  EXPECT_EQ(&timeline.stage_of(0), &timeline.stages()[0]);
  EXPECT_EQ(&timeline.stage_of(2), &timeline.stages()[1]);
  EXPECT_EQ(&timeline.stage_of(5), &timeline.stages()[2]);
}

TEST(Timeline, HandsOverToAnotherLinkWithoutMovingTheObject) {
  Slide world;
  world.scene.objects.push_back(ball_object("post", {9.0, 0.3, 0.0}));
  TimelineEvent over = attach(6.0, "cup", "base");
  EXPECT_THROW((void)world.verdict({attach(4.0, "cup"), over}), InputError);  // held, and not said to be handed over
  over.from = "l1";
  EXPECT_EQ(world.verdict({attach(4.0, "cup")}), Verdict::Contact);
  EXPECT_EQ(world.verdict({attach(4.0, "cup"), over}), Verdict::Free);
  const Timeline timeline = world.timeline({attach(4.0, "cup"), over});
  EXPECT_NEAR(timeline.stages()[2].scene.attached.at(0).object.pose.translation().x(), 6.0, 1e-12);
}

TEST(Timeline, AllowAndForbidBoundTheTimeOfATouch) {
  Slide world;
  world.scene.objects.push_back(ball_object("sponge", {5.0, 0.0, 0.0}));  // on the hand's way: 4.8 s to 5.2 s
  const auto between = [&](double from, double to) {
    return world.verdict({rule(EventKind::Allow, from, "l1", "sponge"), rule(EventKind::Forbid, to, "sponge", "l1")});
  };
  EXPECT_EQ(world.verdict({}), Verdict::Contact);
  EXPECT_EQ(between(4.79, 5.21), Verdict::Free);
  EXPECT_EQ(between(4.79, 5.19), Verdict::Contact);
  EXPECT_EQ(between(4.81, 5.21), Verdict::Contact);
  EXPECT_EQ(between(4.8, 5.3), Verdict::Contact);  // at the instant itself it is not allowed yet
}

TEST(Timeline, MovingObstacleMeetsAtItsTime) {
  // A crate crosses the hand's way at x = 5 from y = -5 at 0 s to y = 5: both are there at 5 s, or the crate later.
  for (const auto& [late, expected] : {std::pair(0.0, Verdict::Contact), std::pair(0.282, Verdict::Contact),
                                       std::pair(0.284, Verdict::Free), std::pair(1.0, Verdict::Free)}) {
    Slide world;
    world.scene.objects.push_back(ball_object("crate", {5.0, -5.0, 0.0}));
    MovingFrame belt{.name = "belt", .times = {0.0, 10.0}, .carries = {"crate"}};
    belt.poses = {testing::shift({3.0, -late, 0.0}), testing::shift({3.0, 10.0 - late, 0.0})};
    world.scene.objects.move("crate", testing::shift({5.0, -5.0 - late, 0.0}));
    const auto robot = std::make_shared<const RobotModel>(with_moving_frames(world.spec, {belt}));
    const Trajectory motion = with_moving_frames(*robot, world.motion, {belt});
    const Scene scene = with_carried(*robot, world.scene, motion, {belt});
    EXPECT_NEAR(scene.attached.at(0).object.pose.translation().x(), 2.0, 1e-12);
    Workspace workspace;
    const Timeline timeline(PathChecker(robot, scene, CollisionMatrix()), scene, motion, {});
    EXPECT_EQ(check_timeline(timeline, workspace).verdict, expected) << late;
    // Taken from the belt before, it does not come.
    TimelineEvent take = attach(1.0, "crate", "base");
    take.from = "belt";
    const Timeline taken(PathChecker(robot, scene, CollisionMatrix()), scene, motion, {take});
    EXPECT_EQ(check_timeline(taken, workspace).verdict, Verdict::Free) << late;
  }
}

TEST(Timeline, WithoutEventsItIsAMotionInOneWorld) {
  Slide world;
  world.scene.objects.push_back(ball_object("post", {7.05, 0.15, 0.0}));
  const PathChecker checker(world.robot, world.scene, CollisionMatrix());
  Workspace workspace;
  TrajectoryOptions options;
  options.all_contacts = true;
  options.limits = {{0.5}, {1.0}};
  options.clearance_accuracy = 1e-4;
  const TrajectoryResult whole = check_trajectory(checker, world.motion, workspace, options);
  const TrajectoryResult parts = world.check({}, options);
  EXPECT_EQ(parts.verdict, whole.verdict);
  EXPECT_EQ(parts.segments, whole.segments);
  EXPECT_EQ(parts.segment, whole.segment);
  EXPECT_EQ(parts.counters.evaluations(), whole.counters.evaluations());
  ASSERT_EQ(parts.findings.size(), whole.findings.size());
  for (std::size_t i = 0; i < parts.findings.size(); ++i) {
    EXPECT_EQ(parts.findings[i].message, whole.findings[i].message);
    EXPECT_EQ(parts.findings[i].begin.to, whole.findings[i].begin.to);
  }
  ASSERT_EQ(parts.clearance.size(), whole.clearance.size());
  EXPECT_EQ(parts.clearance[0].upper, whole.clearance[0].upper);
}

TEST(Timeline, FindingThatAnEventCutsInTwoIsOne) {
  Slide world;
  world.scene.objects.push_back(ball_object("sponge", {5.0, 0.0, 0.0}));
  world.scene.objects.push_back(ball_object("jar", {1.0, 5.0, 0.0}));
  TrajectoryOptions options;
  options.all_contacts = true;
  options.limits = {{0.5}, {}};
  const TrajectoryResult report = world.check({attach(5.0, "jar"), detach(5.1, "jar"), attach(10.0, "jar")}, options);
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].kind, FindingKind::VelocityLimit);
  EXPECT_NEAR(report.findings[0].end.to, 10.0, 1e-9);
  EXPECT_EQ(report.findings[1].kind, FindingKind::Contact);
  EXPECT_NEAR(report.findings[1].begin.to, 4.8, 2e-4);
  EXPECT_NEAR(report.findings[1].end.from, 5.2, 2e-4);
  EXPECT_EQ(report.segments, 7);  // of 5, two cut; the instant after the end is none
}

TEST(Timeline, ClearanceIsTheLeastOfAllItsWorlds) {
  Slide world;
  world.scene.objects.push_back(ball_object("post", {8.0, 0.6, 0.0}));
  TrajectoryOptions options;
  options.clearance_accuracy = 1e-5;
  options.profile_step = 0.5;
  const TrajectoryResult report = world.check({attach(4.0, "cup"), detach(7.5, "cup")}, options);
  EXPECT_EQ(report.verdict, Verdict::Free);
  ASSERT_EQ(report.clearance.size(), 3u);
  const auto distance = [&](const std::string& a, const std::string& b) {
    for (const PairClearance& c : report.clearance) {
      if ((c.a == a && c.b == b) || (c.a == b && c.b == a)) return std::pair(c.lower, c.upper);
    }
    ADD_FAILURE() << a << " and " << b;
    return std::pair(0.0, 0.0);
  };
  for (const auto& [a, b, truth] : {std::tuple("l1", "cup", 0.1), std::tuple("l1", "post", 0.4),
                                    std::tuple("cup", "post", std::hypot(0.5, 0.3) - 0.2)}) {
    const auto [lower, upper] = distance(a, b);
    EXPECT_LE(lower, truth + 1e-12) << a << b;
    EXPECT_GE(upper, truth - 1e-12) << a << b;
    EXPECT_LE(upper - lower, 1.01e-5) << a << b;
  }
  EXPECT_EQ(report.profile.front().from, 0.0);
  EXPECT_EQ(report.profile.back().to, 10.0);
  for (std::size_t i = 1; i < report.profile.size(); ++i) EXPECT_EQ(report.profile[i].from, report.profile[i - 1].to);
}

TEST(Timeline, AssumptionsSayWhatHoldsForAPartOfTheTime) {
  Slide world;
  TimelineEvent take = attach(4.0, "cup");
  take.pose = testing::shift({5e-4, 0.3, 0.0});
  const Timeline timeline = world.timeline({take});
  bool held = false, step = false, never = false;
  for (const Assumption& a : assumptions(timeline)) {
    held = held || (a.by == "same body" && a.text.ends_with("part of the time"));
    step = step || (a.kind == AssumptionKind::PoseStep && a.names == std::vector<std::string>{"cup"});
    never = never || (a.kind == AssumptionKind::NoGeometry && a.names == std::vector<std::string>{"base"});
  }
  EXPECT_TRUE(held);
  EXPECT_TRUE(step);
  EXPECT_TRUE(never);
}

}  // namespace
}  // namespace planner_ccd
