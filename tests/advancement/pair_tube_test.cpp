// What PairTube says of displaced points against displaced robots: placed in extended precision by kinematics that start
// from the specification (support/mechanism.hpp), over the whole interval for which it says it.
#include "planner_ccd/advancement/pair_tube.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "support/mechanism.hpp"
#include "support/random_curves.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

using testing::ChainSpec;
using testing::Draw;
using truth::Real;
using truth::Vec;

const unsigned kSeed = testing::seeded(20261120);

/// A robot with errors on a motion, and two of its bodies.
struct Case {
  RobotSpec spec;
  RobotModel robot;
  truth::Mechanism mechanism;
  truth::Edge edge;
  MotionErrors errors;
  EdgeMotion motion;
  std::vector<PairChain> chains;
  PairMotion bounds;
  double reach;

  Case(Draw& draw, double size, double error)
      : spec(drawn(draw)), robot(spec), mechanism(spec), motion(robot), reach(draw.uniform(0.05, 0.6)) {
    edge.q0 = draw.configuration(robot, size);
    edge.q1 = draw.configuration(robot, size);
    motion.set_linear(edge.q0, edge.q1, AnglePolicy::Literal);
    if (draw.integer(0, 2) == 0) {
      testing::RandomCurve curve = testing::random_curve(draw, robot, edge.q0, edge.q1);
      motion.set_segment(curve.segment);
      edge.curve = curve.value;
    }
    errors.tracking = JointVector::Zero(robot.dof());
    for (int i = 0; i < robot.dof(); ++i) {
      if (draw.integer(0, 4) > 0) errors.tracking[i] = draw.uniform(0.0, error);
    }
    motion.set_errors(errors);
    const int bodies = static_cast<int>(robot.bodies().size());
    const int a = draw.integer(0, bodies - 1);
    chains = {pair_chain(motion.chain(), a, draw.integer(0, bodies - 1))};
    bounds.set(chains[0], motion, reach);
  }

  static RobotSpec drawn(Draw& draw) {
    RobotSpec spec = draw.robot(draw.integer(1, 7));
    for (JointSpec& joint : spec.joints) {
      joint.mimic.reset();  // whose error is their master's
      if (joint.type == JointType::Floating) joint.type = JointType::Planar;
    }
    return spec;
  }

  int link_of(int body) const { return body == 0 ? -1 : robot.joints()[robot.bodies()[body].joint].child_link; }
  /// The point p of A at time t in B's frame, with the errors times `share`.
  Vec at(Real t, const Eigen::VectorXd& share, const Vec& p) const {
    truth::Edge off = edge;
    const Eigen::VectorXd e = share.cwiseProduct(errors.tracking);
    off.q0 += e;
    off.q1 += e;
    if (edge.curve) off.curve = [&](int i, Real u) { return edge.curve(i, u) + static_cast<Real>(e[i]); };
    return mechanism.relative(link_of(chains[0].body_a), link_of(chains[0].body_b), off, t) * p;
  }
};

/// The corner of the errors at which p gets farthest along n at t, by turning one after another.
Eigen::VectorXd farthest_corner(const Case& c, Draw& draw, Real t, const Vec& n, const Vec& p) {
  Eigen::VectorXd share(c.robot.dof());
  for (int i = 0; i < share.size(); ++i) share[i] = draw.integer(0, 1) ? 1.0 : -1.0;
  Real most = dot(n, c.at(t, share, p));
  for (int i = 0; i < share.size(); ++i) {
    share[i] = -share[i];
    const Real turned = dot(n, c.at(t, share, p));
    if (turned > most) {
      most = turned;
    } else {
      share[i] = -share[i];
    }
  }
  return share;
}

struct Tally {
  long looks = 0, tight = 0, cases = 0, shrinks = 0;
};

