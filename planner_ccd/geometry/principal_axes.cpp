#include "planner_ccd/geometry/principal_axes.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

/// With B the matrix less a third of its trace, and p^2 = tr(B^2) / 6, the eigenvalues of B are
///
///   2 p cos(phi + 2 pi k / 3),   cos(3 phi) = x = det(B) / (2 p^3)                                          (1)
///
/// With c = cos(acos(|x|) / 3) and s = sqrt(1 - c^2) these are sign(x) p times 2c, -c + sqrt(3) s and -c - sqrt(3) s. The
/// first is farthest from the others, by sqrt(3) p at least: B less it has rank two beyond doubt, and the longer of two
/// cross products of its rows is the eigenvector. That of the last, found alike, is made perpendicular to it; where the
/// two others are as good as one eigenvalue, anything across will do. c is the root of 4 c^3 - 3 c = |x| in
/// [cos(30 deg), 1], where the slope lies between 6 and 9: two Newton steps from a cubic that is off by 4e-5 reach
/// rounding, without an angle. s errs by some u / s, so eigenvalues that near 1e-8 are not told apart.
namespace planner_ccd {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kNothing = 1e-28;  ///< Square of what rounding may leave of the cross product of rows of size 1.
constexpr double kRoot3 = 1.7320508075688772;

/// cos(acos(x) / 3), 0 <= x <= 1.
inline double third_of_angle(double x) {
  double c = 0.86606633 + x * (0.16533035 + x * (0.00931968 * x - 0.0406912));
  for (int i = 0; i < 2; ++i) c -= ((4.0 * c * c - 3.0) * c - x) / (12.0 * c * c - 3.0);
  return c;
}

/// A vector across the rows of a symmetric matrix of rank two.
inline Vector3d kernel(double d0, double d1, double d2, double xy, double yz, double zx) {
  const Vector3d r0(d0, xy, zx), r1(xy, d1, yz), r2(zx, yz, d2);
  const double a0 = std::abs(d0), a1 = std::abs(d1), a2 = std::abs(d2);
  Vector3d one, two;
  if (a0 >= a1 && a0 >= a2) {
    one = r0.cross(r1), two = r0.cross(r2);
  } else if (a1 >= a2) {
    one = r1.cross(r2), two = r1.cross(r0);
  } else {
    one = r2.cross(r0), two = r2.cross(r1);
  }
  return one.squaredNorm() > two.squaredNorm() ? one : two;
}

/// A unit vector across the unit vector n.
inline Vector3d across(const Vector3d& n) {
  const bool x_is_small = std::abs(n[0]) < std::abs(n[1]);
  const Vector3d u = x_is_small ? Vector3d(0.0, n[2], -n[1]) : Vector3d(-n[2], 0.0, n[0]);
  return u / std::sqrt(n[2] * n[2] + (x_is_small ? n[1] * n[1] : n[0] * n[0]));
}

}  // namespace

Matrix3d principal_axes(const Matrix3d& symmetric) {
  const double third = (symmetric(0, 0) + symmetric(1, 1) + symmetric(2, 2)) / 3.0;
  Vector3d diagonal(symmetric(0, 0) - third, symmetric(1, 1) - third, symmetric(2, 2) - third);
  Vector3d mixed(symmetric(1, 0), symmetric(2, 1), symmetric(2, 0));
  const double scale = 1.0 / std::max(diagonal.cwiseAbs().maxCoeff(), mixed.cwiseAbs().maxCoeff());
  if (!(scale > 0.0) || !std::isfinite(scale)) return Matrix3d::Identity();
  diagonal *= scale;
  mixed *= scale;
  const double d0 = diagonal[0], d1 = diagonal[1], d2 = diagonal[2], xy = mixed[0], yz = mixed[1], zx = mixed[2];

  const double p2 = (d0 * d0 + d1 * d1 + d2 * d2 + 2.0 * (xy * xy + yz * yz + zx * zx)) / 6.0;
  const double p = std::sqrt(p2);
  const double det = d0 * (d1 * d2 - yz * yz) - xy * (xy * d2 - yz * zx) + zx * (xy * yz - d1 * zx);
  const double x = 0.5 * det / (p2 * p), sign = std::copysign(1.0, x);
  const double c = third_of_angle(std::min(1.0, std::abs(x))), s = std::sqrt(std::max(0.0, 1.0 - c * c));
  const double far = sign * 2.0 * p * c, opposite = -sign * p * (c + kRoot3 * s);
  Vector3d n = kernel(d0 - far, d1 - far, d2 - far, xy, yz, zx);
  n /= std::sqrt(n.squaredNorm());
  Vector3d o = kernel(d0 - opposite, d1 - opposite, d2 - opposite, xy, yz, zx);
  const double square = o.squaredNorm();
  o -= n.dot(o) * n;
  const double left = o.squaredNorm();
  o = left > 1e-6 * square && left > kNothing ? Vector3d(o / std::sqrt(left)) : across(n);
  Matrix3d axes;
  if (x >= 0.0) {
    const Vector3d m = n.cross(o);
    axes << n, m, n.cross(m);
  } else {
    const Vector3d m = o.cross(n);
    axes << o, m, o.cross(m);
  }
  return axes.allFinite() ? axes : Matrix3d::Identity();
}

}  // namespace planner_ccd
