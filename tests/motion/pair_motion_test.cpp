// Every bound of motion/pair_motion.hpp against the motion itself: sampled densely in extended precision, by kinematics
// that start from the robot's specification (support/mechanism.hpp). Velocities, accelerations and jerks are
// differences of positions.
#include "planner_ccd/motion/pair_motion.hpp"

#include <gtest/gtest.h>

#include <iostream>

#include "support/mechanism.hpp"
#include "support/random_curves.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;
using testing::scaled;
using truth::Real;
using truth::Vec;

/// Error bound of n-th differences over steps h, divided by h^n, when positions have rounding errors. No coordinate of
/// any frame reaches 100 m in these draws, a position is the product of at most 8 joints' transforms, each of which
/// adds less than 16u of 100 m with u = 2^-64, and the weights of a difference sum to 2^n; the bounds themselves are
/// rounded in double.
Real rounding(int n, Real h, double bound) {
  const Real place = 8 * 16 * 100 * 0x1p-64L;
  return place * std::ldexp(1.0L, n) / std::pow(h, static_cast<Real>(n)) + 64 * 0x1p-53L * bound;
}

/// n-th difference over steps h from t, divided by h^n: by the mean value theorem at most the greatest n-th derivative
/// there.
template <class At>
Vec difference(const At& at, int n, Real t, Real h) {
  if (n == 0) return at(t);
  return (1 / h) * (difference(at, n - 1, t + h, h) - difference(at, n - 1, t, h));
}

struct Case {
  RobotSpec spec;
  RobotModel robot;
  truth::Mechanism mechanism;
  truth::Edge edge;
  EdgeMotion motion;
  PairChain chain;
  PairMotion bounds;
  double reach;

  enum class Curves { Sometimes, Never };

  Case(Draw& draw, double size, Curves curves = Curves::Sometimes, bool mimics = true)
      : spec(drawn(draw, mimics)), robot(spec), mechanism(spec), motion(robot), reach(draw.uniform(0.05, 0.6)) {
    edge.q0 = draw.configuration(robot, size);
    edge.q1 = draw.configuration(robot, size);
    motion.set_linear(edge.q0, edge.q1, AnglePolicy::Literal);
    if (curves == Curves::Sometimes && draw.integer(0, 1) == 1) {
      testing::RandomCurve curve = testing::random_curve(draw, robot, edge.q0, edge.q1);
      motion.set_segment(curve.segment);
      edge.curve = curve.value;
    }
    const int bodies = static_cast<int>(robot.bodies().size());
    const int a = draw.integer(0, bodies - 1);
    chain = pair_chain(motion.chain(), a, draw.integer(0, bodies - 1));
    bounds.set(chain, motion, reach);
  }

  static RobotSpec drawn(Draw& draw, bool mimics) {
    RobotSpec spec = draw.robot(draw.integer(1, 7));
    for (JointSpec& joint : spec.joints) {
      if (!mimics) joint.mimic.reset();
    }
    return spec;
  }

  /// The link whose frame is the body's: the child of the joint that moves it. -1: the world.
  int link_of(int body) const { return body == 0 ? -1 : robot.joints()[robot.bodies()[body].joint].child_link; }
  /// The point `p` of A at time t, in B's frame.
  Vec at(Real t, const Vec& p) const {
    return mechanism.relative(link_of(chain.body_a), link_of(chain.body_b), edge, t) * p;
  }
  /// The length of the n-th difference of p's position over steps h from t.
  Real speed(int n, Real t, Real h, const Vec& p) const {
    return norm(difference([&](Real s) { return at(s, p); }, n, t, h));
  }
  PairState state_at(double t) {
    Kinematics k;
    k.resize(motion.chain());
    motion.kinematics(t, k);
    PairState state;
    state.set(chain, k);
    return state;
  }
};

/// Double kinematics lose less than 128 roundings, and in these draws no link is faster than
/// 1e3 or accelerates by more than 1e6: 128 * 2^-53 * 1e6 < 1e-7.
constexpr double kKinematics = 1e-7;
constexpr Real kStep[4] = {0, 1e-4L, 1e-4L, 1e-3L};  ///< By order of the difference.

