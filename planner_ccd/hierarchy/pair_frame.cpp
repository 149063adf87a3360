#include "planner_ccd/hierarchy/pair_frame.hpp"

#include <cmath>

#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {

double pose_pad(const PosedPair& p) {
  const lanes::Double2 defects = lanes::root(p.squared_defects);
  const double skew = defects[0] + defects[1];
  const double apart = (p.X_WA.translation() - p.X_WB.translation()).norm();
  if (!(skew < 1e-6) || !p.proper || !(apart <= 2.0 * std::sqrt(3.0) * kMaxCoordinate)) {
    validate(p.X_WA, "body " + p.a.name());
    validate(p.X_WB, "body " + p.b.name());
  }
  return (128.0 * kUnitRoundoff + 2.0 * skew) * (apart + p.a.reach() + p.b.reach());
}

PairFrame::PairFrame(const PosedPair& p) : pad(pose_pad(p)) {
  const Eigen::Matrix3d to_b = p.X_WB.linear().transpose();
  R_BA.noalias() = to_b * p.X_WA.linear();
  p_BA.noalias() = to_b * (p.X_WA.translation() - p.X_WB.translation());
}

}  // namespace planner_ccd
