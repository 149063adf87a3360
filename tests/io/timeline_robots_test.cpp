// Robots that move by their own logs beside a motion: against samples of both by the specification alone (truth::Mechanism), with lines
// between the log's samples drawn here.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "io/io_support.hpp"
#include "planner_ccd/io/timeline_file.hpp"
#include "planner_ccd/validation/check_trajectory.hpp"
#include "support/log_writer.hpp"
#include "support/oracle.hpp"
#include "support/random_robot.hpp"
#include "support/scale.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;

/// Values of some joints over time, straight between them.
struct Samples {
  std::vector<std::string> joints;
  std::vector<std::int64_t> ns;
  std::vector<std::vector<double>> rows;

  double time(std::size_t i, double starts) const { return 1e-9 * static_cast<double>(ns[i] - ns[0]) + starts; }
  double at(std::size_t joint, double t, double starts) const {
    std::size_t i = 1;
    while (i + 1 < ns.size() && time(i, starts) < t) ++i;
    const double u = (t - time(i - 1, starts)) / (time(i, starts) - time(i - 1, starts));
    return (1.0 - u) * rows[i - 1][joint] + u * rows[i][joint];
  }
  std::string log() const {
    test::LogWriter writer(joints);
    for (std::size_t i = 0; i < ns.size(); ++i) writer.add(ns[i], rows[i]);
    return writer.bytes();
  }
  std::string csv() const {
    std::string text = "time";
    for (const std::string& joint : joints) text += "," + joint;
    for (std::size_t i = 0; i < ns.size(); ++i) {
      char number[64];
      std::snprintf(number, sizeof number, "\n%.17g", 1e-9 * static_cast<double>(ns[i] - ns[0]));
      text += number;
      for (const double q : rows[i]) {
        std::snprintf(number, sizeof number, ",%.17g", q);
        text += number;
      }
    }
    return text + "\n";
  }
};

/// A gantry with a turning bar, and an arm with a ball on a stand: another robot, which moves by its log.
struct Cell {
  RobotSpec spec;
  std::shared_ptr<const RobotModel> robot;
  std::vector<double> times;
  std::vector<JointVector> waypoints;  ///< Of the gantry; the arm's joints at 0.
  Samples arm;
  double starts = 0.0, end = 4.0;

  explicit Cell(Draw& draw) {
    const RobotSpec gantry = testing::ChainSpec()
                                 .slide({1, 0, 0})
                                 .slide({0, 1, 0})
                                 .turn({0, 0, 1})
                                 .with({Box{{0.5, 0.1, 0.1}}, Eigen::Isometry3d::Identity(), "bar"})
                                 .spec;
    const RobotSpec other = testing::ChainSpec()
                                .turn({0, 0, 1})
                                .turn({0, 1, 0}, 10.0, {0.3, 0, 0})
                                .slide({1, 0, 0})
                                .with(testing::ball(0.1, {0.4, 0, 0}))
                                .with({Box{{0.2, 0.05, 0.05}}, testing::shift({0.6, 0, 0}), "finger"})
                                .spec;
    spec = combine({{gantry, "a_", Pose::Identity()}, {other, "b_", testing::shift({draw.uniform(0.3, 0.6), 0, 0})}});
    robot = std::make_shared<const RobotModel>(spec);
    times = {0.0, draw.uniform(1.0, 3.0), end};
    for (std::size_t i = 0; i < times.size(); ++i) {
      JointVector q = JointVector::Zero(6);
      q.head<3>() << draw.uniform(-0.5, 1.0), draw.uniform(-0.7, 0.7), draw.uniform(-2.0, 2.0);
      waypoints.push_back(q);
    }
    arm.joints = {"j1", "j2", "j3"};
    arm.ns = {1'763'500'000'000'000'000};
    arm.rows = {{draw.uniform(-3.0, 3.0), draw.uniform(-1.0, 1.0), draw.uniform(-0.1, 0.1)}};
    starts = draw.uniform(-2.0, -0.1);
    while (arm.time(arm.ns.size() - 1, starts) < end) {
      arm.ns.push_back(arm.ns.back() + draw.integer(5'000'000, 300'000'000));
      std::vector<double> next = arm.rows.back();
      for (double& q : next) q += draw.uniform(-0.25, 0.25);
      next[2] = std::clamp(next[2], -0.2, 0.2);
      arm.rows.push_back(next);
    }
  }

