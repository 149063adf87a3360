#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/motion/pair_motion.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// The tube about the motion of a pair at one instant: by how much a point of A, now at c in B's frame, may be displaced relative to
/// B when every joint and every pose is within its error.                                          (MATHS.md 7b)
///
/// Moves of joints displace it by (2) or (3) of PairMotion::TubeBounds. An error of a pose, on the way between the bodies, displaces it by
/// at most shift + turn |c - o|, o being the pose's origin now, and turns everything beyond: so D_{k-1} of (2) gains the turns of all of
/// them. Both grow with |s|, away from this instant, no faster than `growth`: |c - o| by B_1.
///
/// The displaced A is A moved rigidly, the hull of spheres about its displaced corners: bounds of the corners suffice, as in eq. (2) of
/// certified_span(), and radii do not enter.
class PairTube {
 public:
  struct Reach {
    double now = 0.0;     ///< [m]
    double growth = 0.0;  ///< [m / time]
  };
  /// One move's error times the velocity that it gives points at unit rate: c has v + w x c.
  struct Twist {
    Eigen::Vector3d v, w;
  };

  /// `loose`: the bits of MotionTube::loose() that count. `reach`: as in PairMotion. `position`: RoundingPads::position.
  void set(const PairChain& chain, const EdgeMotion& motion, std::uint64_t loose, const Kinematics& kinematics,
           double reach, double position);

  /// Along n, for a point at c: the lesser of (2) and (3).
  Reach along(const Eigen::Vector3d& n, const Eigen::Vector3d& c, const PairMotion& motion) const;
  /// In any direction.
  Reach anywhere(const Eigen::Vector3d& c, const PairMotion& motion) const;
  /// [m] For every point of A, in any direction and for all |s| <= half_width.
  double most(const PairMotion& motion, double half_width) const;
  /// True when nothing is displaced.
  bool exact() const { return twists_.empty() && loose_shift_ == 0.0 && loose_turn_ == 0.0; }
  /// [rad] Points at a distance r from c are displaced by at most r times this more than c.
  double turn(const PairMotion& motion) const { return (motion.tube().turn + loose_turn_) * kRoundUp; }

  const std::vector<Twist>& twists() const { return twists_; }
  /// [m / time] Of (2).
  double growth_along(const PairMotion& motion) const {
    return (motion.tube().growth_along + loose_turn_ * motion.speed_bound()) * kRoundUp;
  }
  /// What (2) has beside the sum over twists(), for any point of A and all |s| <= half_width.
  double beside(const PairMotion& motion, double half_width) const;

 private:
  struct Point {
    Eigen::Vector3d at;  ///< In B's frame.
    double turn;
  };
  std::vector<Twist> twists_;
  std::vector<Point> points_;
  double loose_shift_ = 0.0, loose_turn_ = 0.0;
  double loose_most_ = 0.0;  ///< [m] Of the poses, for any point of A now.
  double pad_ = 0.0;         ///< [m] Rounding of places and axes.

  double of_poses(const Eigen::Vector3d& c) const;
};

}  // namespace planner_ccd
#pragma GCC visibility pop
