#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "planner_ccd/advancement/pose_cache.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/motion/pair_motion.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// The tube about the motion of a pair at one instant: by how much a point of A, now at c in B's frame, may be displaced relative to B when every
/// joint and every pose is within its error, and how that changes with the time s from this instant. (MATHS.md T16 to T18)
///
/// Errors of moves displace it by (24) along a direction and by (25) in any; those of poses by shift + turn |c - o|, o being the pose's origin,
/// in any. Along the motion (24) stays below the chord (27). Bounds of the corners of A's generator suffice, and radii do not enter.
///
/// Axes are placed when they are first asked for: far pairs need only most().
class PairTube {
 public:
  /// now + |s| forward (or back, for s < 0) + s^2/2 bend
  struct Reach {
    double now;            ///< [m]
    double forward, back;  ///< [m / time]
    double bend;           ///< [m / time^2]
  };
  /// One move's error times the velocity that it gives points at unit rate: c has v + w x c, whose derivative is
  /// u + w_dot x c + w x (turning() x c).
  struct Twist {
    Eigen::Vector3d v, w, u, w_dot;
  };

  /// At the time t. `loose`: the bits of MotionTube::loose() that count. `reach`: as in PairMotion. All must outlive the use of this.
  void set(const PairChain& chain, const EdgeMotion& motion, std::uint64_t loose, double t, PoseCache& poses,
           double reach, const RoundingPads& pads);

  /// (24) along n, for points at c[0], c[1], ... (four at most) and |s| <= half_width.
  std::array<Reach, 4> along(const Eigen::Vector3d& n, const Eigen::Vector3d* c, int count, const PairMotion& motion,
                             double half_width);
  /// (25), in any direction.
  Reach anywhere(const Eigen::Vector3d& c, const PairMotion& motion);
  /// [m] For every point of A, in any direction and for all |s| <= half_width.
  double most(const PairMotion& motion, double half_width) const;
  /// True when nothing is displaced.
  bool exact() const { return turned_ == 0.0 && slid_ == 0.0 && loose_shift_ == 0.0 && loose_turn_ == 0.0; }
  /// [rad] Points at a distance r from c are displaced by at most r times this more than c.
  double turn() const { return (turned_ + loose_turn_) * kRoundUp; }

  const std::vector<Twist>& twists();
  /// Of A relative to B, after twists(). [rad / time]
  const Eigen::Vector3d& turning() const { return turning_; }
  /// Of what poses displace. [m / time]
  double growth_of_poses(const PairMotion& motion) const { return loose_turn_ * motion.speed_bound() * kRoundUp; }
  /// Of the sum of the b_k, after twists(): what rounding adds. [m / time]
  double rate_pad() const { return rate_pad_; }
  /// What (24) has beside the sum over twists(), for any point of A and all |s| <= half_width.
  double beside(const PairMotion& motion, double half_width) const;

 private:
  struct Point {
    Eigen::Vector3d at;  ///< In B's frame.
    double turn;
  };
  const PairChain* chain_ = nullptr;
  const EdgeMotion* motion_ = nullptr;
  PoseCache* poses_ = nullptr;
  double t_ = 0.0, reach_ = 0.0;
  RoundingPads pads_{};
  bool placed_ = false;
  std::vector<Twist> twists_;
  std::vector<Point> points_;
  double turned_ = 0.0, slid_ = 0.0;  ///< Errors of the moves. [rad], [m]
  double loose_shift_ = 0.0, loose_turn_ = 0.0;
  double loose_most_ = 0.0;  ///< [m] Of the poses, for any point of A now.
  double pad_ = 0.0;         ///< [m] Rounding of places and axes.
  double rate_pad_ = 0.0;
  Eigen::Vector3d turning_ = Eigen::Vector3d::Zero();

  void place();
  double shares_of_slides() const;
  void place_points(std::uint64_t loose);
  double of_poses(const Eigen::Vector3d& c) const;
};

}  // namespace planner_ccd
#pragma GCC visibility pop
