// Every bound of motion/pair_motion.hpp against the motion itself, sampled densely through forward kinematics of poses
// only (velocities and accelerations of the oracle are finite differences of those poses, so no code of the bounds is
// shared).
#include "planner_ccd/motion/pair_motion.hpp"

#include <gtest/gtest.h>

#include <iostream>

#include "support/random_robot.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;
using testing::scaled;

struct Sampler {
  EdgeMotion& motion;
  const PairChain& chain;
  Kinematics k;

  Sampler(EdgeMotion& m, const PairChain& c) : motion(m), chain(c) { k.resize(m.chain()); }

  /// The point `p` of A at time t, in B's frame.
  Eigen::Vector3d operator()(double t, const Eigen::Vector3d& p) {
    motion.kinematics(t, k);
    return k.bodies[chain.body_b].pose().inverse() * (k.bodies[chain.body_a].pose() * p);
  }
};

struct Case {
  RobotModel robot;
  EdgeMotion motion;
  PairChain chain;
  PairMotion bounds;
  double reach;

  Case(Draw& draw, double size) : robot(draw.robot(draw.integer(1, 7))), motion(robot), reach(draw.uniform(0.05, 0.6)) {
    motion.set_linear(draw.configuration(robot, size), draw.configuration(robot, size), AnglePolicy::Literal);
    const int bodies = static_cast<int>(robot.bodies().size());
    const int a = draw.integer(0, bodies - 1);
    chain = pair_chain(motion.chain(), a, draw.integer(0, bodies - 1));
    bounds.set(chain, motion, reach);
  }
};

TEST(PairMotion, VelocityAndAccelerationNeverExceedTheBounds) {
  const unsigned seed = 20261118;
  std::cout << "seed " << seed << "\n";
  Draw draw(seed);
  const int draws = scaled(10000);
  int moving = 0;
  double tightest1 = 0.0, tightest2 = 0.0, sum1 = 0.0, sum2 = 0.0;
  for (int i = 0; i < draws; ++i) {
    Case c(draw, draw.uniform(0.1, 2.0));
    Sampler at(c.motion, c.chain);
    const Eigen::Vector3d p = draw.direction() * c.reach;
    double greatest1 = 0.0, greatest2 = 0.0;
    const double h = 1e-4;
    for (int s = 0; s < 12; ++s) {
      const double t = draw.uniform(h, 1.0 - h);
      const Eigen::Vector3d back = at(t - h, p), now = at(t, p), forward = at(t + h, p);
      // The mean of |p'| over [t-h, t+h] is at least |forward - back| / 2h, and |forward - 2 now + back| / h^2 is at
      // most the greatest |p''| there: mean-value theorems, so only rounding (1e-15 / h^2 = 1e-7) needs room.
      greatest1 = std::max(greatest1, (forward - back).norm() / (2.0 * h));
      greatest2 = std::max(greatest2, (forward - 2.0 * now + back).norm() / (h * h));
    }
    const double scale = 1.0 + c.motion.rounding_pads(c.reach).position * 1e16 * 1e-2;
    ASSERT_LE(greatest1, c.bounds.speed_bound() + 1e-10 * scale) << "draw " << i;
    ASSERT_LE(greatest2, c.bounds.acceleration_bound() + 1e-6 * scale) << "draw " << i;
    if (c.bounds.speed_bound() > 1e-2) {
      ++moving;
      sum1 += greatest1 / c.bounds.speed_bound();
      tightest1 = std::max(tightest1, greatest1 / c.bounds.speed_bound());
    }
    if (c.bounds.acceleration_bound() > 1e-2) {
      sum2 += greatest2 / c.bounds.acceleration_bound();
      tightest2 = std::max(tightest2, greatest2 / c.bounds.acceleration_bound());
    }
  }
  EXPECT_GT(moving, draws * 3 / 10);
  std::cout << "B_1 used to " << sum1 / moving << " on average, " << tightest1 << " at most; B_2 " << sum2 / moving
            << ", " << tightest2 << "\n";
}

