// Every bound of motion/pair_motion.hpp against the motion itself, sampled densely through forward kinematics of poses
// only (velocities and accelerations of the oracle are finite differences of those poses, so no code of the bounds is
// shared).
#include "planner_ccd/motion/pair_motion.hpp"

#include "planner_ccd/motion/lever_form.hpp"

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
    if (draw.integer(0, 1) == 1) curve(draw, size);
    const int bodies = static_cast<int>(robot.bodies().size());
    const int a = draw.integer(0, bodies - 1);
    chain = pair_chain(motion.chain(), a, draw.integer(0, bodies - 1));
    bounds.set(chain, motion, reach);
  }

  /// Cubics instead of straight lines.
  void curve(Draw& draw, double size) {
    std::vector<Polynomial> values;
    for (std::size_t k = 0; k < motion.chain().moves.size(); ++k) {
      Polynomial p = motion.move(static_cast<int>(k));
      if (p.degree > 0) {
        p.degree = 3;
        for (int i = 2; i <= 3; ++i) p.c[i] = draw.uniform(-size, size);
      }
      values.push_back(p);
    }
    motion.set_moves(values);
  }
};

TEST(PairMotion, DerivativesNeverExceedTheBounds) {
  const unsigned seed = 20261118;
  std::cout << "seed " << seed << "\n";
  Draw draw(seed);
  const int draws = scaled(10000);
  int moving = 0;
  double tightest1 = 0.0, tightest2 = 0.0, tightest3 = 0.0, sum1 = 0.0, sum2 = 0.0, sum3 = 0.0;
  for (int i = 0; i < draws; ++i) {
    Case c(draw, draw.uniform(0.1, 2.0));
    Sampler at(c.motion, c.chain);
    const Eigen::Vector3d p = draw.direction() * c.reach;
    double greatest1 = 0.0, greatest2 = 0.0, greatest3 = 0.0;
    const double h = 1e-4, wide = 1e-3;
    for (int s = 0; s < 12; ++s) {
      const double t = draw.uniform(h, 1.0 - h);
      const Eigen::Vector3d back = at(t - h, p), now = at(t, p), forward = at(t + h, p);
      // The mean of |p'| over [t-h, t+h] is at least |forward - back| / 2h, and |forward - 2 now + back| / h^2 is at
      // most the greatest |p''| there: mean-value theorems, so only rounding (1e-15 / h^2 = 1e-7) needs room.
      greatest1 = std::max(greatest1, (forward - back).norm() / (2.0 * h));
      greatest2 = std::max(greatest2, (forward - 2.0 * now + back).norm() / (h * h));
      const double u = draw.uniform(0.0, 1.0 - 3.0 * wide);
      const Eigen::Vector3d third = at(u + 3 * wide, p) - 3.0 * (at(u + 2 * wide, p) - at(u + wide, p)) - at(u, p);
      greatest3 = std::max(greatest3, third.norm() / (wide * wide * wide));
    }
    const double scale = 1.0 + c.motion.rounding_pads(c.reach).position * 1e16 * 1e-2;
    ASSERT_LE(greatest1, c.bounds.speed_bound() + 1e-10 * scale) << "draw " << i;
    ASSERT_LE(greatest2, c.bounds.acceleration_bound() + 1e-6 * scale) << "draw " << i;
    ASSERT_LE(greatest3, c.bounds.jerk_bound() + 1e-5 * scale) << "draw " << i;
    if (c.bounds.speed_bound() > 1e-2) {
      ++moving;
      sum1 += greatest1 / c.bounds.speed_bound();
      tightest1 = std::max(tightest1, greatest1 / c.bounds.speed_bound());
    }
    if (c.bounds.acceleration_bound() > 1e-2) {
      sum2 += greatest2 / c.bounds.acceleration_bound();
      tightest2 = std::max(tightest2, greatest2 / c.bounds.acceleration_bound());
      sum3 += greatest3 / c.bounds.jerk_bound();
      tightest3 = std::max(tightest3, greatest3 / c.bounds.jerk_bound());
    }
  }
  EXPECT_GT(moving, draws * 3 / 10);
  std::cout << "B_1 used to " << sum1 / moving << " on average, " << tightest1 << " at most; B_2 " << sum2 / moving
            << ", " << tightest2 << "; B_3 " << sum3 / moving << ", " << tightest3 << "\n";
}

/// Of a curve each half, quarter and eighth has bounds of its own; and they are smaller where it lingers.
TEST(PairMotion, DerivativesOnAPartNeverExceedItsBounds) {
  Draw draw(20261119);
  int curved = 0, smaller = 0;
  for (int i = 0; i < std::max(300, scaled(3000)); ++i) {
    Case c(draw, draw.uniform(0.1, 2.0));
    const double t0 = draw.uniform(0.0, 0.99), t1 = draw.uniform(t0, std::min(1.0, t0 + draw.uniform(0.01, 1.0)));
    const int part = c.motion.part_of(t0, t1);
    PairMotion bounds;
    c.motion.bound_part(part);
    bounds.set(c.chain, c.motion, c.reach, part);
    curved += part != 0;
    smaller += part != 0 && bounds.acceleration_bound() < 0.9 * c.bounds.acceleration_bound();
    Sampler at(c.motion, c.chain);
    const Eigen::Vector3d p = draw.direction() * c.reach;
    const double scale = 1.0 + c.motion.rounding_pads(c.reach).position * 1e16 * 1e-2;
    for (int s = 0; s < 12; ++s) {
      const double h = std::min(1e-4, 0.4 * (t1 - t0)), wide = std::min(1e-3, 0.3 * (t1 - t0));
      if (h < 1e-5 || wide < 2e-4) break;
      const double t = draw.uniform(t0 + h, t1 - h), u = draw.uniform(t0, t1 - 3.0 * wide);
      const Eigen::Vector3d back = at(t - h, p), now = at(t, p), forward = at(t + h, p);
      const Eigen::Vector3d third = at(u + 3 * wide, p) - 3.0 * (at(u + 2 * wide, p) - at(u + wide, p)) - at(u, p);
      ASSERT_LE((forward - back).norm() / (2.0 * h), bounds.speed_bound() + 1e-10 * 1e-4 / h * scale) << "draw " << i;
      ASSERT_LE((forward - 2.0 * now + back).norm() / (h * h), bounds.acceleration_bound() + 1e-14 / (h * h) * scale)
          << "draw " << i;
      ASSERT_LE(third.norm() / (wide * wide * wide), bounds.jerk_bound() + 1e-14 / (wide * wide * wide) * scale)
          << "draw " << i;
    }
  }
  EXPECT_GT(curved, 30);
  EXPECT_GT(smaller, curved / 4);
}

