#include "planner_ccd/hierarchy/pair_frame.hpp"

#include <cmath>

#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/hierarchy/rigidity.hpp"

namespace planner_ccd {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;

}  // namespace

double pose_pad(const SsvTree& a, const Isometry3d& X_WA, const SsvTree& b, const Isometry3d& X_WB) {
  const detail::Rotations rotations(X_WA, X_WB);
  const lanes::Double2 defects = lanes::root(rotations.squared_defects());
  const double skew = defects[0] + defects[1];
  const double apart = (X_WA.translation() - X_WB.translation()).norm();
  if (!(skew < 1e-6) || !rotations.are_proper() || !(apart <= 2.0 * std::sqrt(3.0) * kMaxCoordinate)) {
    validate(X_WA, "body " + a.name());
    validate(X_WB, "body " + b.name());
  }
  return (128.0 * 0x1p-53 + 2.0 * skew) * (apart + a.reach() + b.reach());
}

PairFrame::PairFrame(const SsvTree& a, const Isometry3d& X_WA, const SsvTree& b, const Isometry3d& X_WB)
    : pad(pose_pad(a, X_WA, b, X_WB)) {
  const Matrix3d to_b = X_WB.linear().transpose();
  R.noalias() = to_b * X_WA.linear();
  t.noalias() = to_b * (X_WA.translation() - X_WB.translation());
}

}  // namespace planner_ccd
