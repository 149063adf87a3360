// Findings and clearances of trajectories: closed forms on a ball that turns about z, the oracle on random scenes.
#include "planner_ccd/validation/check_trajectory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numbers>

#include "planner_ccd/io/path_file.hpp"
#include "planner_ccd/validation/limit_findings.hpp"
#include "planner_ccd/validation/path_clearance.hpp"
#include "support/oracle.hpp"
#include "support/scenarios.hpp"
#include "support/shared_data.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;

constexpr unsigned kSeed = 20261118;
constexpr double kPi = std::numbers::pi;

/// A ball of radius 0.1 on an arm of length 1 that turns about z, and posts of radius 0.2 on the unit circle.
struct Turntable {
  std::shared_ptr<const RobotModel> robot;
  Scene scene;
  std::unique_ptr<PathChecker> checker;

  explicit Turntable(const std::vector<double>& posts, double margin = 0.0) {
    RobotSpec spec;
    spec.name = "turntable";
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
    joint.max_velocity = 2.0;
    spec.joints.push_back(joint);
    robot = std::make_shared<const RobotModel>(spec);
    for (const double angle : posts) {
      SceneObject post;
      post.name = "post" + std::to_string(scene.objects.size());
      post.geometry.push_back({Sphere{0.2}, Eigen::Isometry3d::Identity(), "sphere"});
      post.pose.translation() = Eigen::Vector3d(std::cos(angle), std::sin(angle), 0.0);
      scene.objects.push_back(post);
    }
    checker = std::make_unique<PathChecker>(robot, scene, CollisionMatrix{}, CheckerOptions{.margin = margin});
  }

  Trajectory through(const std::vector<std::pair<double, double>>& time_and_angle) const {
    std::vector<TrajectoryPoint> points;
    for (const auto& [time, angle] : time_and_angle) {
      points.push_back({time, Eigen::VectorXd::Constant(1, angle), {}, {}});
    }
    return make_trajectory(*robot, points);
  }
};

/// Half the angle within which ball and post are nearer than `distance`: 2 sin(x / 2) = 0.3 + distance.
double touch_angle(double distance) { return 2.0 * std::asin(0.5 * (0.3 + distance)); }

TEST(CheckTrajectory, ListsEveryContactFromWhenToWhen) {
  const Turntable table({1.0, 2.0, 4.0});
  Workspace workspace(*table.checker);
  TrajectoryOptions options;
  options.all_contacts = true;
  options.edge.tolerance = 1e-5;
  // 1 rad/s, then back over the third post a second time.
  const Trajectory path = table.through({{0.0, 0.0}, {1.5, 1.5}, {5.0, 5.0}, {6.5, 3.5}});
  const TrajectoryResult report = check_trajectory(*table.checker, path, workspace, options);
  EXPECT_EQ(report.verdict, Verdict::Contact);
  EXPECT_EQ(report.segment, 0);
  ASSERT_EQ(report.findings.size(), 4u);
  const double half = touch_angle(0.0);
  const double meets[] = {1.0, 2.0, 4.0, 6.0};
  for (int i = 0; i < 4; ++i) {
    const Finding& f = report.findings[static_cast<std::size_t>(i)];
    EXPECT_EQ(f.kind, FindingKind::Contact);
    ASSERT_TRUE(f.contact && f.has_end);
    EXPECT_EQ(f.contact->b, "post" + std::to_string(std::min(i, 2)));
    EXPECT_LE(f.begin.from, meets[i] - half + 1e-9);
    EXPECT_NEAR(f.begin.to, meets[i] - half, 2e-4);
    EXPECT_GE(f.end.to, meets[i] + half - 1e-9);
    EXPECT_NEAR(f.end.from, meets[i] + half, 2e-4);
    EXPECT_LE(f.end.from, f.end.to);
  }
  // Balls have no vertices: their depth is that of their centres.
  ASSERT_TRUE(report.findings[0].depth);
  EXPECT_NEAR(report.findings[0].depth->depth, 0.3, 5e-3);
  // Without `all_contacts`, the first one alone.
  const TrajectoryResult first = check_trajectory(*table.checker, path, workspace);
  ASSERT_EQ(first.findings.size(), 1u);
  EXPECT_FALSE(first.findings[0].has_end);
  EXPECT_NEAR(first.findings[0].begin.to, 1.0 - half, 1e-3);
}

