#include <gtest/gtest.h>

#include <cstdio>
#include <limits>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/validation/check_trajectory.hpp"
#include "support/displaced.hpp"
#include "support/scale.hpp"
#include "support/small_robots.hpp"
#include "support/verdict_check.hpp"

/// Tubes about motions: where the bound is attained, what may be given, and what does not change without errors.
namespace planner_ccd {
namespace {

using testing::ball;
using testing::ChainSpec;
using testing::Draw;
using testing::Scenario;
using testing::wall;

const unsigned kSeed = testing::seeded(172);

// Where the bound is attained: parallel joints, all of whose errors add up.

/// A wall at y above a chain of parallel joints stretched along x, with a ball of radius 0.1 at its end, which slides by.
PathChecker under_a_wall(int joints, double height, double margin) {
  ChainSpec chain;
  chain.slide(Eigen::Vector3d::UnitX());
  for (int i = 0; i < joints; ++i) {
    chain.turn(Eigen::Vector3d::UnitZ(), 3.0, i == 0 ? Eigen::Vector3d(0, 0, 0) : Eigen::Vector3d(0.5, 0, 0));
  }
  chain.with(ball(0.1, {0.5, 0, 0}));
  Scene scene;
  scene.objects.push_back({"wall", {wall({0, height, 0}, -Eigen::Vector3d::UnitY())}});
  return {std::make_shared<const RobotModel>(chain.spec), scene, CollisionMatrix(), {.margin = margin}};
}

TEST(Tube, BoundIsAttainedByParallelJoints) {
  Draw draw(kSeed + 1);
  for (int i = 0; i < 200; ++i) {
    const int joints = draw.integer(1, 5);
    const double margin = draw.integer(0, 1) ? 0.0 : 0.02;
    EdgeOptions options;
    options.tolerance = 1e-6;
    options.errors.tracking = JointVector::Zero(joints + 1);
    double bound = 0.0, there = 0.0, turned = 0.0;
    for (int k = 0; k < joints; ++k) {
      const double d = draw.uniform(0.0, 0.02);
      options.errors.tracking[k + 1] = d;
      bound += d * 0.5 * (joints - k);
      there += 0.5 * std::sin(turned += d);
    }
    JointVector q0 = JointVector::Zero(joints + 1), q1 = q0;
    q0[0] = -0.3, q1[0] = draw.uniform(-0.2, 0.8);
    const double clear = 0.1 + margin + 2e-6;
    const PathChecker beyond = under_a_wall(joints, clear + bound, margin);
    Workspace w(beyond);
    EXPECT_TRUE(beyond.is_free(q0, q1, w, options)) << joints << " joints, " << bound;
    const PathChecker within = under_a_wall(joints, 0.1 + margin + there - 1e-7, margin);
    Workspace v(within);
    const EdgeResult hit = within.first_contact(q0, q1, v, options);
    ASSERT_EQ(hit.verdict, Verdict::Contact);
    EXPECT_NEAR(hit.contact->error, bound, 1e-9 + 1e-3 * bound);
    EXPECT_NEAR(hit.contact->distance, margin + there, 2e-6);
    EXPECT_EQ(hit.contact->margin, margin);
    EXPECT_LE(bound - there, 0.5 * turned * turned * bound + 1e-12) << "the chain is not where the bound is attained";
  }
}

/// Across a joint's own lever nothing moves: the wall at the end of a stretched arm is not nearer for its errors, to second order.
TEST(Tube, ErrorsAlongTheWallDoNotCount) {
  ChainSpec chain;
  chain.turn(Eigen::Vector3d::UnitZ(), 3.0).with(ball(0.1, {1.0, 0, 0}));
  EdgeOptions options;
  options.tolerance = 1e-6;
  options.errors.tracking = JointVector::Constant(1, 0.02);
  const JointVector q = JointVector::Zero(1);
  for (const auto& [gap, free] : {std::pair(0.5 * 0.02 * 0.02 * 1.1 + 1e-5, true), std::pair(-1e-6, false)}) {
    Scene scene;
    scene.objects.push_back({"wall", {wall({1.1 + gap, 0, 0}, -Eigen::Vector3d::UnitX())}});
    const PathChecker checker(std::make_shared<const RobotModel>(chain.spec), scene, CollisionMatrix());
    Workspace w(checker);
    EXPECT_EQ(checker.is_free(q, q, w, options), free) << gap;
  }
}

TEST(Tube, PosesOfObjectsAndBasesAddTheirWay) {
  ChainSpec chain;
  chain.slide(Eigen::Vector3d::UnitX()).with(ball(0.1, {0, 0, 0}));
  const auto free = [&](double height, const PoseError& object, const PoseError& base) {
    Scene scene;
    scene.objects.push_back({"ball", {ball(0.2, {0.3, 0, 0})}, testing::shift({0, height, 0}), object});
    const PathChecker checker(std::make_shared<const RobotModel>(chain.spec), scene, CollisionMatrix());
    Workspace w(checker);
    EdgeOptions options;
    options.tolerance = 1e-6;
    if (base.any()) options.errors.links = {{"base", base}};
    const JointVector q0 = JointVector::Constant(1, -0.2), q1 = JointVector::Constant(1, 0.8);
    const EdgeResult first = checker.first_contact(q0, q1, w, options);
    EXPECT_EQ(checker.is_free(q0, q1, w, options), first.verdict == Verdict::Free);
    return first.verdict == Verdict::Free;
  };
  EXPECT_TRUE(free(0.3 + 2e-6, {}, {}));
  EXPECT_FALSE(free(0.31 - 1e-6, {0.01, 0.0}, {}));
  EXPECT_TRUE(free(0.31 + 2e-6, {0.01, 0.0}, {}));
  EXPECT_FALSE(free(0.31 - 1e-6, {}, {0.01, 0.0}));
  EXPECT_TRUE(free(0.31 + 2e-6, {}, {0.01, 0.0}));
  EXPECT_FALSE(free(0.32 - 1e-6, {0.01, 0.0}, {0.01, 0.0}));
  EXPECT_TRUE(free(0.32 + 2e-6, {0.01, 0.0}, {0.01, 0.0}));
  EXPECT_FALSE(free(0.3 + 0.29 * 0.02, {0.0, 0.02}, {}));  // the object's ball is 0.3 m from its origin
  EXPECT_TRUE(free(0.3 + 0.51 * 0.02, {0.0, 0.02}, {}));   // and reaches 0.5 m from it
}

// What is said of errors.

TEST(Tube, AnErrorThatNoQueryCanTakeIsRefused) {
  ChainSpec chain;
  chain.turn(Eigen::Vector3d::UnitZ()).turn(Eigen::Vector3d::UnitZ(), 3.0, {0.5, 0, 0}).with(ball(0.1));
  const auto robot = std::make_shared<const RobotModel>(chain.spec);
  const PathChecker checker(robot, {}, CollisionMatrix());
  Workspace w(checker);
  const JointVector q = JointVector::Zero(2);
  const auto refused = [&](const JointVector& tracking, const std::vector<LinkError>& links) {
    EdgeOptions options;
    options.errors = {tracking, links};
    EXPECT_THROW((void)checker.is_free(q, q, w, options), InputError);
    EXPECT_TRUE(checker.is_free(q, q, w)) << "after a query that threw";
  };
  refused(JointVector::Zero(3), {});
  for (const double bad : {-1e-9, std::nan(""), std::numeric_limits<double>::infinity(), 1e308, 1001.0}) {
    refused(JointVector::Constant(2, bad), {});
    refused({}, {{"l1", {bad, 0.0}}});
    refused({}, {{"l1", {0.0, bad}}});
    Scene scene;
    scene.objects.push_back({"ball", {ball(0.1)}, testing::shift({3, 0, 0}), {bad, 0.0}});
    EXPECT_THROW(PathChecker(robot, scene, CollisionMatrix()), InputError);
    EXPECT_THROW((void)checker.with_scene(scene), InputError);
  }
  refused({}, {{"nowhere", {0.1, 0.0}}});
  refused({}, std::vector<LinkError>(65, {"l1", {0.1, 0.0}}));
  EdgeOptions with_method;
  with_method.errors.tracking = JointVector::Constant(2, 0.1);
  with_method.method = search_method_named("hca");
  EXPECT_THROW((void)checker.is_free(q, q, w, with_method), InputError);
}

TEST(Tube, ErrorsOfZeroChangeNothing) {
  Draw draw(kSeed + 2);
  long edges = 0;
  for (int i = 0; i < 8; ++i) {
    testing::RandomScenario what;
    what.attached = i % 2 == 0;
    const Scenario s = testing::random_scenario(draw, what);
    const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
    Workspace w(checker), v(checker);
    EdgeOptions zero;
    zero.errors.tracking = JointVector::Zero(s.robot->dof());
    zero.errors.links = {{s.spec.links[0].name, {}}};
    testing::EdgeDraw draws(*s.robot, 1.0);
    for (int k = 0; k < 20; ++k, ++edges) {
      const JointVector q0 = draws.configuration(draw), q1 = draws.beyond(draw, q0);
      const EdgeResult plain = checker.first_contact(q0, q1, w), tube = checker.first_contact(q0, q1, v, zero);
      EXPECT_EQ(plain.verdict, tube.verdict);
      EXPECT_EQ(plain.t_free, tube.t_free);
      EXPECT_EQ(plain.counters.node_evaluations, tube.counters.node_evaluations);
      EXPECT_EQ(plain.counters.primitive_evaluations, tube.counters.primitive_evaluations);
      EXPECT_EQ(plain.contact.has_value(), tube.contact.has_value());
      if (plain.contact) {
        EXPECT_EQ(plain.contact->distance, tube.contact->distance);
        EXPECT_EQ(tube.contact->error, 0.0);
      }
      draws.learn(plain.verdict);
    }
  }
  EXPECT_GT(edges, 100);
}

/// A workspace that has answered with errors answers without them as a fresh one does.
TEST(Tube, IsForgottenByTheNextQuery) {
  Draw draw(kSeed + 3);
  const Scenario s = testing::random_scenario(draw, {});
  const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
  Workspace used(checker);
  EdgeOptions options;
  options.errors.tracking = JointVector::Constant(s.robot->dof(), 0.05);
  testing::EdgeDraw draws(*s.robot, 1.0);
  for (int k = 0; k < 60; ++k) {
    const JointVector q0 = draws.configuration(draw), q1 = draws.beyond(draw, q0);
    (void)checker.is_free(q0, q1, used, options);
    Workspace fresh(checker);
    const EdgeResult a = checker.any_contact(q0, q1, used), b = checker.any_contact(q0, q1, fresh);
    EXPECT_EQ(a.verdict, b.verdict);
    EXPECT_EQ(a.counters.evaluations(), b.counters.evaluations());
    draws.learn(a.verdict);
  }
}

TEST(Tube, ChangedErrorsOfObjectsAreFollowed) {
  Draw draw(kSeed + 4);
  long differ = 0, edges = 0;
  for (int i = 0; i < testing::scaled(12, 12); ++i) {
    testing::RandomScenario what;
    what.attached = i % 2 == 0;
    Scenario s = testing::random_scenario(draw, what);
    PathChecker live(s.robot, s.scene, s.matrix, s.options);
    Workspace w(live);
    testing::EdgeDraw draws(*s.robot, 1.0);
    for (int change = 0; change < 5; ++change) {
      const PathChecker before = live;
      MotionErrors errors = testing::random_errors(draw, s, 0.1);  // those of objects go into s.scene
      live = live.with_scene(s.scene);
      const PathChecker fresh(s.robot, s.scene, s.matrix, s.options);
      Workspace v(fresh), u(before);
      EdgeOptions options;
      options.errors = errors;
      for (int k = 0; k < 10; ++k, ++edges) {
        const JointVector q0 = draws.configuration(draw), q1 = draws.beyond(draw, q0);
        const bool free = fresh.is_free(q0, q1, v, options);
        EXPECT_EQ(live.is_free(q0, q1, w, options), free);
        differ += before.is_free(q0, q1, u, options) != free;
        draws.learn(free ? Verdict::Free : Verdict::Contact);
      }
    }
  }
  std::printf("  %ld of %ld edges have another answer in the scene with the errors before\n", differ, edges);
  EXPECT_GT(differ, 0);
}

/// An error of a base moves what stands on that robot.
TEST(Tube, ARobotOnAnotherMovesWithItsBase) {
  ChainSpec low;
  low.slide(Eigen::Vector3d::UnitX()).with(ball(0.1));
  RobotSpec spec = low.spec;
  spec.links.push_back({"upper", {}, {}, 1});
  spec.links.push_back({"hand", {ball(0.1)}, {}, 1});
  JointSpec on, turn;
  on.name = "on", on.parent = "l1", on.child = "upper", on.origin = testing::shift({0, 0, 1.0});
  turn.name = "turn", turn.type = JointType::Revolute, turn.parent = "upper", turn.child = "hand", turn.lower = -3,
  turn.upper = 3;
  spec.joints.push_back(on);
  spec.joints.push_back(turn);
  const auto robot = std::make_shared<const RobotModel>(spec);
  EXPECT_EQ(base_links(*robot), (std::vector<std::string>{"base", "upper"}));
  const JointVector q = JointVector::Zero(2);
  const auto free = [&](const Eigen::Vector3d& at, const std::vector<LinkError>& links) {
    Scene scene;
    scene.objects.push_back({"ball", {ball(0.1)}, testing::shift(at)});
    const PathChecker checker(robot, scene, CollisionMatrix());
    Workspace w(checker);
    EdgeOptions options;
    options.errors.links = links;
    return checker.is_free(q, q, w, options);
  };
  const Eigen::Vector3d beside_upper(0, 0.25, 1.0), beside_low(0, 0.25, 0.0);
  EXPECT_TRUE(free(beside_upper, {}));
  EXPECT_FALSE(free(beside_upper, {{"base", {0.06, 0.0}}}));
  EXPECT_FALSE(free(beside_upper, {{"upper", {0.06, 0.0}}}));
  EXPECT_FALSE(free(beside_upper, {{"base", {0.03, 0.0}}, {"upper", {0.03, 0.0}}}));
  EXPECT_FALSE(free(beside_upper, {{"base", {0.0, 0.06}}}));  // a metre above the base
  EXPECT_TRUE(free(beside_low, {{"base", {0.0, 0.06}}}));
  EXPECT_TRUE(free(beside_low, {{"upper", {0.06, 0.06}}}));
}

TEST(Tube, AMimicFollowsWithItsShareOfTheError) {
  ChainSpec chain;
  chain.slide(Eigen::Vector3d::UnitY()).slide(Eigen::Vector3d::UnitY()).with(ball(0.1));
  chain.spec.joints[1].mimic = MimicSpec{"j1", -3.0, 0.0};
  const auto free = [&](double height) {
    Scene scene;
    scene.objects.push_back({"wall", {wall({0, height, 0}, -Eigen::Vector3d::UnitY())}});
    const PathChecker checker(std::make_shared<const RobotModel>(chain.spec), scene, CollisionMatrix());
    Workspace w(checker);
    EdgeOptions options;
    options.tolerance = 1e-6;
    options.errors.tracking = JointVector::Constant(1, 0.01);
    const JointVector q = JointVector::Zero(1);
    return checker.is_free(q, q, w, options);
  };
  EXPECT_FALSE(free(0.1 + 0.0199));  // the truth: the two move against each other
  EXPECT_TRUE(free(0.1 + 0.0401));   // the bound: they are taken to be independent
}

TEST(Tube, EveryContactWithinItIsFoundOnATrajectory) {
  ChainSpec chain;
  chain.slide(Eigen::Vector3d::UnitX()).turn(Eigen::Vector3d::UnitZ()).with(ball(0.1, {0.5, 0, 0}));
  Scene scene;
  for (const double x : {2.0, 4.0}) {
    scene.objects.push_back(
        {"ball at " + std::to_string(static_cast<int>(x)), {ball(0.1)}, testing::shift({x, 0.22, 0})});
  }
  const auto robot = std::make_shared<const RobotModel>(chain.spec);
  const PathChecker checker(robot, scene, CollisionMatrix());
  JointPath path;
  path.waypoints = {Eigen::Vector2d(0, 0), Eigen::Vector2d(6, 0)};
  Workspace w(checker);
  TrajectoryOptions options;
  options.all_contacts = true;
  const Trajectory trajectory = make_trajectory(*robot, path);
  EXPECT_EQ(check_trajectory(checker, trajectory, w, options).verdict, Verdict::Free);
  options.edge.errors.tracking = Eigen::Vector2d(0.0, 0.08);
  const TrajectoryResult report = check_trajectory(checker, trajectory, w, options);
  EXPECT_EQ(report.verdict, Verdict::Contact);
  ASSERT_EQ(report.findings.size(), 2u);
  for (const Finding& f : report.findings) {
    EXPECT_EQ(f.kind, FindingKind::Margin);
    EXPECT_NE(f.message.find("errors may bring them"), std::string::npos) << f.message;
    EXPECT_NEAR(f.value, 0.02, 2e-3);
    EXPECT_GT(f.end.from, f.begin.to);
  }
}

/// The part that comes near, not the far end of its body, says when a contact ends, as it does when it begins.
TEST(Tube, ContactsEndAsTheyBegin) {
  for (const double lever : {0.0, 0.2}) {
    ChainSpec chain;
    chain.slide(Eigen::Vector3d::UnitX()).turn(Eigen::Vector3d::UnitZ()).with(ball(0.1, {lever, 0, 0}));
    chain.with(ball(0.1, {lever, -3.0, 0}));
    const double away = lever == 0.0 ? 0.15 : 0.205;  // the second is met within errors only
    Scene scene;
    scene.objects.push_back({"ball", {ball(0.1)}, testing::shift({2.0 + lever, away, 0})});
    const auto robot = std::make_shared<const RobotModel>(chain.spec);
    const PathChecker checker(robot, scene, CollisionMatrix());
    JointPath path;
    path.waypoints = {Eigen::Vector2d(0, 0), Eigen::Vector2d(6, 0)};
    Workspace w(checker);
    TrajectoryOptions options;
    options.all_contacts = true;
    options.contact_resolution = 1e-3;
    options.edge.errors.tracking = Eigen::Vector2d(0.0, 0.05);
    const Trajectory trajectory = make_trajectory(*robot, path);
    const TrajectoryResult report = check_trajectory(checker, trajectory, w, options);
    ASSERT_EQ(report.findings.size(), 1u);
    const double speed = 6.0 / trajectory.segments.back().t1;
    const double begin = speed * report.findings[0].begin.to, end = speed * report.findings[0].end.from;
    EXPECT_NEAR(2.0 - begin, end - 2.0, 2e-3);
    if (lever == 0.0) {
      EXPECT_NEAR(end - 2.0, std::sqrt(0.04 - away * away), 2e-3);
    } else {
      EXPECT_GT(end - begin, 0.05);
    }
  }
}

}  // namespace
}  // namespace planner_ccd
