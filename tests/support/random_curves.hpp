#pragma once

#include <functional>
#include <vector>

#include "planner_ccd/motion/trajectory.hpp"
#include "support/oracle_math.hpp"
#include "support/random_robot.hpp"

/// Random splines, evaluated by formulas other than the library's: Hermite's basis for the controllers' cubics and
/// quintics, de Casteljau for Bezier curves, the basis functions of Cox and de Boor for B-splines; in extended
/// precision.
namespace planner_ccd::testing {

struct RandomCurve {
  TrajectorySegment segment;
  std::function<truth::Real(int coordinate, truth::Real u)> value;
};

namespace curves {

using truth::Real;

inline Real hermite(const TrajectoryPoint& a, const TrajectoryPoint& b, int i, Real u) {
  const Real T = static_cast<Real>(b.time) - static_cast<Real>(a.time), u2 = u * u, u3 = u2 * u, u4 = u3 * u,
             u5 = u4 * u;
  const Real p0 = a.position[i], p1 = b.position[i], v0 = a.velocity[i] * T, v1 = b.velocity[i] * T;
  if (a.acceleration.size() == 0) {
    return (2 * u3 - 3 * u2 + 1) * p0 + (u3 - 2 * u2 + u) * v0 + (3 * u2 - 2 * u3) * p1 + (u3 - u2) * v1;
  }
  const Real a0 = a.acceleration[i] * T * T, a1 = b.acceleration[i] * T * T;
  return (1 - 10 * u3 + 15 * u4 - 6 * u5) * p0 + (u - 6 * u3 + 8 * u4 - 3 * u5) * v0 +
         (u2 - 3 * u3 + 3 * u4 - u5) * a0 / 2 + (u3 - 2 * u4 + u5) * a1 / 2 + (7 * u4 - 4 * u3 - 3 * u5) * v1 +
         (10 * u3 - 15 * u4 + 6 * u5) * p1;
}

inline Real casteljau(const Eigen::MatrixXd& points, int row, Real u) {
  std::vector<Real> b;
  for (Eigen::Index k = 0; k < points.cols(); ++k) b.push_back(points(row, k));
  for (; b.size() > 1; b.pop_back()) {
    for (std::size_t k = 0; k + 1 < b.size(); ++k) b[k] = (1 - u) * b[k] + u * b[k + 1];
  }
  return b[0];
}

/// N_{i,p}(t) with t in the span `span` of the knots.
inline Real basis(const std::vector<double>& knots, int i, int p, int span, Real t) {
  if (p == 0) return i == span ? 1 : 0;
  const Real low = static_cast<Real>(knots[i + p]) - knots[i],
             high = static_cast<Real>(knots[i + p + 1]) - knots[i + 1];
  Real sum = 0;
  if (low > 0) sum += (t - knots[i]) / low * basis(knots, i, p - 1, span, t);
  if (high > 0) sum += (knots[i + p + 1] - t) / high * basis(knots, i + 1, p - 1, span, t);
  return sum;
}

}  // namespace curves

/// Begins near q0 and deviates by about the distance to q1. Floating joints move straight, and only in controllers'
/// curves.
inline RandomCurve random_curve(Draw& draw, const RobotModel& robot, const Eigen::VectorXd& q0,
                                const Eigen::VectorXd& q1) {
  bool floating = false;
  for (const Joint& joint : robot.joints()) floating = floating || joint.type == JointType::Floating;
  const int kind = floating ? 0 : draw.integer(0, 2);
  const auto around = [&](int i, double share) { return share * std::abs(q1[i] - q0[i]) * draw.uniform(-1.0, 1.0); };
  RandomCurve out;
  if (kind == 0) {
    std::vector<TrajectoryPoint> points(2);
    points[0].time = draw.integer(0, 1) == 0 ? 0.0 : draw.uniform(0.0, 2e9);  // seconds since 1970
    points[1].time = points[0].time + std::exp(draw.uniform(-3.0, 2.0));
    points[0].position = q0;
    points[1].position = q1;
    const double T = points[1].time - points[0].time;
    const bool quintic = draw.integer(0, 1) == 0;
    for (TrajectoryPoint& p : points) {
      p.velocity = Eigen::VectorXd::Zero(q0.size());
      if (quintic) p.acceleration = p.velocity;
      for (int i = 0; i < q0.size(); ++i) {
        if (robot.joints()[robot.coordinates()[i].joint].type == JointType::Floating) continue;
        p.velocity[i] = around(i, 4.0) / T;
        if (quintic) p.acceleration[i] = around(i, 20.0) / (T * T);
      }
    }
    out.segment = make_trajectory(robot, points).segments.at(0);
    out.value = [points](int i, truth::Real u) { return curves::hermite(points[0], points[1], i, u); };
    return out;
  }
  const int degree = draw.integer(1, Polynomial::kMaxDegree);
  const int count = degree + 1 + (kind == 1 ? 0 : draw.integer(0, 4));
  Eigen::MatrixXd control(q0.size(), count);
  for (int i = 0; i < control.rows(); ++i) {
    for (int k = 0; k < count; ++k) control(i, k) = q0[i] + (q1[i] - q0[i]) * k / (count - 1.0) + around(i, 1.0);
  }
  if (kind == 1) {
    out.segment = bezier_trajectory(robot, control, 0.0, draw.uniform(0.1, 3.0)).segments.at(0);
    out.value = [control](int i, truth::Real u) { return curves::casteljau(control, i, u); };
    return out;
  }
  std::vector<double> knots{draw.uniform(-5.0, 5.0)};
  const bool clamped = draw.integer(0, 1) == 0;
  while (static_cast<int>(knots.size()) < count + degree + 1) {
    const int k = static_cast<int>(knots.size());
    const bool repeat = clamped && (k <= degree || k > count);
    knots.push_back(knots.back() + (repeat ? 0.0 : draw.uniform(0.01, 1.0)));
  }
  const Trajectory all = b_spline_trajectory(robot, control, knots, degree);
  const int which = draw.integer(0, static_cast<int>(all.segments.size()) - 1);
  out.segment = all.segments[which];
  const int span = degree + which;  // no two knots between knots[degree] and knots[count] are equal
  out.value = [=](int i, truth::Real u) {
    const truth::Real t = knots[span] + u * (static_cast<truth::Real>(knots[span + 1]) - knots[span]);
    truth::Real sum = 0;
    for (int k = 0; k < count; ++k) sum += curves::basis(knots, k, degree, span, t) * control(i, k);
    return sum;
  };
  return out;
}

}  // namespace planner_ccd::testing