TEST(PairMotion, DerivativesNeverExceedTheBounds) {
  const unsigned seed = 20261118;
  std::cout << "seed " << seed << "\n";
  Draw draw(seed);
  const int draws = scaled(10000);
  int counted[4] = {};
  Real tightest[4] = {}, sum[4] = {};
  for (int i = 0; i < draws; ++i) {
    const Case c(draw, draw.uniform(0.1, 2.0));
    const double bound[4] = {0.0, c.bounds.speed_bound(), c.bounds.acceleration_bound(), c.bounds.jerk_bound()};
    const Vec p = truth::from(Eigen::Vector3d(draw.direction() * c.reach));
    for (int n = 1; n <= 3; ++n) {
      Real greatest = 0;
      for (int s = 0; s < 12; ++s) {
        const Real t = draw.uniform(0.0, static_cast<double>(1 - n * kStep[n]));
        greatest = std::max(greatest, c.speed(n, t, kStep[n], p));
      }
      ASSERT_LE(greatest, bound[n] + rounding(n, kStep[n], bound[n])) << "draw " << i << ", derivative " << n;
      if (bound[n] < 1e-2) continue;
      ++counted[n];
      sum[n] += greatest / bound[n];
      tightest[n] = std::max(tightest[n], greatest / bound[n]);
    }
  }
  for (int n = 1; n <= 3; ++n) {
    EXPECT_GT(counted[n], draws * 3 / 10);
    EXPECT_GT(sum[n], 0.2L * counted[n]) << "a bound that is this loose is of no use";
    std::cout << "B_" << n << " used to " << sum[n] / counted[n] << " on average, " << tightest[n] << " at most\n";
  }
}

/// Each half, quarter and eighth of a curve has its own bounds, smaller where the curve is slow.
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
    const Vec p = truth::from(Eigen::Vector3d(draw.direction() * c.reach));
    const double bound[4] = {0.0, bounds.speed_bound(), bounds.acceleration_bound(), bounds.jerk_bound()};
    for (int n = 1; n <= 3; ++n) {
      const Real h = std::min<Real>(kStep[n], 0.3L * (t1 - t0));
      if (h < 0.1L * kStep[n]) continue;
      for (int s = 0; s < 12; ++s) {
        const Real t = draw.uniform(t0, static_cast<double>(t1 - n * h));
        ASSERT_LE(c.speed(n, t, h, p), bound[n] + rounding(n, h, bound[n])) << "draw " << i << ", derivative " << n;
      }
    }
  }
  EXPECT_GT(curved, 30);
  EXPECT_GT(smaller, curved / 4);
}

TEST(PairMotion, TwistAndItsDerivativeAtAnInstantAreTheMotions) {
  Draw draw(7);
  for (int i = 0; i < scaled(2000); ++i) {
    Case c(draw, 1.5);
    const Eigen::Vector3d p = draw.vector(0.5);
    const auto at = [&](Real t) { return c.at(t, truth::from(p)); };
    const double t = draw.uniform(0.1, 0.9);
    const PairState state = c.state_at(t);
    const Eigen::Vector3d now = state.R_BA * p + state.p_BA;
    ASSERT_LT((now - truth::to_eigen(at(t))).norm(), 1e-12) << "draw " << i;
    // Central differences are off by at most h^2/6 and h times the third derivative, the state by double kinematics. The reach of p is not that of the bounds.
    PairMotion bounds;
    bounds.set(c.chain, c.motion, p.norm());
    const Real h = kStep[1];
    const Eigen::Vector3d first = truth::to_eigen(difference(at, 1, t - h, 2 * h));
    const Eigen::Vector3d second = truth::to_eigen(difference(at, 2, t - h, h));
    ASSERT_LT((state.velocity(now) - first).norm(), kKinematics + h * h / 6 * bounds.jerk_bound()) << "draw " << i;
    ASSERT_LT((state.acceleration(now) - second).norm(), kKinematics + h * bounds.jerk_bound()) << "draw " << i;
  }
}