  Trajectory own() const { return make_trajectory(*robot, JointPath{waypoints, times}); }

  std::vector<double> knots() const {
    std::vector<double> all = times;
    for (std::size_t i = 0; i < arm.ns.size(); ++i) {
      const double t = arm.time(i, starts);
      if (0.0 < t && t < end) all.push_back(t);
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  Eigen::VectorXd at(double t) const {
    std::size_t i = 1;
    while (i + 1 < times.size() && times[i] < t) ++i;
    const double u = (t - times[i - 1]) / (times[i] - times[i - 1]);
    Eigen::VectorXd q = (1.0 - u) * waypoints[i - 1] + u * waypoints[i];
    for (std::size_t k = 0; k < 3; ++k) q[3 + static_cast<int>(k)] = arm.at(k, t, starts);
    return q;
  }
};

TEST(TimelineRobots, FreeHoldsForTheLinesBetweenTheSamplesOfALog) {
  const unsigned seed = testing::seeded(1519);
  std::printf("  seed %u\n", seed);
  Draw draw(seed);
  const test::TempFolder folder;
  int free = 0, contacts = 0, samples = 0, other = 0;
  const int cells = testing::scaled(300, 60);
  for (int i = 0; i < cells && !HasFailure(); ++i) {
    const Cell cell(draw);
    const bool csv = i % 4 == 0;
    TimelineFile::Robot one;
    one.prefix = "b_";
    one.starts = cell.starts;
    one.where = "cell " + std::to_string(i);
    one.max_gap = 0.31;
    one.path = csv ? folder.write("arm.csv", cell.arm.csv()) : folder.write("arm.mcap", cell.arm.log());
    const auto robots = load_robot_motions({one}, *cell.robot);
    ASSERT_EQ(moved_coordinates(*cell.robot, robots.value), (std::vector<std::string>{"b_j1", "b_j2", "b_j3"}));
    const Trajectory motion = with_robot_motions(*cell.robot, cell.own(), robots.value);
    ASSERT_EQ(motion.segments.front().t0, 0.0);
    ASSERT_EQ(motion.segments.back().t1, cell.end);
    const double margin = i % 3 == 0 ? 0.02 : 0.0;
    const PathChecker checker(cell.robot, {}, CollisionMatrix(), {.margin = margin});
    Workspace workspace(checker);
    const TrajectoryResult report = check_trajectory(checker, motion, workspace);
    ASSERT_NE(report.verdict, Verdict::Undecided) << one.where;
    const bool is_free = report.verdict == Verdict::Free;
    (is_free ? free : contacts) += 1;
    const double until = is_free ? cell.end : report.findings.front().begin.from;
    const truth::Oracle oracle(cell.spec, {}, CollisionMatrix(), margin, 0.0);
    const std::vector<double> knots = cell.knots();
    for (std::size_t k = 0; k + 1 < knots.size() && knots[k] < until; ++k) {
      const truth::Edge edge{cell.at(knots[k]), cell.at(knots[k + 1])};
      const double last = std::min(1.0, (until - knots[k]) / (knots[k + 1] - knots[k]));
      for (int p = 0; p < static_cast<int>(oracle.pairs().size()); ++p) {
        const truth::Scan scan = oracle.scan(edge, p, 0, last, {.step = 0.02L});
        samples += scan.samples;
        EXPECT_FALSE(scan.hit && (is_free || *scan.hit < last - 1e-6L))
            << one.where << ", knot " << k << ", pair " << p;
      }
    }
    if (!is_free) {
      EXPECT_LE(report.edge.contact->distance, margin + 1.01e-4);
      const double t = report.findings.front().begin.to;
      EXPECT_LT((report.edge.contact->q - cell.at(t)).cwiseAbs().maxCoeff(), 1e-9) << one.where << ": at another place";
    }
    other += check_trajectory(checker, cell.own(), workspace).verdict != report.verdict ? 1 : 0;
  }
  std::printf("  %d free, %d contacts, %d samples; another verdict with the arm at rest: %d\n", free, contacts, samples,
              other);
  EXPECT_GE(free, cells / 5);
  EXPECT_GE(contacts, cells / 5);
  EXPECT_GE(other, cells / 20);
}

/// The message of the InputError that the call throws.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TimelineRobots, WhatIsNotKnownIsRefused) {
  Draw draw(7);
  const Cell cell(draw);
  const test::TempFolder folder;
  const auto joined = [&](const TimelineFile::Robot& one, const Trajectory& motion) {
    return refusal(
        [&] { (void)with_robot_motions(*cell.robot, motion, load_robot_motions({one}, *cell.robot).value); });
  };
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
  };
  TimelineFile::Robot one;
  one.prefix = "b_";
  one.path = folder.write("arm.mcap", cell.arm.log());
  one.max_gap = 0.31;
  one.starts = cell.starts;
  one.where = "t.yaml:3";
  EXPECT_EQ(joined(one, cell.own()), "accepted");
  const auto with = [&](auto change) {
    TimelineFile::Robot other = one;
    change(other);
    return joined(other, cell.own());
  };
  expect(with([](auto& r) { r.starts = 0.1; }), "t.yaml:3: robot \"b_\": its motion goes from 0.1 s to ");
  expect(with([](auto& r) { r.starts = -3.9; }), "where it is all that time must be known");
  expect(with([](auto& r) { r.max_gap = 0.006; }), "no sample of ");
  expect(with([](auto& r) { r.prefix = "c_"; }), "no joint's name begins so");
  expect(with([](auto& r) { r.topic = "/states"; }), "has no topic");
  expect(with([&](auto& r) {
           r.path = folder.write("arm.csv", cell.arm.csv());
           r.topic = "/states";
         }),
         "'topic' is for logs");
  expect(with([&](auto& r) { r.path = folder.write("rest.csv", "j1,j2,j3\n0,0,0\n1,0,0\n"); }), "has no times");
  expect(joined(one, make_trajectory(*cell.robot, JointPath{cell.waypoints, {}})), "the motion has no times");
  JointPath moved{cell.waypoints, cell.times};
  for (const std::size_t i : {0, 1, 2}) {
    moved.waypoints = cell.waypoints;
    moved.waypoints[i][4] = 0.1;
    expect(joined(one, make_trajectory(*cell.robot, moved)), "\"b_j2\" is moved by something else too");
  }
  expect(refusal([&] {
           (void)with_robot_motions(*cell.robot, cell.own(), load_robot_motions({one, one}, *cell.robot).value);
         }),
         "\"b_j1\" is moved by something else too");
}