void try_case(Draw& draw, const Case& c, double half_width, Tally& tally) {
  PoseCache poses(&c.chains, c.motion.chain());
  EdgeMotion motion = c.motion;
  poses.start(&motion);
  const double t = draw.uniform(half_width, 1.0 - half_width);
  PairTube tube;
  tube.set(c.chains[0], motion, 0, t, poses, c.reach, motion.rounding_pads(1.0));
  const Eigen::Vector3d n = draw.direction(), p = draw.direction() * draw.uniform(0.0, c.reach);
  const Vec n_truth = truth::from(n), p_truth = truth::from(p);
  const PairState& state = poses.pair_state(t, 0);
  const Eigen::Vector3d at = state.R_BA * p + state.p_BA;
  const PairTube::Reach along = tube.along(n, &at, 1, c.bounds, half_width)[0], anywhere = tube.anywhere(at, c.bounds);
  const double whole = tube.most(c.bounds, half_width);
  const Eigen::VectorXd exact = Eigen::VectorXd::Zero(c.robot.dof());
  ++tally.cases;
  tally.shrinks += std::min(along.forward, along.back) < 0.0;
  for (int k = 0; k < 6; ++k) {
    const double s = k == 0 ? 0.0 : k < 3 ? (k == 1 ? half_width : -half_width) : draw.uniform(-half_width, half_width);
    const Real when = static_cast<Real>(t) + s;
    const Eigen::VectorXd share = farthest_corner(c, draw, when, n_truth, p_truth);
    const Vec way = c.at(when, share, p_truth) - c.at(when, exact, p_truth);
    const auto bound = [&](const PairTube::Reach& r) {
      return r.now + std::abs(s) * (s > 0.0 ? r.forward : r.back) + 0.5 * s * s * r.bend;
    };
    const auto took = static_cast<double>(dot(n_truth, way));
    EXPECT_LE(took, bound(along) + 1e-12) << "at " << s << " of " << half_width;
    EXPECT_LE(static_cast<double>(norm(way)), bound(anywhere) + 1e-12) << "at " << s << " of " << half_width;
    EXPECT_LE(static_cast<double>(norm(way)), whole + 1e-12);
    ++tally.looks;
    tally.tight += took > 0.98 * bound(along);
  }
}

/// P1: nothing within the errors is displaced by more, at any time of the interval. P2: small errors take nearly all of it, all over
/// a short interval.
TEST(PairTube, BoundsWhatErrorsDisplace) {
  for (const auto& [error, half_width] : {std::pair(1e-4, 0.02), std::pair(0.02, 0.1), std::pair(0.3, 0.5)}) {
    Draw draw(kSeed);
    Tally tally;
    for (int i = 0; i < testing::scaled(1500, 300) && !HasFailure(); ++i) {
      const Case c(draw, draw.uniform(0.1, 2.0), error);
      if (c.chains[0].steps.empty()) continue;
      try_case(draw, c, half_width, tally);
    }
    std::printf("  errors to %g, intervals to %g: %ld looks, %ld took more than 98 %%; %ld of %ld shrink one way\n",
                error, half_width, tally.looks, tally.tight, tally.shrinks, tally.cases);
    EXPECT_GT(tally.looks, testing::scaled(3000, 600));
    if (error < 1e-3) {
      EXPECT_GT(10 * tally.tight, 8 * tally.looks);
    }
  }
}

/// One turn, at its own rate: along n its error takes d rho |sin(lean - w s)|, which bends by d w^2 rho, all of (4).
TEST(PairTube, TheBoundOfOneTurnIsAttained) {
  const double rho = 0.7, w = 1.3, d = 1e-6, half_width = 0.05;
  const RobotSpec spec = ChainSpec().turn(Eigen::Vector3d::UnitZ(), 3.0).spec;
  const RobotModel robot(spec);
  EdgeMotion motion(robot);
  motion.set_linear(JointVector::Constant(1, -0.5 * w), JointVector::Constant(1, 0.5 * w), AnglePolicy::Literal);
  MotionErrors errors;
  errors.tracking = JointVector::Constant(1, d);
  motion.set_errors(errors);
  const std::vector<PairChain> chains = {pair_chain(motion.chain(), 1, 0)};
  PairMotion bounds;
  bounds.set(chains[0], motion, rho);
  EXPECT_NEAR(bounds.tube().bend, d * w * w * rho, 1e-9 * d);
  EXPECT_NEAR(bounds.tube().most, d * rho, 1e-9 * d);
  EXPECT_NEAR(bounds.tube().second, 0.5 * d * d * rho, 1e-9 * d * d);
  PoseCache poses(&chains, motion.chain());
  poses.start(&motion);
  PairTube tube;
  tube.set(chains[0], motion, 0, 0.5, poses, rho, motion.rounding_pads(1.0));
  const Eigen::Vector3d at(rho, 0.0, 0.0);
  for (const double lean : {0.0, 0.02, 0.2, 1.0, 1.57, 2.5, 3.13}) {
    const Eigen::Vector3d n(std::cos(lean), std::sin(lean), 0.0);
    const PairTube::Reach reach = tube.along(n, &at, 1, bounds, half_width)[0];
    const auto chord = [&](double h) { return d * rho * std::abs(std::sin(lean) - w * h * std::cos(lean)); };
    EXPECT_NEAR(reach.now, chord(0.0), 1e-4 * d);
    EXPECT_NEAR(reach.now + half_width * reach.forward, chord(half_width), 1e-4 * d);
    EXPECT_NEAR(reach.now + half_width * reach.back, chord(-half_width), 1e-4 * d);
  }
}

}  // namespace
}  // namespace planner_ccd
