#pragma once

#include "planner_ccd/motion/pair_motion.hpp"

namespace planner_ccd {

/// Bounds how far single points move, to second order, when joint values change by at most d_k, whatever the signs: (17) of MATHS.md T12, with
/// levers at the initial values only. The squared levers add up to one quadratic form, (18). Used by certified cells.
class LeverForm {
 public:
  /// The changes are the rates of `motion` (straight lines); `kinematics` is at the start, `bounds` are those of
  /// `motion`.
  void set(const PairChain& chain, const EdgeMotion& motion, const PairMotion& bounds, const Kinematics& kinematics);

  /// Upper bound of the bracket of (17) for the point that is initially at c, in B's frame.
  double second_order(const Eigen::Vector3d& c) const;

 private:
  Eigen::Matrix3d M_;
  Eigen::Vector3d b_;
  double e_ = 0.0;
  double form_pad_ = 0.0;  ///< Rounding error of the form, for any point of A; added to it.
  double weight_sum_ = 0.0;
  double translation_part_ = 0.0;  ///< [m] The part of (17) without levers.
  double at_most_ = 0.0;
};

}  // namespace planner_ccd
