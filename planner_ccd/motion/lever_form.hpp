#pragma once

#include "planner_ccd/motion/pair_motion.hpp"

namespace planner_ccd {

/// Bounds how far single points move, to second order, when joint values change by at most d_k, whatever the signs;
/// used by certified cells. With weight_k = d_k (d_k + 2 W_{k-1}), W_k = d_1 + ... + d_k over the rotations from B
/// outwards, and rho_k(c) the distance of c from axis k, all at the initial values, c moves along any unit vector n by
/// at most
///
///   sum d_k |n.J_k(c)|  +  1/2 (sum weight_k rho_k(c) + sum over translations 2 W_{k-1} d_k).                  (1)
///
/// Proof: the change is a product E_1 ... E_m of moves about the axes where they are at the start, so that c goes by
/// sum Q_{k-1} (E_k - 1) c, Q_{k-1} being the rotation of E_1 ... E_{k-1}. There |(E_k - 1) c| <= d_k rho_k(c) (a translation: d_k),
/// n.(E_k - 1) c <= d_k |n.J_k(c)| + 1/2 d_k^2 rho_k(c), and |Q_{k-1} - 1| <= W_{k-1}. No lever but those at the start enters.
///
///   sum weight_k rho_k(c)  <=  sqrt(sum weight_k) sqrt(sum weight_k rho_k(c)^2)  =  sqrt(weight_sum (c.M c - 2 b.c + e)),    (2)
///
/// by Cauchy and Schwarz: the squared levers add up to one quadratic form.
class LeverForm {
 public:
  /// The changes are the rates of `motion` (straight lines); `kinematics` is at the start, `bounds` are those of
  /// `motion`.
  void set(const PairChain& chain, const EdgeMotion& motion, const PairMotion& bounds, const Kinematics& kinematics);

  /// Upper bound of the bracket of (1) for the point that is initially at c, in B's frame.
  double second_order(const Eigen::Vector3d& c) const;

 private:
  Eigen::Matrix3d M_;
  Eigen::Vector3d b_;
  double e_ = 0.0;
  double form_pad_ = 0.0;  ///< Rounding error of the form, for any point of A; added to it.
  double weight_sum_ = 0.0;
  double translation_part_ = 0.0;  ///< [m] The part of (1) without levers.
  double at_most_ = 0.0;
};

}  // namespace planner_ccd