TEST(PairMotion, LocalAccelerationBoundHoldsAroundItsInstant) {
  Draw draw(11);
  const int draws = scaled(5000);
  int tighter = 0;
  for (int i = 0; i < draws; ++i) {
    Case c(draw, draw.uniform(0.1, 2.0));
    const Eigen::Vector3d p = draw.direction() * draw.uniform(0.0, c.reach);
    const double t = draw.uniform(0.0, 1.0), half = draw.uniform(0.0, 0.3);
    const PairState state = c.state_at(t);
    const double bound = state.acceleration_bound(state.R_BA * p + state.p_BA, c.bounds, half);
    tighter += bound < 0.9 * c.bounds.acceleration_bound();
    const Real h = kStep[2];
    const double first = std::max(0.0, t - half), last = std::min(1.0, t + half) - static_cast<double>(2 * h);
    for (int s = 0; s < 8 && first < last; ++s) {
      ASSERT_LE(c.speed(2, draw.uniform(first, last), h, truth::from(p)), bound + kKinematics + rounding(2, h, bound))
          << "draw " << i;
    }
  }
  EXPECT_GT(tighter, draws * 3 / 10);
}

/// A fully extended chain with parallel axes and equal rates: its end point moves on a circle about the first axis with
/// rate W at the first instant, where |p''| = sum_k rho_k (W_k^2 - W_{k-1}^2) exactly.
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
  motion.set_linear(Eigen::Vector3d::Constant(-0.1), Eigen::Vector3d::Constant(0.1), AnglePolicy::Literal);
  const PairChain chain = pair_chain(motion.chain(), 3, 0);
  PairMotion bounds;
  bounds.set(chain, motion, 1.0);
  const truth::Mechanism mechanism(spec);
  const truth::Edge edge{Eigen::Vector3d::Constant(-0.1), Eigen::Vector3d::Constant(0.1)};
  const auto at = [&](Real t) { return mechanism.relative(3, -1, edge, t) * Vec{1, 0, 0}; };
  const Real h = kStep[3];
  const double bound[4] = {0.0, bounds.speed_bound(), bounds.acceleration_bound(), bounds.jerk_bound()};
  for (int n = 1; n <= 3; ++n) {
    // An n-th difference over n steps of h is off by n h^2 / 24 of a derivative two orders higher, here below 100 times the bound.
    const auto seen = static_cast<double>(norm(difference(at, n, 0.5L - n * h / 2, h)));
    EXPECT_LE(seen, bound[n]) << n;
    EXPECT_GE(seen, bound[n] * (1 - 20 * static_cast<double>(h * h))) << n;
  }
}

/// The greatest value of a curve lies anywhere on it.
TEST(EdgeMotion, ValuesOfACurveAreWithinTheirBounds) {
  Draw draw(961);
  const RobotModel robot(testing::ChainSpec().slide(Eigen::Vector3d::UnitX()).spec);
  EdgeMotion motion(robot);
  for (int i = 0; i < 300; ++i) {
    Polynomial p;
    p.degree = draw.integer(2, 5);
    for (int k = 0; k <= p.degree; ++k) p.c[static_cast<std::size_t>(k)] = draw.uniform(-1.0, 1.0);
    motion.set_moves(std::vector<Polynomial>{p});
    for (int k = 0; k <= 64; ++k) ASSERT_LE(std::abs(p.value(k / 64.0)), motion.value_bound(0) * (1.0 + 1e-14)) << i;
  }
}

/// The rounding of an angle grows with it, and with the lever it moves a point.
TEST(EdgeMotion, PosesOfLargeAnglesAreWithinTheirPads) {
  Draw draw(962);
  const RobotModel robot(testing::ChainSpec().turn(Eigen::Vector3d::UnitZ(), 1e10).spec);
  EdgeMotion motion(robot);
  const PairChain chain = pair_chain(motion.chain(), 1, 0);
  Kinematics k;
  k.resize(motion.chain());
  double largest = 0.0;
  for (int i = 0; i < 300; ++i) {
    const double q0 = draw.uniform(-1e6, 1e6), q1 = draw.uniform(-1e6, 1e6), t = draw.uniform(0.0, 1.0);
    motion.set_linear(Eigen::VectorXd::Constant(1, q0), Eigen::VectorXd::Constant(1, q1), AnglePolicy::Literal);
    motion.kinematics(t, k);
    PairState state;
    state.set(chain, k);
    const Real angle = Real(q0) + Real(t) * (Real(q1) - Real(q0));
    const Eigen::Vector3d x = state.R_BA.col(0);
    const double off = static_cast<double>(std::hypot(Real(x[0]) - std::cos(angle), Real(x[1]) - std::sin(angle)));
    ASSERT_LE(off, motion.rounding_pads(1.0).position) << i;
    largest = std::max(largest, off);
  }
  EXPECT_GT(largest, 1e-11) << "something to pad";
}

}  // namespace
}  // namespace planner_ccd
