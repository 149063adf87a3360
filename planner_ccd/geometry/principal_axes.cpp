#include "planner_ccd/geometry/principal_axes.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

/// With B the matrix less a third of its trace, and p^2 = tr(B^2) / 6, the eigenvalues of B are
///
///   2 p cos(phi + 2 pi k / 3),   cos(3 phi) = x = det(B) / (2 p^3)                                          (1)
///
/// The one that is farthest from the two others, by sqrt(3) p at least, is sign(x) 2 p c with c = cos(acos(|x|) / 3):
/// B less this eigenvalue has rank two beyond doubt, and the longest of the cross products of its rows is the
/// eigenvector. The others lie in the plane across it, where the problem is one of half an angle. c is the root of
/// 4 c^3 - 3 c = |x| in [cos(30 deg), 1], where the slope lies between 6 and 9: two Newton steps from a cubic
/// that is off by 4e-5 reach rounding, without an angle.
namespace planner_ccd {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// cos(acos(x) / 3), 0 <= x <= 1.
inline double third_of_angle(double x) {
  double c = 0.86606633 + x * (0.16533035 + x * (0.00931968 * x - 0.0406912));
  for (int i = 0; i < 2; ++i) c -= ((4.0 * c * c - 3.0) * c - x) / (12.0 * c * c - 3.0);
  return c;
}

/// The unit eigenvector of an eigenvalue far from the others.
inline Vector3d kernel(const Vector3d& r0, const Vector3d& r1, const Vector3d& r2) {
  const Vector3d c01 = r0.cross(r1), c12 = r1.cross(r2), c20 = r2.cross(r0);
  const double n01 = c01.squaredNorm(), n12 = c12.squaredNorm(), n20 = c20.squaredNorm();
  if (n01 >= n12 && n01 >= n20) return c01 / std::sqrt(n01);
  return n12 >= n20 ? Vector3d(c12 / std::sqrt(n12)) : Vector3d(c20 / std::sqrt(n20));
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
  const double x = 0.5 * det / (p2 * p);
  const double eigenvalue = std::copysign(2.0 * p * third_of_angle(std::min(1.0, std::abs(x))), x);
  const Vector3d n = kernel({d0 - eigenvalue, xy, zx}, {xy, d1 - eigenvalue, yz}, {zx, yz, d2 - eigenvalue});

  // In the plane across n: of all cos(t) u + sin(t) v the longest for tan(2 t) = 2 uv / (uu - vv).
  const Vector3d u = across(n), v = n.cross(u);
  const Vector3d Bu(d0 * u[0] + xy * u[1] + zx * u[2], xy * u[0] + d1 * u[1] + yz * u[2],
                    zx * u[0] + yz * u[1] + d2 * u[2]);
  const Vector3d Bv(d0 * v[0] + xy * v[1] + zx * v[2], xy * v[0] + d1 * v[1] + yz * v[2],
                    zx * v[0] + yz * v[1] + d2 * v[2]);
  const double h = 0.5 * (u.dot(Bu) - v.dot(Bv)), uv = u.dot(Bv), length = std::sqrt(h * h + uv * uv);
  Vector3d w = u;
  if (length > 0.0) {
    const double greater = std::sqrt(0.5 + 0.5 * std::abs(h) / length), lesser = 0.5 * uv / (length * greater);
    w = h >= 0.0 ? Vector3d(greater * u + lesser * v) : Vector3d(lesser * u + greater * v);
  }
  Matrix3d axes;
  if (x >= 0.0) {
    axes << n, w, n.cross(w);
  } else {
    axes << w, n.cross(w), n;
  }
  return axes.allFinite() ? axes : Matrix3d::Identity();
}

}  // namespace planner_ccd
