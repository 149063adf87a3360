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

PairFrame::PairFrame(const SsvTree& a, const Isometry3d& X_WA, const SsvTree& b, const Isometry3d& X_WB)
    : pad(pose_pad(a, X_WA, b, X_WB)) {
  const Matrix3d to_b = X_WB.linear().transpose();
  R.noalias() = to_b * X_WA.linear();
  t.noalias() = to_b * (X_WA.translation() - X_WB.translation());
}

}  // namespace planner_ccd
