#pragma once

#include <Eigen/Core>
#include <vector>

#include "planner_ccd/geometry/ssv.hpp"
#include "planner_ccd/motion/edge_motion.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// The moves that change the pose of body A as seen from body B, in order from B outwards to A. Moves above their
/// common ancestor cancel. Depends on the robot only.
struct PairChain {
  struct Step {
    int move;            ///< Index into MoveChain::moves.
    bool on_b_side;      ///< Between B and the common ancestor, so traversed backwards.
    double offset_to_a;  ///< [m] Fixed offsets between the frame of this move and that of the next one towards A, or
                         ///< A's own.
  };
  int body_a;
  int body_b;
  std::vector<Step> steps;
};

PairChain pair_chain(const MoveChain& chain, int body_a, int body_b);

/// Bounds of the motion of A's points relative to B over a segment or a part of it: B_1, B_2, B_3 of MATHS.md T1, by the recursion (1) over
/// the moves between the bodies.
class PairMotion {
 public:
  /// `reach`: [m] every point of A lies within it of A's body origin. `part`: must have been bounded in EdgeMotion.
  void set(const PairChain& chain, const EdgeMotion& motion, double reach, int part = 0);

  /// How far the moves of A's tube (EdgeMotion::tube), those of poses left out, may displace a point of A from its place in B's frame, all at
  /// one instant: by (24) along a direction and by (25) in any; and how that changes with time, (26). No levers but those of the nominal motion
  /// enter. (MATHS.md T16, T17)
  struct TubeBounds {
    double most = 0.0;             ///< (25) over the whole part, for any point within reach. [m]
    double second = 0.0;           ///< (24) without its first sum, likewise. [m]
    double bend = 0.0;             ///< The sum of d_k times (26). [m / time^2]
    double growth_anywhere = 0.0;  ///< Of (25). [m / time]
    double turn = 0.0;             ///< D_m. [rad]
  };

  struct Rotation {
    int move;
    double rate;   ///< w_k
    double lever;  ///< rho_k over the whole part, for any point within `reach`.
  };

  /// The moves that turn, from B to A.
  const std::vector<Rotation>& rotations() const { return rotations_; }
  double speed_bound() const { return bound_[0]; }         ///< B_1 for any point within reach. [m / time]
  double acceleration_bound() const { return bound_[1]; }  ///< B_2 for any point within reach. [m / time^2]
  double jerk_bound() const { return bound_[2]; }          ///< B_3 for any point within reach. [m / time^3]
  bool at_rest() const { return bound_[0] == 0.0; }
  const TubeBounds& tube() const { return tube_; }

 private:
  struct TubeStep {
    double error, lever;        ///< d_k and a bound of rho_k.
    double rate, acceleration;  ///< Of a rotation; 0 for a translation.
    double F1, F2;              ///< Of the moves beyond this one.
    bool rotation;
  };
  std::vector<Rotation> rotations_;
  std::vector<TubeStep> tube_steps_;  ///< From A to B. Scratch.
  TubeBounds tube_;

  void bound_tube();

  double bound_[3] = {0.0, 0.0, 0.0};
};

/// The relative motion at one instant, exact up to rounding, in B's frame: where A is, and how its points move. A point at c
/// has
///
///   p' = v + w x c,     p'' = v' + w' x c + w x p'.
struct PairState {
  Eigen::Matrix3d R_BA;
  Eigen::Vector3d p_BA;          ///< [m] Origin of A's frame.
  Eigen::Vector3d v, w;          ///< Relative twist.
  Eigen::Vector3d v_dot, w_dot;  ///< Its derivatives, as seen in B's frame.

  void set(const PairChain& chain, const Kinematics& kinematics) {
    if (chain.body_b == 0) return set(kinematics.bodies[chain.body_a]);
    set(kinematics.bodies[chain.body_a], kinematics.bodies[chain.body_b]);
  }
  void set(const BodyState& a, const BodyState& b);
  /// Relative to the world, whose frame is the identity.
  void set(const BodyState& a);

  Ssv place(const Ssv& volume) const;
  Eigen::Vector3d velocity(const Eigen::Vector3d& c) const { return v + w.cross(c); }
  Eigen::Vector3d acceleration(const Eigen::Vector3d& c) const { return v_dot + w_dot.cross(c) + w.cross(velocity(c)); }

  /// Upper bound, except for the acceleration pad, of B_2 at the point now at c, for all times within `half_width` of
  /// this instant.
  double acceleration_bound(const Eigen::Vector3d& c, const PairMotion& motion, double half_width) const;
};

inline Ssv PairState::place(const Ssv& volume) const {
  Ssv out;
  out.origin.noalias() = R_BA * volume.origin + p_BA;
  out.edge0.noalias() = R_BA * volume.edge0;
  out.edge1.noalias() = R_BA * volume.edge1;
  out.radius = volume.radius;
  out.type = volume.type;
  return out;
}

}  // namespace planner_ccd
#pragma GCC visibility pop