TEST(CheckTrajectory, ContactsAtTheEndsAreSaidSo) {
  const Turntable table({0.0, 3.0});
  Workspace workspace(*table.checker);
  TrajectoryOptions options;
  options.all_contacts = true;
  const TrajectoryResult report =
      check_trajectory(*table.checker, table.through({{0.0, 0.0}, {3.0, 3.0}}), workspace, options);
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].kind, FindingKind::ContactAtStart);
  EXPECT_NEAR(report.findings[0].end.to, touch_angle(0.0), 1e-3);
  EXPECT_EQ(report.findings[1].kind, FindingKind::ContactAtEnd);
  EXPECT_EQ(report.findings[1].end.to, 3.0);
}

TEST(CheckTrajectory, LimitsTimesAndTurns) {
  const Turntable table({});
  Workspace workspace(*table.checker);
  const auto kinds = [&](const Trajectory& path, const TrajectoryOptions& options = {}) {
    std::vector<FindingKind> out;
    for (const Finding& f : check_trajectory(*table.checker, path, workspace, options).findings) out.push_back(f.kind);
    return out;
  };
  using Kinds = std::vector<FindingKind>;
  EXPECT_EQ(kinds(table.through({{0.0, 0.0}, {1.0, 1.9}})), Kinds{});
  EXPECT_EQ(kinds(table.through({{0.0, 0.0}, {1.0, 2.1}})), Kinds{FindingKind::VelocityLimit});
  EXPECT_EQ(kinds(table.through({{0.0, 0.0}, {9.0, 6.2}})), Kinds{FindingKind::FullTurn});
  EXPECT_EQ(kinds(table.through({{0.0, 0.0}, {1.0, 0.1}, {1.0, 0.2}})), Kinds{FindingKind::TimeNotIncreasing});
  TrajectoryOptions ignoring;
  ignoring.check_limits = false;
  EXPECT_EQ(kinds(table.through({{0.0, 0.0}, {1.0, 2.1}}), ignoring), Kinds{});

  // Rest to rest in 2 s: speed 3/2 d/T in the middle, acceleration 6 d/T^2 at the ends.
  std::vector<TrajectoryPoint> points(2);
  for (TrajectoryPoint& p : points) p.velocity = Eigen::VectorXd::Zero(1);
  points[0].position = Eigen::VectorXd::Zero(1);
  points[1].position = Eigen::VectorXd::Constant(1, 3.0);
  points[1].time = 2.0;
  TrajectoryOptions limited;
  limited.limits.acceleration = {4.0};
  const TrajectoryResult report =
      check_trajectory(*table.checker, make_trajectory(*table.robot, points), workspace, limited);
  ASSERT_EQ(report.findings.size(), 3u);
  for (const Finding& f : report.findings) {
    if (f.kind == FindingKind::VelocityLimit) {
      EXPECT_NEAR(f.value, 2.25, 1e-9);
      EXPECT_NEAR(f.at, 1.0, 1e-5);
      const double u = 0.5 - std::sqrt(0.25 - 2.0 / 9.0);  // 9 u (1 - u) = 2
      EXPECT_NEAR(f.begin.to, 2.0 * u, 1e-6);
      EXPECT_LE(f.begin.from, 2.0 * u + 1e-8);
      EXPECT_NEAR(f.end.from, 2.0 * (1.0 - u), 1e-6);
    } else {
      EXPECT_EQ(f.kind, FindingKind::AccelerationLimit);
      EXPECT_NEAR(std::abs(f.value), 4.5, 1e-9);
      EXPECT_EQ(f.limit, f.value > 0.0 ? 4.0 : -4.0);
    }
  }
  EXPECT_TRUE(report.has_errors());
  EXPECT_EQ(report.verdict, Verdict::Free);
}

