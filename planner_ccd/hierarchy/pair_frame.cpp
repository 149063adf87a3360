#include "planner_ccd/hierarchy/pair_frame.hpp"

namespace planner_ccd {
namespace {

double defect(const Eigen::Matrix3d& R) { return (R.transpose() * R - Eigen::Matrix3d::Identity()).norm(); }

double reach(const SsvTree& tree) { return tree.bounding_center().norm() + tree.bounding_radius(); }

}  // namespace

PairFrame::PairFrame(const SsvTree& a, const Eigen::Isometry3d& X_WA, const SsvTree& b, const Eigen::Isometry3d& X_WB) {
  const Eigen::Matrix3d R_A = X_WA.linear(), R_B = X_WB.linear();
  const Eigen::Vector3d apart = X_WA.translation() - X_WB.translation();
  R = R_B.transpose() * R_A;
  t = R_B.transpose() * apart;
  pad = (128.0 * 0x1p-53 + 2.0 * defect(R_A) + 2.0 * defect(R_B)) * (apart.norm() + reach(a) + reach(b));
}

}  // namespace planner_ccd
