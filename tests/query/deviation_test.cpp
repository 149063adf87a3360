#include "planner_ccd/validation/deviation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "planner_ccd/math/error.hpp"
#include "support/random_curves.hpp"
#include "support/scale.hpp"
#include "support/small_robots.hpp"

/// Planned beside executed motions. The oracle evaluates both by formulas of its own, on a fine grid.
namespace planner_ccd {
namespace {

using testing::ChainSpec;

RobotModel three_joints() {
  ChainSpec chain;
  chain.slide(Eigen::Vector3d::UnitX()).turn(Eigen::Vector3d::UnitY());
  chain.joint(JointType::Continuous, Eigen::Vector3d::UnitZ(), 0.0, 0.0).with(testing::ball(0.1));
  return RobotModel(chain.spec);
}

/// A plan of cubics, and what was executed: lines between samples of it, late, noisy, a turn away in its last joint.
struct Motions {
  std::vector<TrajectoryPoint> plan, executed;
  double late = 0.0;

  explicit Motions(std::mt19937_64& rng) {
    std::uniform_real_distribution<double> u(-1.0, 1.0);
    const auto vector = [&](double size) { return Eigen::Vector3d(size * u(rng), size * u(rng), size * u(rng)); };
    double t = 0.3 * u(rng);
    for (int i = 0; i < 6; ++i, t += 0.3 + 0.2 * u(rng)) plan.push_back({t, vector(1.0), vector(1.5), {}});
    late = 3.0 * u(rng);
    const double noise = 0.03 * std::abs(u(rng)), begin = plan.front().time - 0.2, end = plan.back().time + 0.2;
    for (double s = begin; s <= end; s += 0.013) {
      Eigen::Vector3d q = planned(s) + vector(noise);
      q[2] += 2.0 * std::numbers::pi;
      executed.push_back({s + late, q, {}, {}});
    }
  }