TEST(PairMotion, TwistAndItsDerivativeAtAnInstantAreTheMotions) {
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
    state.set(c.chain, k);
    const Eigen::Vector3d now = state.R_BA * p + state.p_BA;
    ASSERT_LT((now - at(t, p)).norm(), 1e-12);
    const double h = 1e-5;
    const Eigen::Vector3d difference = (at(t + h, p) - at(t - h, p)) / (2.0 * h);
    ASSERT_LT((state.velocity(now) - difference).norm(), 1e-6 * (1.0 + c.bounds.acceleration_bound() * 10.0));
    const double wide = 1e-3;  // a second difference is off by its width times the third derivative
    const Eigen::Vector3d second = (at(t + wide, p) - 2.0 * at(t, p) + at(t - wide, p)) / (wide * wide);
    ASSERT_LT((state.acceleration(now) - second).norm(), 1e-6 + 1.1 * wide * c.bounds.jerk_bound()) << "draw " << i;
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
    state.set(c.chain, k);
    const double bound = state.acceleration_bound(state.R_BA * p + state.p_BA, c.bounds, half);
    tighter += bound < 0.9 * c.bounds.acceleration_bound();
    const double h = 1e-4;
    for (int s = 0; s < 8; ++s) {
      const double u = t + draw.uniform(-half, half) * (1.0 - 2.0 * h);
      const double first = std::max(0.0, t - half), last = std::min(1.0, t + half);
      if (last - first < 2.0 * h) continue;
      const double clipped = std::clamp(u, first + h, last - h);
      const double second = (at(clipped + h, p) - 2.0 * at(clipped, p) + at(clipped - h, p)).norm() / (h * h);
      const double scale = 1.0 + c.motion.rounding_pads(c.reach).position * 1e16 * 1e-2;
      ASSERT_LE(second, bound + 1e-6 * scale) << "draw " << i;
    }
  }
  EXPECT_GT(tighter, draws * 3 / 10);
}

/// Certified cells know rates only up to their signs.
TEST(LeverForm, BoundsTheAccelerationOfEveryMotionWithTheseRates) {
  Draw draw(12);
  const int draws = scaled(5000);
  int tighter = 0;
  for (int i = 0; i < draws; ++i) {
    Case c(draw, draw.uniform(0.1, 2.0));
    std::vector<Polynomial> fastest, drawn;
    for (std::size_t k = 0; k < c.motion.chain().moves.size(); ++k) {
      const Polynomial& p = c.motion.move(static_cast<int>(k));
      Polynomial line;
      line.degree = 1;
      line.c[0] = p.c[0];
      line.c[1] = std::copysign(p.c[1], p.c[0]);  // so that value_bound() holds on both sides
      fastest.push_back(line);
      line.c[1] *= draw.uniform(-1.0, 1.0);
      drawn.push_back(line);
    }
    c.motion.set_moves(fastest);
    c.bounds.set(c.chain, c.motion, c.reach);
    Kinematics k;
    k.resize(c.motion.chain());
    c.motion.kinematics(0.0, k);
    PairState state;
    state.set(c.chain, k);
    LeverForm form;
    form.set(c.chain, c.motion, c.bounds, k);
    const Eigen::Vector3d p = draw.direction() * draw.uniform(0.0, c.reach);
    const double half = draw.uniform(0.1, 1.0);
    const double bound = form.acceleration_bound(state.R_BA * p + state.p_BA, half);
    tighter += bound < 0.9 * c.bounds.acceleration_bound();
    c.motion.set_moves(drawn);
    Sampler at(c.motion, c.chain);
    const double h = 1e-4;
    for (int s = 0; s < 8; ++s) {
      const double t = draw.uniform(h, half - h);
      const double second = (at(t + h, p) - 2.0 * at(t, p) + at(t - h, p)).norm() / (h * h);
      const double scale = 1.0 + c.motion.rounding_pads(c.reach).position * 1e16 * 1e-2;
      ASSERT_LE(second, bound + 1e-6 * scale) << "draw " << i;
    }
  }
  EXPECT_GT(tighter, draws / 10);
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
  const double wide = 1e-3;
  const double jerk =
      (at(0.5 + 1.5 * wide, p) - 3.0 * (at(0.5 + 0.5 * wide, p) - at(0.5 - 0.5 * wide, p)) - at(0.5 - 1.5 * wide, p))
          .norm() /
      (wide * wide * wide);
  EXPECT_NEAR(jerk, bounds.jerk_bound(), 1e-4);
}

}  // namespace
}  // namespace planner_ccd
