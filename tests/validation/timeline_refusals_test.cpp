// Events and key frames that would change the question: each is refused, with the event, what is wrong, and the remedy.
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

std::string refusal(const Slide& world, const std::vector<TimelineEvent>& events) {
  try {
    (void)world.timeline(events);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_refused(const Slide& world, const std::vector<TimelineEvent>& events, const std::string& part) {
  const std::string message = refusal(world, events);
  EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_NE(message.find("event " + std::to_string(events.size())), std::string::npos) << message;
}

TEST(Timeline, RefusesEventsThatWouldChangeTheQuestion) {
  const Slide world;
  const TimelineEvent take = attach(4.0, "cup");
  const auto changed = [&](auto&& change) {
    TimelineEvent event = take;
    change(event);
    return event;
  };
  const double nan = std::nan("");
  expect_refused(world, {attach(-0.1, "cup")}, "not within the motion");
  expect_refused(world, {attach(10.1, "cup")}, "not within the motion");
  expect_refused(world, {attach(nan, "cup")}, "not within the motion");
  expect_refused(world, {take, detach(3.9, "cup")}, "list events in the order of time");
  expect_refused(world, {changed([](auto& e) { e.waypoint = 2; })}, "either a time or a waypoint");
  expect_refused(world, {changed([](auto& e) { e.time.reset(); })}, "either a time or a waypoint");
  for (const int waypoint : {-1, 6}) {
    expect_refused(world, {changed([&](auto& e) { e.time.reset(), e.waypoint = waypoint; })}, "numbered from 0 to 5");
  }
  expect_refused(world, {attach(4.0, "cip")}, "did you mean \"cup\"");
  expect_refused(world, {attach(4.0, "cup", "l2")}, "is not a link");
  expect_refused(world, {attach(4.0, "l1")}, "no object of this name");
  expect_refused(world, {changed([](auto& e) { e.touch_links = {"hand"}; })}, "\"hand\" is not a link");
  expect_refused(world, {take, attach(5.0, "cup", "base")}, "\"l1\" holds it");
  expect_refused(world, {take, changed([](auto& e) { e.time = 5.0, e.from = "l1"; })}, "holds it already");
  expect_refused(world, {changed([](auto& e) { e.from = "l1"; })}, "nothing holds it");
  expect_refused(world, {detach(4.0, "cup")}, "nothing holds it");
  expect_refused(world, {detach(4.0, "jar")}, "there is no object");
  expect_refused(world, {take, detach(4.0, "cup")}, "at the same instant");
  expect_refused(world, {changed([](auto& e) { e.time.reset(), e.waypoint = 2; }), detach(4.0, "cup")}, "same instant");
  expect_refused(world, {take, changed([](auto& e) { e.kind = EventKind::Detach, e.time = 5.0, e.from = "base"; })},
                 "not \"base\"");
  expect_refused(world, {rule(EventKind::Allow, 1.0, "cup", "l9")}, "neither an object nor a link");
  expect_refused(world, {rule(EventKind::Allow, 1.0, "cup", "cup")}, "with itself");
  expect_refused(world, {rule(EventKind::Forbid, 1.0, "cup", "l1")}, "no 'allow'");
  expect_refused(world, {rule(EventKind::Allow, 1.0, "cup", "l1"), rule(EventKind::Allow, 2.0, "l1", "cup")},
                 "may touch already");
  Slide loose;
  loose.scene.allow = {{"cup", "l1"}, {"*", "l1"}};
  expect_refused(loose, {rule(EventKind::Forbid, 1.0, "l1", "cup")}, "may still touch");
  Slide padded;
  padded.scene.attach("cup", "l1", testing::shift({0, 0.3, 0}), {});
  padded.scene.padding = {{"cup", 0.01}};
  expect_refused(padded, {detach(4.0, "cup")}, "padding");
  Slide untimed;
  untimed.motion.timed = false;
  expect_refused(untimed, {take}, "has no times");
  Slide still;
  still.motion.segments[3].t1 = still.motion.segments[3].t0;
  expect_refused(still, {attach(9.0, "cup")}, "do not grow");
}

TEST(Timeline, GivenPoseMustBeWhereTheObjectIs) {
  const Slide world;
  const auto taken = [](const Pose& pose) {
    TimelineEvent event = attach(4.0, "cup");
    event.pose = pose;
    return event;
  };
  const Pose truth = testing::shift({0.0, 0.3, 0.0});
  Pose turned = truth;
  turned.linear() = Eigen::AngleAxisd(1.01 * kPoseTurn, Eigen::Vector3d::UnitX()).toRotationMatrix();
  EXPECT_TRUE(world.timeline({taken(truth)}).steps().empty());
  EXPECT_EQ(world.timeline({taken(testing::shift({0.99 * kPoseStep, 0.3, 0.0}))}).steps().size(), 1u);
  expect_refused(world, {taken(testing::shift({1.01 * kPoseStep, 0.3, 0.0}))}, "the given pose is 1.01 mm");
  expect_refused(world, {taken(turned)}, "0.0101 rad");
  Pose bad = truth;
  bad.translation().x() = std::nan("");
  EXPECT_NE(refusal(world, {taken(bad)}), "accepted");
  // What is given counts: a cup 0.9 mm farther out meets a post that the one in the scene would miss.
  Slide post;
  post.scene.objects.push_back(ball_object("post", {7.0, 0.5005, 0.0}));
  EXPECT_EQ(post.verdict({attach(4.0, "cup")}), Verdict::Free);
  EXPECT_EQ(post.verdict({taken(testing::shift({0.0, 0.3009, 0.0}))}), Verdict::Contact);
}

TEST(Timeline, ObjectsNamedLikeLinksAreRefused) {
  Slide world;
  world.scene.objects.push_back(ball_object("l1", {0.0, 5.0, 0.0}));
  EXPECT_THROW((void)world.timeline({}), InputError);
  const MovingFrame frame{.name = "cup", .times = {0.0, 10.0}, .poses = {Pose::Identity(), Pose::Identity()}};
  const Slide other;
  const auto robot = std::make_shared<const RobotModel>(with_moving_frames(other.spec, {frame}));
  EXPECT_THROW(PathChecker(robot, other.scene, CollisionMatrix()), InputError);
}

std::string refusal(const Slide& world, const MovingFrame& frame) {
  try {
    const RobotModel robot(with_moving_frames(world.spec, {frame}));
    const Trajectory motion = with_moving_frames(robot, world.motion, {frame});
    (void)with_carried(robot, world.scene, motion, {frame});
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MovingFrame, RefusesWhatWouldChangeTheQuestion) {
  const Slide world;
  const Pose here = Pose::Identity();
  const MovingFrame good{
      .name = "belt", .times = {0.0, 10.0}, .poses = {here, testing::shift({1, 0, 0})}, .carries = {"cup"}};
  EXPECT_EQ(refusal(world, good), "accepted");
  const auto expect = [&](const std::string& part, auto&& change) {
    MovingFrame frame = good;
    change(frame);
    const std::string message = refusal(world, frame);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect("its key frames go from 0.1 s", [](auto& f) { f.times[0] = 0.1; });
  expect("its key frames go from 0 s to 9.9 s", [](auto& f) { f.times[1] = 9.9; });
  expect("not later", [](auto& f) { f.times[1] = 0.0; });
  expect("not finite", [](auto& f) { f.times[1] = std::nan(""); });
  expect("1 poses", [](auto& f) { f.poses.pop_back(); });
  expect("no key frames", [](auto& f) { f.times.clear(), f.poses.clear(); });
  expect("a link or joint \"l1\"", [](auto& f) { f.name = "l1"; });
  expect("a link or joint \"j1\"", [](auto& f) { f.name = "j1"; });
  expect("needs a name", [](auto& f) { f.name = ""; });
  expect("half a turn",
         [](auto& f) { f.poses[1].linear() = Eigen::AngleAxisd(3.1415, Eigen::Vector3d::UnitZ()).matrix(); });
  expect("no object of this name", [](auto& f) { f.carries = {"jar"}; });
  expect("holds it at that time", [](auto& f) { f.carries = {"cup", "cup"}; });
  expect("axis is zero", [](auto& f) {
    f.type = JointType::Revolute, f.values = {0, 1}, f.poses.clear(), f.axis.setZero();
  });
  expect("along or about an axis", [](auto& f) { f.type = JointType::Planar; });
  Slide untimed;
  untimed.motion.timed = false;
  EXPECT_NE(refusal(untimed, good).find("no times"), std::string::npos);
  Slide still;
  still.motion.segments.resize(1);
  still.motion.segments[0].t1 = 0.0;
  EXPECT_NE(refusal(still, good).find("takes no time"), std::string::npos);
  Slide wide;
  wide.motion.segments[0].value.emplace_back();
  EXPECT_NE(refusal(wide, good).find("own 1 coordinates"), std::string::npos);
}

}  // namespace
}  // namespace planner_ccd
