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

constexpr double kUsualDefect = 128.0 * 0x1p-53;  ///< Not exceeded by rotations that are products of several.

double reach(const SsvTree& tree) { return tree.bounding_center().norm() + tree.bounding_radius(); }

}  // namespace

double pose_pad(const SsvTree& a, const Isometry3d& X_WA, const SsvTree& b, const Isometry3d& X_WB) {
  const double skew = std::sqrt(squared_defect(X_WA.linear())) + std::sqrt(squared_defect(X_WB.linear()));
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
/// D.e_i is computed as (R_A^T D).e_i. Rounding, u and S as in (1) of the header, with the volumes' corners in place of
/// the contents: D errs by less than 14u S, R_A^T D by 10u |D|, the products with half edges by 6u |D| S each, the sums
/// by 8u |D| S, and a ball of A or B grows by a usual defect, 128u S, each: less than 320u S |D|. The sums of magnitudes
/// below are at least S.
bool roots_apart(const SsvTree& a, const Isometry3d& X_WA, const SsvTree& b, const Isometry3d& X_WB, double margin) {
  const Matrix3d R_A = X_WA.linear(), R_B = X_WB.linear();
  if (!(squared_defect(R_A) + squared_defect(R_B) <= kUsualDefect * kUsualDefect)) return false;
  const Ssv va = a.volume(0), vb = b.volume(0);
  const Vector3d middle_a = va.origin + 0.5 * (va.edge0 + va.edge1), middle_b = vb.origin + 0.5 * (vb.edge0 + vb.edge1);
  const Vector3d apart = X_WB.translation() - X_WA.translation();
  const Vector3d D = apart + (R_B * middle_b - R_A * middle_a);
  const Vector3d in_a = R_A.transpose() * D, in_b = R_B.transpose() * D;
  const double square = D.squaredNorm();
  const double extent = 0.5 * (std::abs(in_a.dot(va.edge0)) + std::abs(in_a.dot(va.edge1)) +
                               std::abs(in_b.dot(vb.edge0)) + std::abs(in_b.dot(vb.edge1)));
  const double radii = va.radius + vb.radius;
  const double S = (apart.cwiseAbs() + va.origin.cwiseAbs() + va.edge0.cwiseAbs() + va.edge1.cwiseAbs() +
                    vb.origin.cwiseAbs() + vb.edge0.cwiseAbs() + vb.edge1.cwiseAbs())
                       .sum() +
                   radii;
  const double needed = (radii + margin + 384.0 * 0x1p-53 * S) * (1.0 + 0x1p-48);
  return square < kMaxCoordinate * kMaxCoordinate && square - extent > needed * std::sqrt(square);
}

PairFrame::PairFrame(const SsvTree& a, const Isometry3d& X_WA, const SsvTree& b, const Isometry3d& X_WB)
    : pad(pose_pad(a, X_WA, b, X_WB)) {
  const Matrix3d to_b = X_WB.linear().transpose();
  R.noalias() = to_b * X_WA.linear();
  t.noalias() = to_b * (X_WA.translation() - X_WB.translation());
}

}  // namespace planner_ccd