  Eigen::Vector3d planned(double t) const {
    if (t <= plan.front().time) return plan.front().position;
    if (t >= plan.back().time) return plan.back().position;
    std::size_t i = 0;
    while (plan[i + 1].time < t) ++i;
    const TrajectoryPoint &a = plan[i], &b = plan[i + 1];
    const auto u = (static_cast<truth::Real>(t) - a.time) / (b.time - a.time);
    Eigen::Vector3d q;
    for (int k = 0; k < 3; ++k) q[k] = static_cast<double>(testing::curves::hermite(a, b, k, u));
    return q;
  }
  Eigen::Vector3d off(double t) const {
    const double s = t + late;
    std::size_t i = 0;
    while (i + 2 < executed.size() && executed[i + 1].time < s) ++i;
    const TrajectoryPoint &a = executed[i], &b = executed[i + 1];
    Eigen::Vector3d q = a.position + (s - a.time) / (b.time - a.time) * (b.position - a.position) - planned(t);
    q[2] -= 2.0 * std::numbers::pi;
    return q;
  }
};

TEST(Deviation, IsTheGreatestOfAFineGridAndFirstLeavesWhereThatDoes) {
  const RobotModel robot = three_joints();
  std::mt19937_64 rng(testing::seeded(71));
  int left = 0, stayed = 0, late = 0;
  for (int round = 0; round < testing::scaled(60, 20); ++round) {
    const Motions motions(rng);
    const Trajectory planned = make_trajectory(robot, motions.plan),
                     executed = make_trajectory(robot, motions.executed);
    TrajectoryOptions options;
    options.edge.errors.tracking = same_tracking(robot, 0.012, 0.009);
    const Deviation found = deviation(robot, planned, executed, -motions.late, options);
    ASSERT_EQ(found.joints.size(), 3u);
    EXPECT_TRUE(found.complete);
    Eigen::Vector3d most = Eigen::Vector3d::Zero();
    Eigen::Vector3d first = Eigen::Vector3d::Constant(INFINITY);
    constexpr int kGrid = 8000;
    const double begin = motions.plan.front().time, end = motions.plan.back().time, step = (end - begin) / kGrid;
    for (int i = 0; i <= kGrid; ++i) {
      const Eigen::Vector3d off = motions.off(begin + i * step);
      for (int k = 0; k < 3; ++k) {
        most[k] = std::max(most[k], std::abs(off[k]));
        if (std::abs(off[k]) > options.edge.errors.tracking[k]) first[k] = std::min(first[k], begin + i * step);
      }
    }
    for (int k = 0; k < 3; ++k) {
      const JointDeviation& joint = found.joints[static_cast<std::size_t>(k)];
      EXPECT_EQ(joint.joint, robot.coordinates()[static_cast<std::size_t>(k)].name);
      EXPECT_EQ(joint.allowed, options.edge.errors.tracking[k]);
      EXPECT_GE(std::abs(joint.greatest), most[k] - 1e-12);
      EXPECT_LE(std::abs(joint.greatest), most[k] + 10.0 * step) << "it is attained: neither moves at more than 5 / s";
      EXPECT_NEAR(motions.off(joint.at)[k], joint.greatest, 1e-9);
      if (std::isfinite(first[k])) {
        ++left;
        late += joint.left > begin;
        EXPECT_LE(joint.left, first[k] + 1e-9);
        EXPECT_NEAR(std::abs(motions.off(joint.left)[k]), joint.allowed, joint.left > begin ? 1e-9 : INFINITY);
      } else {
        ++stayed;
        if (std::isfinite(joint.left)) {
          EXPECT_NEAR(most[k], joint.allowed, 10.0 * step);
        }
      }
    }
    const double shift = best_shift(robot, planned, executed);
    EXPECT_NEAR(shift, -motions.late, 0.02) << "as far as noise and samples tell";
  }
  EXPECT_GT(left, 10);
  EXPECT_GT(late, 5);
  EXPECT_GT(stayed, 5);
}

TEST(Deviation, OfAMotionFromItselfIsNothingAndPartsAreNotAll) {
  const RobotModel robot = three_joints();
  std::mt19937_64 rng(5);
  const Motions motions(rng);
  const Trajectory planned = make_trajectory(robot, motions.plan);
  TrajectoryOptions options;
  options.edge.errors.tracking = same_tracking(robot, 1e-9, 1e-9);
  const Deviation same = deviation(robot, planned, planned, 0.0, options);
  EXPECT_TRUE(same.within());
  for (const JointDeviation& joint : same.joints) EXPECT_LT(std::abs(joint.greatest), 1e-11);

  Trajectory still = make_trajectory(robot, {{0.5, Eigen::Vector3d(9, 9, 9), {}, {}}});
  EXPECT_FALSE(deviation(robot, still, planned, 0.0, options).within()) << "nothing was compared";

  const Deviation part = deviation(robot, planned, planned, 0.1, {});
  EXPECT_FALSE(part.complete);
  EXPECT_FALSE(part.within());
  EXPECT_DOUBLE_EQ(part.begin, motions.plan.front().time + 0.1);
  EXPECT_EQ(deviation(robot, planned, planned, 100.0, {}).begin, deviation(robot, planned, planned, 100.0, {}).end);
}

/// What is 20 ms behind on the plan's own path is within a delay of 20 ms, and not within one of 10 ms.
TEST(Deviation, ADelayIsAllowedWhereTheCheckAllowsIt) {
  const RobotModel robot = three_joints();
  const auto at = [](double t, double x) { return TrajectoryPoint{t, Eigen::Vector3d(x, -x, 2 * x), {}, {}}; };
  const Trajectory planned = make_trajectory(robot, {at(0.0, 0.0), at(1.0, 1.0), at(1.1, 1.0)});
  const Trajectory executed = make_trajectory(robot, {at(0.0, 0.0), at(0.02, 0.0), at(1.02, 1.0), at(1.1, 1.0)});
  TrajectoryOptions options;
  options.tracking_delay = 0.0201;
  EXPECT_TRUE(deviation(robot, planned, executed, 0.0, options).within());
  options.tracking_delay = 0.0199;
  const Deviation found = deviation(robot, planned, executed, 0.0, options);
  EXPECT_FALSE(found.within());
  EXPECT_NEAR(found.joints[2].greatest, -0.04, 1e-9);
  EXPECT_NEAR(found.joints[2].left, 0.0199, 1e-9);
}

TEST(Deviation, RefusesWhatHasNoClock) {
  const RobotModel robot = three_joints();
  std::mt19937_64 rng(6);
  const Trajectory planned = make_trajectory(robot, Motions(rng).plan);
  Trajectory untimed = planned;
  untimed.timed = false;
  EXPECT_THROW((void)deviation(robot, untimed, planned, 0.0), InputError);
  EXPECT_THROW((void)best_shift(robot, planned, untimed), InputError);
  EXPECT_THROW((void)deviation(robot, planned, planned, NAN), InputError);
  Trajectory back = planned;
  std::swap(back.segments[1].t0, back.segments[1].t1);
  EXPECT_THROW((void)deviation(robot, planned, back, 0.0), InputError);
  EXPECT_THROW((void)deviation(robot, planned, Trajectory{}, 0.0), InputError);
}

}  // namespace
}  // namespace planner_ccd
