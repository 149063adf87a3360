#include "planner_ccd/hierarchy/pair_frame.hpp"

#include <cmath>
#include <limits>

#include "planner_ccd/geometry/shape.hpp"

namespace planner_ccd {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Square of ||R^T R - I||, Frobenius; NaN for a reflection.
double squared_defect(const Matrix3d& R) {
  const Vector3d x = R.col(0), y = R.col(1), z = R.col(2);
  const Vector3d lengths(x.squaredNorm() - 1.0, y.squaredNorm() - 1.0, z.squaredNorm() - 1.0);
  const Vector3d angles(x.dot(y), y.dot(z), z.dot(x));
  const double square = lengths.squaredNorm() + 2.0 * angles.squaredNorm();
  return x.cross(y).dot(z) > 0.0 ? square : std::numeric_limits<double>::quiet_NaN();
}

/// Rotations that are orthonormal to rounding need no root to be taken: this is a bound for them.
constexpr double kUsualDefect = 8.0 * 0x1p-53;

double reach(const SsvTree& tree) { return tree.bounding_center().norm() + tree.bounding_radius(); }

}  // namespace

double pose_pad(const SsvTree& a, const Isometry3d& X_WA, const SsvTree& b, const Isometry3d& X_WB) {
  const double square_a = squared_defect(X_WA.linear()), square_b = squared_defect(X_WB.linear());
  double skew = 2.0 * kUsualDefect;
  if (!(square_a + square_b <= kUsualDefect * kUsualDefect)) skew = std::sqrt(square_a) + std::sqrt(square_b);
  const double apart = (X_WA.translation() - X_WB.translation()).norm();
  if (!(skew < 1e-6) || !(apart <= 2.0 * std::sqrt(3.0) * kMaxCoordinate)) {
    validate(X_WA, "body " + a.name());
    validate(X_WB, "body " + b.name());
  }
  return (128.0 * 0x1p-53 + 2.0 * skew) * (apart + reach(a) + reach(b));
}

/// With D = c_B - c_A the line between the middles of the generators and half edges e_i, f_j, all in the world,
///
///   gap |D|  =  D.D - sum_i |D.e_i| - sum_j |D.f_j| - (r_A + r_B) |D|
///
/// D.e_i is computed as (R_A^T D).e_i. Rounding, u and S as in (1) of the header: D errs by less than 14u S, R_A^T D by
/// 10u |D|, the products with half edges by 6u |D| S each, the sums by 8u |D| S: less than 64u S |D|, where S for
/// corners of volumes is at most twice that for contents, which is what the pad allows for.
bool roots_apart(const SsvTree& a, const Isometry3d& X_WA, const SsvTree& b, const Isometry3d& X_WB, double margin,
                 double pad) {
  const Ssv va = a.volume(0), vb = b.volume(0);
  const Vector3d middle_a = va.origin + 0.5 * (va.edge0 + va.edge1), middle_b = vb.origin + 0.5 * (vb.edge0 + vb.edge1);
  const Vector3d D = (X_WB.translation() - X_WA.translation()) + (X_WB.linear() * middle_b - X_WA.linear() * middle_a);
  const Vector3d in_a = X_WA.linear().transpose() * D, in_b = X_WB.linear().transpose() * D;
  const double square = D.squaredNorm();
  const double extent = std::abs(in_a.dot(va.edge0)) + std::abs(in_a.dot(va.edge1)) + std::abs(in_b.dot(vb.edge0)) +
                        std::abs(in_b.dot(vb.edge1));
  const double others = (va.radius + vb.radius + margin + pad) * (1.0 + 0x1p-48);
  return square - 0.5 * extent > others * std::sqrt(square);
}

PairFrame::PairFrame(const SsvTree&, const Isometry3d& X_WA, const SsvTree&, const Isometry3d& X_WB, double pose_pad)
    : pad(pose_pad) {
  const Matrix3d to_b = X_WB.linear().transpose();
  R.noalias() = to_b * X_WA.linear();
  t.noalias() = to_b * (X_WA.translation() - X_WB.translation());
}

}  // namespace planner_ccd