/// Files of the motion itself leave out what the timeline's robots move.
TEST(TimelineRobots, FilesOfTheMotionLeaveThemOut) {
  Draw draw(7);
  const Cell cell(draw);
  const test::TempFolder folder;
  const std::string own = folder.write("own.csv", "time,a_j1,a_j2,a_j3\n0,0,0,0\n4,1,0,0\n");
  TrajectoryFileOptions options;
  EXPECT_NE(refusal([&] {
              (void)load_trajectories({{own, ""}}, *cell.robot, options);
            }).find("b_j1"),
            std::string::npos);
  options.elsewhere = {"b_j1", "b_j2", "b_j3"};
  const auto loaded = load_trajectories({{own, ""}}, *cell.robot, options);
  EXPECT_EQ(loaded.value.segments.size(), 1u);
  EXPECT_TRUE(loaded.assumptions.empty()) << "nothing is held";
  const std::string all = folder.write("all.csv", "time,a_j1,a_j2,a_j3,b_j1,b_j2,b_j3\n0,0,0,0,0,0,0\n4,1,0,0,0,0,0\n");
  EXPECT_NE(refusal([&] {
              (void)load_trajectories({{all, ""}}, *cell.robot, options);
            }).find("is moved by a robot of the timeline"),
            std::string::npos);
}

}  // namespace
}  // namespace planner_ccd