TEST(CheckTrajectory, ExcessOfAPolynomialIsFoundWhereItIs) {
  Draw draw(kSeed);
  for (int i = 0; i < testing::scaled(3000); ++i) {
    Polynomial p;
    p.degree = draw.integer(0, 5);
    for (int k = 0; k <= p.degree; ++k) p.c[static_cast<std::size_t>(k)] = draw.uniform(-3.0, 3.0);
    const double limit = draw.uniform(-2.0, 2.0);
    const Excess excess = find_excess(p, limit);
    for (int j = 0; j <= 50; ++j) {
      const double u = j / 50.0, value = p.value(u);
      ASSERT_LE(value, excess.value + 1e-11);
      const bool inside =
          std::any_of(excess.intervals.begin(), excess.intervals.end(),
                      [&](const Excess::Interval& part) { return u >= part.begin.from && u <= part.end.to; });
      if (value > limit + 1e-9) {
        ASSERT_TRUE(inside) << "draw " << i;
      }
      if (value < limit - 1e-9) {
        ASSERT_FALSE(inside) << "draw " << i;
      }
    }
    ASSERT_NEAR(p.value(excess.at), excess.value, 1e-11);
  }
}

TEST(PathClearance, IsTheClosedFormOfTheTurntable) {
  const Turntable table({2.0, 4.0});
  const Trajectory path = table.through({{0.0, 0.0}, {1.0, 1.2}, {2.0, 1.5}, {3.0, 0.5}});
  const auto distance = [](double angle) { return 2.0 * std::sin(0.5 * std::abs(angle)) - 0.3; };
  for (const double accuracy : {1e-2, 1e-4, 1e-6}) {
    PathClearance clearance(*table.checker, path, {accuracy, 1'000'000});
    const std::vector<PairClearance> pairs = clearance.nearest_pairs(1'000);
    ASSERT_EQ(pairs.size(), 2u);
    EXPECT_EQ(pairs[0].b, "post0");
    EXPECT_LE(pairs[0].lower, distance(0.5));
    EXPECT_GE(pairs[0].upper, distance(0.5) - 1e-12);
    EXPECT_LE(pairs[0].upper - pairs[0].lower, accuracy * (1.0 + 1e-9));
    EXPECT_NEAR(pairs[0].time, 2.0, 0.5);
    EXPECT_LE(pairs[1].lower, distance(2.0 * kPi - 4.0));
    EXPECT_GE(pairs[1].upper, distance(2.0 * kPi - 4.0) - 1e-12);
    EXPECT_NEAR((pairs[0].point_a - pairs[0].point_b).norm(), pairs[0].upper, 1e-9);
    EXPECT_NEAR(clearance.nearest().upper, distance(0.5), accuracy);
    double covered = 0.0;
    for (const ClearancePiece& piece : clearance.profile(0.3)) {
      EXPECT_EQ(piece.from, covered);
      covered = piece.to;
      for (double t = piece.from; t < piece.to; t += 0.01) {
        const double angle = configuration(*table.robot, path, t)[0];
        const double d = std::min(distance(angle - 2.0), distance(angle - 4.0 + (angle < 0.8 ? 2.0 * kPi : 0.0)));
        EXPECT_GE(d, piece.nearest.lower - 1e-12);
      }
      EXPECT_LE(piece.nearest.upper - piece.nearest.lower, accuracy * (1.0 + 1e-9));
    }
    EXPECT_EQ(covered, 3.0);
  }
}

/// The ball passes a post on one segment, which no measurement at its ends or its middle shows. A search that may take
/// one evaluation proves nothing.
TEST(PathClearance, IsNothingWhereTheSearchGaveUp) {
  const Turntable table({2.0});
  for (const double end : {5.0, 5.5, 6.0}) {
    const Trajectory path = table.through({{0.0, 0.0}, {1.0, end}});
    PathClearance spent(*table.checker, path, {1e-4, 1});
    EXPECT_EQ(spent.nearest().lower, 0.0) << end;
    PathClearance whole(*table.checker, path, {1e-4, 1'000'000});
    EXPECT_LE(whole.nearest().upper, 1e-4) << end;
  }
}

/// A ball slides beside a rail, half a metre from it, in a thousand small steps. Between two of the instants measured
/// first it goes ahead and returns: there a post comes nearer than the rail. It was too far away to be watched, and
/// comes near before the room that was covered is used up.
TEST(PathClearance, LooksForWhatComesNearLater) {
  testing::ChainSpec chain;
  chain.slide(Eigen::Vector3d::UnitX()).with(testing::ball(0.1));
  const auto robot = std::make_shared<const RobotModel>(chain.spec);
  Scene scene;
  Geometry rail{Box{{8.0, 0.2, 0.2}}, Eigen::Isometry3d::Identity(), "rail"};
  scene.objects.push_back({"rail", {rail}, testing::shift({0.0, 0.7, 0.0})});
  scene.objects.push_back({"post", {testing::ball(0.1)}, testing::shift({0.85, 0.0, 0.0})});
  const PathChecker checker(robot, scene, {});
  std::vector<TrajectoryPoint> points(1001);
  for (int i = 0; i <= 1000; ++i) {
    points[i].time = i;
    points[i].position = Eigen::VectorXd::Constant(1, 0.07 * std::max(0, 5 - std::abs(i - 90)));
  }
  const Trajectory path = make_trajectory(*robot, points);
  PathClearance clearance(checker, path, {1e-3, 1'000'000});
  EXPECT_NEAR(clearance.nearest().upper, 0.3, 1e-3);
  EXPECT_EQ(clearance.nearest().b, "post");
}

/// The ball leaves a hollow box and returns: between, the distance is that to the box; inside, it is 0.
TEST(PathClearance, ProfileKnowsWhenABodyIsInsideAnother) {
  constexpr double kHalf = 0.25;
  Turntable table({});
  SceneObject box;
  box.name = "box";
  box.geometry.push_back(testing::plate_mesh(2.0 * kHalf, 2.0 * kHalf, 2.0 * kHalf));
  box.pose.translation() = Eigen::Vector3d::UnitX();
  table.scene.objects.push_back(box);
  table.checker = std::make_unique<PathChecker>(table.robot, table.scene, CollisionMatrix{}, CheckerOptions{});
  const auto distance = [](double angle) {
    const Eigen::Vector2d outside(std::abs(std::cos(angle) - 1.0) - kHalf, std::abs(std::sin(angle)) - kHalf);
    return std::max(0.0, outside.cwiseMax(0.0).norm() - 0.1);
  };
  for (const auto& [first, between, last] :
       {std::array{0.0, 2.0, 0.0}, std::array{2.0, 0.0, 2.0}, std::array{0.02, -0.02, 1.0}}) {
    const Trajectory path = table.through({{0.0, first}, {1.0, between}, {2.0, last}});
    PathClearance clearance(*table.checker, path, {1e-4, 1'000'000});
    int inside = 0, outside = 0;
    for (const ClearancePiece& piece : clearance.profile(0.02)) {
      double least = 10.0;
      for (int j = 0; j <= 20; ++j) {
        const double t = piece.from + (piece.to - piece.from) * j / 20.0;
        least = std::min(least, distance(configuration(*table.robot, path, t)[0]));
      }
      EXPECT_LE(piece.nearest.lower, least) << first << ", " << piece.from;
      EXPECT_NEAR(piece.nearest.upper, least, 1e-3) << first << ", " << piece.from;
      inside += piece.nearest.upper == 0.0;
      outside += piece.nearest.lower > 0.01;
    }
    EXPECT_GT(inside, 5);
    EXPECT_GT(outside, 5);
  }
}

TEST(PathClearance, EnclosesWhatTheOracleSamples) {
  Draw draw(kSeed + 1);
  int apart = 0, pairs_seen = 0;
  for (int i = 0; i < std::max(4, testing::scaled(8)); ++i) {
    testing::RandomScenario what;
    what.material = testing::Material::Meshes;
    what.all_joint_types = false;
    what.objects = 3;
    what.size = 0.08;
    const testing::Scenario s = testing::random_scenario(draw, what);
    const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
    const truth::Oracle oracle(s.spec, s.scene, s.matrix, 0.0);
    testing::EdgeDraw edges(*s.robot, 1.0);
    std::vector<TrajectoryPoint> points(3);
    for (std::size_t k = 0; k < points.size(); ++k) {
      points[k].time = static_cast<double>(k);
      points[k].position = k == 0 ? edges.configuration(draw) : edges.beyond(draw, points[k - 1].position);
      points[k].velocity = Eigen::VectorXd::NullaryExpr(s.robot->dof(), [&] { return draw.uniform(-0.5, 0.5); });
    }
    const Trajectory path = make_trajectory(*s.robot, points);
    constexpr double kAccuracy = 1e-3;
    PathClearance clearance(checker, path, {kAccuracy, 1'000'000});
    const std::vector<PairClearance> all = clearance.nearest_pairs(1'000);
    const PairClearance nearest = clearance.nearest();
    ASSERT_EQ(all.size(), oracle.pairs().size());
    EXPECT_NEAR(nearest.upper, all[0].upper, kAccuracy);
    for (const PairClearance& c : all) {
      const int pair = oracle.find_pair(c.a, c.b);
      ASSERT_GE(pair, 0);
      ASSERT_LE(c.upper - c.lower, kAccuracy * (1.0 + 1e-9));
      ++pairs_seen;
      apart += c.lower > 0.0;
      const Eigen::VectorXd where = configuration(*s.robot, path, c.time);
      if (c.upper > 0.0) {
        EXPECT_LE(oracle.distance({where, where}, pair, 0), c.upper + 1e-9) << s.name << " " << i;
      }
      for (int j = 0; j <= 16; ++j) {
        const Eigen::VectorXd q = configuration(*s.robot, path, 2.0 * j / 16.0);
        const truth::Real d = oracle.nested_at({q, q}, pair, 0) ? 0 : oracle.distance({q, q}, pair, 0, c.upper + 0.01L);
        ASSERT_GE(d, c.lower - 1e-12L) << s.name << " " << i << ": " << c.a << ", " << c.b;
      }
    }
  }
  EXPECT_GT(apart, pairs_seen / 10);
  std::printf("  %d pairs, %d of them apart all the way\n", pairs_seen, apart);
}

double thread_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

TEST(PathClearance, OfALongPumaPathTakesFewEvaluations) {
  const testing::Scenario s = testing::own_scenario("puma", "puma", "puma_car");
  const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
  // The path through the car's window (free), each of its 14 segments cut into 15.
  const JointPath window = load_path(testing::source_dir() + "/models/paths/puma_window.csv", *s.robot).value;
  std::vector<TrajectoryPoint> points;
  for (std::size_t i = 1; i < window.waypoints.size(); ++i) {
    for (int k = i == 1 ? 0 : 1; k <= 15; ++k) {
      const Eigen::VectorXd q = window.waypoints[i - 1] + k / 15.0 * (window.waypoints[i] - window.waypoints[i - 1]);
      points.push_back({0.1 * static_cast<double>(points.size()), q, {}, {}});
    }
  }
  const Trajectory path = make_trajectory(*s.robot, points);
  for (const bool every : {false, true}) {
    PathClearance clearance(checker, path, {1e-3, 1'000'000});
    const double begin = thread_seconds();
    const PairClearance c = every ? clearance.nearest_pairs(1'000)[0] : clearance.nearest();
    const double ms = 1e3 * (thread_seconds() - begin);
    const auto evaluations = clearance.counters().evaluations();
    std::printf("  210 segments, %s: %.4f to %.4f m (%s, %s), %ld evaluations, %.1f ms of one thread\n",
                every ? "every pair" : "nearest pair", c.lower, c.upper, c.a.c_str(), c.b.c_str(),
                static_cast<long>(evaluations), ms);
    EXPECT_GT(c.lower, 0.01);
    EXPECT_LT(evaluations, every ? 1'000'000 : 150'000);
  }
}

}  // namespace
}  // namespace planner_ccd