TEST(PairMotion, TwistAtAnInstantIsTheDerivative) {
  Draw draw(7);
  for (int i = 0; i < scaled(2000); ++i) {
    Case c(draw, 1.5);
    Sampler at(c.motion, c.chain);
    const Eigen::Vector3d p = draw.vector(0.5);
    const double t = draw.uniform(0.1, 0.9);
    PairState state;
    Kinematics k;
    k.resize(c.motion.chain());
    c.motion.kinematics(t, k);
    state.set(c.chain, c.bounds, k);
    const Eigen::Vector3d now = state.R * p + state.o;
    ASSERT_LT((now - at(t, p)).norm(), 1e-12);
    const double h = 1e-5;
    const Eigen::Vector3d difference = (at(t + h, p) - at(t - h, p)) / (2.0 * h);
    ASSERT_LT((state.v + state.w.cross(now) - difference).norm(), 1e-6 * (1.0 + c.bounds.acceleration_bound() * 10.0));
  }
}

TEST(PairMotion, LocalAccelerationBoundHoldsAroundItsInstant) {
  Draw draw(11);
  const int draws = scaled(5000);
  int tighter = 0;
  for (int i = 0; i < draws; ++i) {
    Case c(draw, draw.uniform(0.1, 2.0));
    Sampler at(c.motion, c.chain);
    const Eigen::Vector3d p = draw.direction() * draw.uniform(0.0, c.reach);
    const double t = draw.uniform(0.0, 1.0);
    const double half = draw.uniform(0.0, 0.3);
    Kinematics k;
    k.resize(c.motion.chain());
    c.motion.kinematics(t, k);
    PairState state;
    state.set(c.chain, c.bounds, k);
    const double bound = state.acceleration_at(state.R * p + state.o, c.bounds, half);
    tighter += bound < 0.9 * c.bounds.acceleration_bound();
    const double h = 1e-4;
    for (int s = 0; s < 8; ++s) {
      const double u = t + draw.uniform(-half, half) * (1.0 - 2.0 * h);
      const double clipped = std::clamp(u, t - half + h, t + half - h);
      if (clipped - h < t - half || clipped + h > t + half) continue;
      const double second = (at(clipped + h, p) - 2.0 * at(clipped, p) + at(clipped - h, p)).norm() / (h * h);
      const double scale = 1.0 + c.motion.rounding_pads(c.reach).position * 1e16 * 1e-2;
      ASSERT_LE(second, bound + 1e-6 * scale) << "draw " << i;
    }
  }
  EXPECT_GT(tighter, draws * 3 / 10);
}

/// A chain stretched out straight with parallel axes and equal rates: the point on its end moves on a circle about the
/// first axis with rate W at the first instant, where |p''| = sum_k rho_k (W_k^2 - W_{k-1}^2) exactly.
TEST(PairMotion, BoundIsAttainedByAStretchedChain) {
  RobotSpec spec;
  spec.name = "stretched";
  spec.links.push_back({"base", {}, {}});
  for (int i = 0; i < 3; ++i) {
    JointSpec j;
    j.name = "j" + std::to_string(i);
    j.type = JointType::Revolute;
    j.parent = spec.links.back().name;
    j.child = "l" + std::to_string(i);
    j.axis = Eigen::Vector3d::UnitZ();
    if (i > 0) j.origin.translation() = Eigen::Vector3d::UnitX();
    spec.links.push_back({j.child, {}, {}});
    spec.joints.push_back(j);
  }
  const RobotModel robot(spec);
  EdgeMotion motion(robot);
  motion.set_linear(Eigen::Vector3d(-0.1, -0.1, -0.1), Eigen::Vector3d(0.1, 0.1, 0.1), AnglePolicy::Literal);
  const PairChain chain = pair_chain(motion.chain(), 3, 0);
  PairMotion bounds;
  bounds.set(chain, motion, 1.0);
  Sampler at(motion, chain);
  const Eigen::Vector3d p = Eigen::Vector3d::UnitX();
  const double h = 1e-3;
  const double speed = (at(0.5 + h, p) - at(0.5 - h, p)).norm() / (2 * h);
  const double acceleration = (at(0.5 + h, p) - 2.0 * at(0.5, p) + at(0.5 - h, p)).norm() / (h * h);
  EXPECT_NEAR(speed, bounds.speed_bound(), 1e-5);
  EXPECT_NEAR(acceleration, bounds.acceleration_bound(), 1e-5);
}

}  // namespace
}  // namespace planner_ccd
