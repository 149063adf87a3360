#pragma once

#include <Eigen/Core>
#include <vector>

#include "planner_ccd/motion/edge_motion.hpp"

namespace planner_ccd {

/// Which moves change the pose of body A as seen from body B, in their order from B outwards to A. Everything above
/// their common ancestor cancels. Depends on the robot only.
struct PairChain {
  struct Step {
    int move;            ///< Index into MoveChain::moves.
    bool on_b_side;      ///< Between B and the common ancestor, so passed backwards.
    double offset_to_a;  ///< [m] Fixed offsets between the frame of this move and that of the next one towards A, or
                         ///< A's own.
  };
  int body_a;
  int body_b;
  std::vector<Step> steps;
};

PairChain pair_chain(const MoveChain& chain, int body_a, int body_b);

/// Bounds of the motion of A's points relative to B over a whole segment (MATHS.md 2). In B's frame a point p of A
/// moves as the product of the chain's moves; with rates w_k (rotations) and s_k (translations), levers rho_k from axis
/// k to p and W_k = w_1 + ... + w_k,
///
///   |p'|  <= B_1 = sum rho_k w_k + sum s_k                                                          (1)
///   |p''| <= B_2 = sum rho_k (w_k (w_k + 2 W_{k-1}) + |q_k''|) + sum (|q_k''| + 2 W_{k-1} s_k)
///
/// Only the lever depends on the point. `rotation_weight[k]` is its factor in B_2.
class PairMotion {
 public:
  /// `reach`: [m] every point of A lies within it of A's body origin.
  void set(const PairChain& chain, const EdgeMotion& motion, double reach);

  struct Rotation {
    int move;
    double rate;    ///< w_k
    double weight;  ///< w_k (w_k + 2 W_{k-1}) + |q_k''|
    double lever;   ///< rho_k over the whole segment, for any point within `reach`.
  };

  const std::vector<Rotation>& rotations() const { return rotations_; }
  double speed_bound() const { return speed_bound_; }                ///< B_1 for any point within reach. [m / time]
  double acceleration_bound() const { return acceleration_bound_; }  ///< B_2 for any point within reach. [m / time^2]
  double weight_sum() const { return weight_sum_; }                  ///< sum of Rotation::weight
  double translation_part() const { return translation_part_; }      ///< The part of B_2 that has no lever.
  /// How fast sum weight_k rho_k can grow, because the chain between axis k and A moves. [m / time^3]
  double drift() const { return drift_; }
  double max_lever() const { return max_lever_; }
  bool at_rest() const { return speed_bound_ == 0.0; }

 private:
  std::vector<Rotation> rotations_;
  double speed_bound_ = 0.0, acceleration_bound_ = 0.0, weight_sum_ = 0.0;
  double translation_part_ = 0.0, drift_ = 0.0, max_lever_ = 0.0;
};

/// The relative motion at one instant, exact up to rounding, in B's frame: where A is, how its points move, and the
/// squared levers to the axes as one quadratic form. For a point c of A (B's frame), by Cauchy and Schwarz,
///
///   sum weight_k rho_k(c)  <=  sqrt(sum weight_k) sqrt(sum weight_k rho_k(c)^2)
///                           =  sqrt(weight_sum * (c.M c - 2 b.c + e)).                               (1a)
///
/// The right side is a norm of an affine function of c, so convex: over a generator it is greatest at a corner.
struct PairState {
  Eigen::Matrix3d R;     ///< R_BA
  Eigen::Vector3d o;     ///< Origin of A's frame.
  Eigen::Vector3d v, w;  ///< A point at c moves with v + w x c.
  Eigen::Matrix3d M;
  Eigen::Vector3d b;
  double e;
  double form_pad;  ///< Added to the form: its rounding error for any point of A.

  void set(const PairChain& chain, const PairMotion& motion, const Kinematics& kinematics);

  /// Upper bound of B_2 at the point c now at c (B's frame), for all times within `half_width` of this instant.
  double acceleration_at(const Eigen::Vector3d& c, const PairMotion& motion, double half_width) const;
};

}  // namespace planner_ccd
