#pragma once

#include "planner_ccd/motion/pair_motion.hpp"

namespace planner_ccd {

/// B_2 of single points when only bounds of the rates are known, whatever their signs: certified cells need it. For constant
/// rates, with weight_k = w_k (w_k + 2 W_{k-1}) and W_k = w_1 + ... + w_k from B outwards,
///
///   B_2(c)  =  sum weight_k rho_k(c)  <=  sqrt(sum weight_k) sqrt(sum weight_k rho_k(c)^2)
///           =  sqrt(weight_sum (c.M c - 2 b.c + e)),                                                (1)
///
/// by Cauchy and Schwarz; the squared levers to the axes at one instant add up to one quadratic form. The right side is a norm
/// of an affine function of c, so convex: over a generator it is greatest at a corner.
class LeverForm {
 public:
  /// `kinematics` at the instant; the bounds are those of `motion`, with constant rates.
  void set(const PairChain& chain, const EdgeMotion& motion, const PairMotion& bounds, const Kinematics& kinematics);

  /// Upper bound of B_2 at the point now at c (B's frame), for all times within `half_width` of the instant.
  double acceleration_bound(const Eigen::Vector3d& c, double half_width) const;
  /// How much (1) grows by when all levers grow by one metre. [1 / time^2]
  double weight_sum() const { return weight_sum_; }

 private:
  Eigen::Matrix3d M_;
  Eigen::Vector3d b_;
  double e_ = 0.0;
  double form_pad_ = 0.0;  ///< Added to the form: its rounding error for any point of A.
  double weight_sum_ = 0.0;
  double translation_part_ = 0.0;  ///< The part of B_2 that has no lever. [m / time^2]
  double drift_ = 0.0;  ///< How fast sum weight_k rho_k can grow, because what lies beyond axis k moves. [m / time^3]
  double at_most_ = 0.0;
};

}  // namespace planner_ccd
