// Trajectories as polynomials, compared with the controllers' rule and the textbook recurrences in extended precision.
#include "planner_ccd/motion/trajectory.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/interval.hpp"
#include "planner_ccd/motion/edge_motion.hpp"
#include "support/random_robot.hpp"

namespace planner_ccd {
namespace {

using Real = long double;
using testing::Draw;

constexpr unsigned kSeed = 20261118;

RobotModel sliders(int count) {
  RobotSpec spec;
  spec.name = "sliders";
  spec.links.push_back({"base", {}, {}});
  for (int i = 0; i < count; ++i) {
    const std::string name = "j" + std::to_string(i);
    spec.links.push_back({"l" + name, {}, {}});
    JointSpec joint;
    joint.name = name;
    joint.type = JointType::Continuous;
    joint.parent = "base";
    joint.child = "l" + name;
    spec.joints.push_back(joint);
  }
  return RobotModel(spec);
}

struct State {
  Real p, v, a;
};

/// The polynomial of degree 3 or 5 through two states, in seconds, as the ROS controller writes it.
Real controller(const State& x, const State& y, Real T, bool quintic, Real t) {
  if (!quintic) {
    const Real c2 = (-3 * x.p + 3 * y.p - 2 * x.v * T - y.v * T) / (T * T);
    const Real c3 = (2 * x.p - 2 * y.p + x.v * T + y.v * T) / (T * T * T);
    return x.p + t * (x.v + t * (c2 + t * c3));
  }
  const Real T2 = T * T, T3 = T2 * T;
  const Real c3 = (-20 * x.p + 20 * y.p - 3 * x.a * T2 + y.a * T2 - 12 * x.v * T - 8 * y.v * T) / (2 * T3);
  const Real c4 = (30 * x.p - 30 * y.p + 3 * x.a * T2 - 2 * y.a * T2 + 16 * x.v * T + 14 * y.v * T) / (2 * T3 * T);
  const Real c5 = (-12 * x.p + 12 * y.p - x.a * T2 + y.a * T2 - 6 * x.v * T - 6 * y.v * T) / (2 * T3 * T2);
  return x.p + t * (x.v + t * (x.a / 2 + t * (c3 + t * (c4 + t * c5))));
}

Real exact_value(const Polynomial& p, Real u) {
  Real sum = 0;
  for (int i = p.degree; i >= 0; --i) sum = sum * u + static_cast<Real>(p.c[static_cast<std::size_t>(i)]);
  return sum;
}

TEST(Trajectory, IsTheControllersSplineWithinItsStatedError) {
  const RobotModel robot = sliders(2);
  Draw draw(kSeed);
  double largest = 0.0;
  for (int i = 0; i < testing::scaled(4000); ++i) {
    std::vector<TrajectoryPoint> points(2);
    const bool quintic = i % 2 == 0;
    points[0].time = draw.uniform(0.0, 10.0);
    points[1].time = points[0].time + std::pow(10.0, draw.uniform(-3.0, 1.0));
    for (TrajectoryPoint& p : points) {
      p.position = Eigen::VectorXd::NullaryExpr(2, [&] { return draw.uniform(-7.0, 7.0); });
      p.velocity = Eigen::VectorXd::NullaryExpr(2, [&] { return draw.uniform(-5.0, 5.0); });
      if (quintic) p.acceleration = Eigen::VectorXd::NullaryExpr(2, [&] { return draw.uniform(-50.0, 50.0); });
    }
    const Trajectory trajectory = make_trajectory(robot, points);
    ASSERT_EQ(trajectory.segments.size(), 1u);
    const TrajectorySegment& s = trajectory.segments[0];
    const Real T = static_cast<Real>(points[1].time) - points[0].time;
    for (Eigen::Index k = 0; k < 2; ++k) {
      const auto state = [&](const TrajectoryPoint& p) {
        return State{p.position[k], p.velocity[k], quintic ? p.acceleration[k] : 0.0};
      };
      const auto at = static_cast<std::size_t>(k);
      ASSERT_LT(s.error[at], 4e-15 * (500.0 + 200.0 * static_cast<double>(T) + 450.0 * static_cast<double>(T * T)));
      for (int j = 0; j <= 16; ++j) {
        const Real u = j / Real(16);
        const Real meant = controller(state(points[0]), state(points[1]), T, quintic, u * T);
        const Real off = std::abs(exact_value(s.value[at], u) - meant);
        ASSERT_LE(off, s.error[at] + 1e-17L) << "draw " << i << ", seed " << kSeed;
        largest = std::max(largest, static_cast<double>(off / s.error[at]));
      }
    }
  }
  EXPECT_GT(largest, 0.005) << "the error is stated far too wide";
}

TEST(Trajectory, RuleDependsOnWhatBothPointsHave) {
  const RobotModel robot = sliders(1);
  const auto degree = [&](bool v0, bool v1, bool a0, bool a1) {
    std::vector<TrajectoryPoint> points(2);
    points[1].time = 1.0;
    points[0].position = Eigen::VectorXd::Zero(1);
    points[1].position = Eigen::VectorXd::Ones(1);
    if (v0) points[0].velocity = Eigen::VectorXd::Constant(1, 0.3);
    if (v1) points[1].velocity = Eigen::VectorXd::Constant(1, 0.2);
    if (a0) points[0].acceleration = Eigen::VectorXd::Constant(1, 0.1);
    if (a1) points[1].acceleration = Eigen::VectorXd::Constant(1, 0.4);
    return make_trajectory(robot, points).segments[0].value[0].degree;
  };
  EXPECT_EQ(degree(false, false, false, false), 1);
  EXPECT_EQ(degree(true, false, false, false), 1);
  EXPECT_EQ(degree(true, true, false, false), 3);
  EXPECT_EQ(degree(true, true, true, false), 3);
  EXPECT_EQ(degree(true, true, true, true), 5);
  EXPECT_THROW(degree(false, true, true, true), InputError);
}

TEST(Trajectory, TimesThatDoNotGrowLeaveAStraightLine) {
  const RobotModel robot = sliders(1);
  std::vector<TrajectoryPoint> points(2);
  for (TrajectoryPoint& p : points) {
    p.position = Eigen::VectorXd::Constant(1, &p == &points[0] ? 0.0 : 2.0);
    p.velocity = Eigen::VectorXd::Constant(1, 3.0);
  }
  const Trajectory trajectory = make_trajectory(robot, points);
  EXPECT_EQ(trajectory.segments[0].value[0].degree, 1);
  EXPECT_EQ(trajectory.segments[0].value[0].value(0.5), 1.0);
}

TEST(Polynomial, RangeContainsEveryValueAndRestrictionIsTheSameCurve) {
  Draw draw(kSeed + 1);
  double tightest = 0.0;
  for (int i = 0; i < testing::scaled(20000); ++i) {
    Polynomial p;
    p.degree = draw.integer(0, Polynomial::kMaxDegree);
    const double size = std::pow(10.0, draw.uniform(-3.0, 3.0));
    for (int k = 0; k <= p.degree; ++k) p.c[static_cast<std::size_t>(k)] = draw.uniform(-size, size);
    const double a = draw.uniform(0.0, 1.0), b = draw.uniform(a, 1.0);
    const Interval range = p.range(a, b);
    const Polynomial part = p.restricted(a, b);
    Real lo = 1e9L, hi = -1e9L;
    for (int j = 0; j <= 20; ++j) {
      const Real u = j / Real(20);
      const Real v = exact_value(p, a + u * (static_cast<Real>(b) - a));
      lo = std::min(lo, v), hi = std::max(hi, v);
      ASSERT_LE(range.lo, v);
      ASSERT_GE(range.hi, v);
      ASSERT_LE(std::abs(exact_value(part, u) - v), Polynomial::kRestrictedError * p.abs_sum());
    }
    tightest = std::max(tightest, static_cast<double>((hi - lo) / (range.hi - range.lo + 1e-300)));
    ASSERT_GE(p.abs_bound(a, b), std::max(std::abs(static_cast<double>(lo)), std::abs(static_cast<double>(hi))));
  }
  EXPECT_GT(tightest, 0.99);
}

TEST(Curves, BezierIsDeCasteljaus) {
  const RobotModel robot = sliders(1);
  Draw draw(kSeed + 2);
  for (int i = 0; i < testing::scaled(2000); ++i) {
    const int degree = draw.integer(1, 5);
    const Eigen::MatrixXd b = Eigen::MatrixXd::NullaryExpr(1, degree + 1, [&] { return draw.uniform(-4.0, 4.0); });
    const Trajectory curve = bezier_trajectory(robot, b, 1.0, 3.0);
    for (int j = 0; j <= 10; ++j) {
      const Real u = j / Real(10);
      std::vector<Real> d;
      for (int k = 0; k <= degree; ++k) d.push_back(b(0, k));
      for (int level = degree; level > 0; --level) {
        for (int k = 0; k < level; ++k) d[k] = (1 - u) * d[k] + u * d[k + 1];
      }
      ASSERT_LE(std::abs(exact_value(curve.segments[0].value[0], u) - d[0]), curve.segments[0].error[0]);
    }
  }
}

/// Cox and de Boor's basis functions, by their definition.
Real basis(const std::vector<double>& knots, int i, int n, Real t) {
  if (n == 0) return t >= knots[i] && t < knots[i + 1] ? 1 : 0;
  const Real left = static_cast<Real>(knots[i + n]) - knots[i],
             right = static_cast<Real>(knots[i + n + 1]) - knots[i + 1];
  return (left > 0 ? (t - knots[i]) / left * basis(knots, i, n - 1, t) : 0) +
         (right > 0 ? (knots[i + n + 1] - t) / right * basis(knots, i + 1, n - 1, t) : 0);
}

TEST(Curves, BSplineIsTheSumOfItsBasisFunctions) {
  const RobotModel robot = sliders(1);
  Draw draw(kSeed + 3);
  for (int i = 0; i < testing::scaled(500); ++i) {
    const int degree = draw.integer(1, 5), count = degree + 1 + draw.integer(0, 6);
    std::vector<double> knots{draw.uniform(0.0, 1.0)};
    while (static_cast<int>(knots.size()) < count + degree + 1) {
      const bool clamp = static_cast<int>(knots.size()) <= degree && i % 2 == 0;
      if (static_cast<int>(knots.size()) == degree + 1) {
        knots.push_back(knots.back() + draw.uniform(0.01, 1.0));
        continue;
      }
      const bool twice =
          degree > 1 && draw.integer(0, 4) == 0 && knots.size() > 1 && knots.back() != knots[knots.size() - 2];
      knots.push_back(clamp || twice ? knots.back() : knots.back() + draw.uniform(0.01, 1.0));
    }
    const Eigen::MatrixXd b = Eigen::MatrixXd::NullaryExpr(1, count, [&] { return draw.uniform(-4.0, 4.0); });
    const Trajectory curve = b_spline_trajectory(robot, b, knots, degree);
    EXPECT_EQ(curve.segments.front().t0, knots[degree]);
    EXPECT_EQ(curve.segments.back().t1, knots[count]);
    for (const TrajectorySegment& s : curve.segments) {
      for (int j = 0; j < 8; ++j) {
        const Real u = j / Real(8);
        const Real t = s.t0 + u * (static_cast<Real>(s.t1) - s.t0);
        Real sum = 0;
        for (int k = 0; k < count; ++k) sum += basis(knots, k, degree, t) * b(0, k);
        ASSERT_LE(std::abs(exact_value(s.value[0], u) - sum), s.error[0]) << "draw " << i << ", seed " << kSeed + 3;
      }
    }
  }
}

TEST(Curves, WhatIsNoCurveIsRefused) {
  const RobotModel robot = sliders(1);
  const Eigen::MatrixXd four = Eigen::MatrixXd::Zero(1, 4);
  EXPECT_THROW(bezier_trajectory(robot, Eigen::MatrixXd::Zero(1, 7), 0.0, 1.0), InputError);
  EXPECT_THROW(bezier_trajectory(robot, Eigen::MatrixXd::Zero(2, 4), 0.0, 1.0), InputError);
  EXPECT_THROW(bezier_trajectory(robot, four, 1.0, 1.0), InputError);
  EXPECT_THROW(b_spline_trajectory(robot, four, {0, 0, 0, 0, 1, 1, 1}, 3), InputError);
  EXPECT_THROW(b_spline_trajectory(robot, four, {0, 0, 0, 2, 1, 1, 1, 1}, 3), InputError);
  EXPECT_THROW(b_spline_trajectory(robot, Eigen::MatrixXd::Zero(1, 6), {0, 0, 0, 1, 1, 1, 2, 2, 2}, 2), InputError);
}

TEST(Merge, KeepsEveryPartsMotionOnTheCommonClock) {
  const RobotModel robot = sliders(3);
  Draw draw(kSeed + 4);
  for (int i = 0; i < testing::scaled(300); ++i) {
    std::vector<Trajectory> parts;
    for (int p = 0; p < 2; ++p) {
      std::vector<TrajectoryPoint> points(static_cast<std::size_t>(draw.integer(1, 5)));
      double time = draw.uniform(0.0, 1.0);
      for (TrajectoryPoint& point : points) {
        point.time = time += draw.uniform(0.1, 1.0);
        point.position = Eigen::VectorXd::NullaryExpr(3, [&] { return draw.uniform(-3.0, 3.0); });
        point.velocity = Eigen::VectorXd::NullaryExpr(3, [&] { return draw.uniform(-1.0, 1.0); });
      }
      parts.push_back(make_trajectory(robot, points));
    }
    const std::vector<int> owner{0, 1, 1};
    const Trajectory merged = merge(robot, parts, owner);
    for (std::size_t s = 0; s + 1 < merged.segments.size(); ++s) {
      ASSERT_EQ(merged.segments[s].t1, merged.segments[s + 1].t0);
    }
    for (int j = 0; j <= 50; ++j) {
      const double begin = merged.segments.front().t0, end = merged.segments.back().t1;
      const double t = begin + j / 50.0 * (end - begin);
      const Eigen::VectorXd q = configuration(robot, merged, t);
      for (int k = 0; k < 3; ++k) {
        ASSERT_NEAR(q[k], configuration(robot, parts[static_cast<std::size_t>(owner[k])], t)[k], 1e-12);
      }
    }
  }
}

TEST(EdgeMotion, StraightSegmentsMoveAsEdgesDo) {
  Draw draw(kSeed + 5);
  for (int i = 0; i < testing::scaled(200); ++i) {
    const RobotModel robot(draw.robot(4));
    if (robot.dof() == 0) continue;
    JointPath path;
    path.waypoints = {draw.configuration(robot, 2.0), draw.configuration(robot, 2.0)};
    EdgeMotion edge(robot), segment(robot);
    edge.set_linear(path.waypoints[0], path.waypoints[1], AnglePolicy::Literal);
    segment.set_segment(make_trajectory(robot, path).segments[0]);
    Kinematics a, b;
    a.resize(edge.chain());
    b.resize(segment.chain());
    for (const double t : {0.0, 0.3, 1.0}) {
      edge.kinematics(t, a);
      segment.kinematics(t, b);
      for (std::size_t k = 0; k < a.bodies.size(); ++k) {
        ASSERT_LT((a.bodies[k].R_WB - b.bodies[k].R_WB).norm() + (a.bodies[k].p_WB - b.bodies[k].p_WB).norm(), 1e-12);
        ASSERT_LT((a.bodies[k].w - b.bodies[k].w).norm() + (a.bodies[k].v - b.bodies[k].v).norm(), 1e-11);
      }
      ASSERT_LT((edge.configuration(t) - segment.configuration(t)).norm(), 1e-12);
    }
    ASSERT_LT(segment.rounding_pads(1.0).position, 1e-10);
  }
}

}  // namespace
}  // namespace planner_ccd
