#include <algorithm>
#include <cmath>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/motion/trajectory.hpp"

/// Bezier and B-spline curves as polynomials, with bounds of their rounding errors. (MATHS.md 11, (41))
namespace planner_ccd {
namespace {

constexpr double kCurveError = 2048.0 * kUnitRoundoff;

/// Its power form, by repeated differences of the control values.
Polynomial from_bezier(std::vector<double> b) {
  const int n = static_cast<int>(b.size()) - 1;
  Polynomial p;
  p.degree = n;
  double binomial = 1.0;
  for (int i = 0; i <= n; ++i) {
    p.c[i] = binomial * b[0];
    for (int j = 0; j + 1 < static_cast<int>(b.size()); ++j) {
      b[j] = b[j + 1] - b[j];
    }
    b.pop_back();
    binomial = binomial * (n - i) / (i + 1);
  }
  while (p.degree > 0 && p.c[p.degree] == 0.0) --p.degree;
  return p;
}

void require_curve(const RobotModel& robot, const Eigen::Ref<const Eigen::MatrixXd>& points, int degree,
                   const char* what) {
  const std::string name = std::string(what) + " of robot '" + robot.name() + "'";
  if (degree < 1 || degree > Polynomial::kMaxDegree) {
    throw InputError(name + ": the degree is " + std::to_string(degree) + ", it must be from 1 to " +
                     std::to_string(Polynomial::kMaxDegree) + "; split the curve into pieces of such a degree");
  }
  if (points.rows() != robot.dof()) {
    throw InputError(name + ": " + std::to_string(points.rows()) + " rows of control points where there are " +
                     std::to_string(robot.dof()) + " coordinates");
  }
  if (!points.allFinite()) throw InputError(name + ": a control point is not finite");
  for (const Joint& joint : robot.joints()) {
    if (joint.type != JointType::Floating || joint.is_mimic) continue;
    const Eigen::MatrixXd rows = points.middleRows(joint.q_index, 7);
    if (points.cols() == 0 || (rows.colwise() - rows.col(0)).isZero(0.0)) continue;
    throw InputError(name + ": the floating joint '" + joint.name + "' moves between key frames, not along curves");
  }
}

/// Value of the blossom of piece k (between knots[k] and knots[k + 1]) at `degree` arguments.
double blossom(const Eigen::Ref<const Eigen::MatrixXd>& points, Eigen::Index row, const std::vector<double>& knots,
               int k, const std::vector<double>& arguments) {
  const int n = static_cast<int>(arguments.size());
  std::vector<double> d(static_cast<std::size_t>(n) + 1);
  for (int j = 0; j <= n; ++j) d[j] = points(row, j + k - n);
  for (int level = 1; level <= n; ++level) {
    const double t = arguments[level - 1];
    for (int j = n; j >= level; --j) {
      const double low = knots[j + k - n];
      const double high = knots[j + 1 + k - level];
      const double w = (t - low) / (high - low);
      double& value = d[j];
      value = (1.0 - w) * d[j - 1] + w * value;
    }
  }
  return d[n];
}

}  // namespace

Trajectory bezier_trajectory(const RobotModel& robot, const Eigen::Ref<const Eigen::MatrixXd>& control_points,
                             double t0, double t1) {
  require_curve(robot, control_points, static_cast<int>(control_points.cols()) - 1, "the Bezier curve");
  if (!(t0 < t1) || !std::isfinite(t0) || !std::isfinite(t1)) throw InputError("a Bezier curve's time must grow");
  TrajectorySegment segment;
  segment.t0 = t0;
  segment.t1 = t1;
  for (Eigen::Index i = 0; i < control_points.rows(); ++i) {
    std::vector<double> b;
    for (Eigen::Index j = 0; j < control_points.cols(); ++j) b.push_back(control_points(i, j));
    segment.value.push_back(from_bezier(std::move(b)));
    segment.error.push_back(kCurveError * control_points.row(i).cwiseAbs().maxCoeff());
  }
  Trajectory trajectory;
  trajectory.segments.push_back(std::move(segment));
  return trajectory;
}

Trajectory b_spline_trajectory(const RobotModel& robot, const Eigen::Ref<const Eigen::MatrixXd>& control_points,
                               const std::vector<double>& knots, int degree) {
  require_curve(robot, control_points, degree, "the B-spline");
  const int count = static_cast<int>(control_points.cols());
  if (count < degree + 1 || knots.size() != static_cast<std::size_t>(count + degree + 1)) {
    throw InputError("a B-spline of degree " + std::to_string(degree) + " with " + std::to_string(count) +
                     " control points (at least degree + 1) needs " + std::to_string(count + degree + 1) +
                     " knots; there are " + std::to_string(knots.size()));
  }
  for (std::size_t i = 0; i < knots.size(); ++i) {
    if (!std::isfinite(knots[i]) || (i > 0 && knots[i] < knots[i - 1])) {
      throw InputError("knot " + std::to_string(i) + " of the B-spline is not finite or less than the one before");
    }
  }
  // A knot repeated more than `degree` times would disconnect the curve.
  for (int i = 1; i + degree < static_cast<int>(knots.size()) - 1; ++i) {
    if (knots[i] == knots[i + degree]) {
      throw InputError("knot " + std::to_string(i) + " of the B-spline is there more than " + std::to_string(degree) +
                       " times: the curve has a jump");
    }
  }
  Trajectory trajectory;
  for (int k = degree; k < count; ++k) {
    const double a = knots[k], b = knots[k + 1];
    if (!(a < b)) continue;
    TrajectorySegment segment;
    segment.t0 = a;
    segment.t1 = b;
    for (Eigen::Index row = 0; row < control_points.rows(); ++row) {
      std::vector<double> bezier;
      for (int j = 0; j <= degree; ++j) {
        std::vector<double> arguments(static_cast<std::size_t>(degree), a);
        std::fill(arguments.end() - j, arguments.end(), b);
        bezier.push_back(blossom(control_points, row, knots, k, arguments));
      }
      segment.value.push_back(from_bezier(std::move(bezier)));
      segment.error.push_back(kCurveError * control_points.row(row).cwiseAbs().maxCoeff());
    }
    trajectory.segments.push_back(std::move(segment));
  }
  if (trajectory.segments.empty()) throw InputError("the B-spline's knots leave it no time");
  return trajectory;
}

}  // namespace planner_ccd
