#pragma once

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "planner_ccd/math/interval.hpp"
#include "planner_ccd/motion/motion_tube.hpp"
#include "planner_ccd/motion/polynomial.hpp"
#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/robot/kinematics.hpp"
#include "planner_ccd/robot/kinematics_lanes.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Rounding errors of the results of kinematics(), for bodies whose points lie within an extent of their own origins.
struct RoundingPads {
  double position;        ///< [m] Error of any point's position, in any body's frame.
  double speed;           ///< [m / time] Error of any point's velocity.
  double acceleration;    ///< [m / time^2] Error of any point's acceleration.
  double computed = 0.0;  ///< [m] The part of `position` that rounding makes, without what a curve may be off by.
};

/// Bounds of each move over a part of [0, 1].
struct MoveBounds {
  std::vector<double> rate, acceleration, jerk;  ///< [rad] or [m] per unit of t: |q_k'|, |q_k''|, |q_k'''|.
  std::vector<double> value;                     ///< |q_k|
};

/// The motion of all joints over one segment, t in [0, 1]: a MoveChain and a polynomial for each of its moves. It uses
/// the model's kinematics, not its collision geometry. Reused for many segments without allocation.
class EdgeMotion {
 public:
  explicit EdgeMotion(const RobotModel& robot);

  /// Joint-linear from q0 to q1. A floating joint moves its origin on a straight line and turns about one axis, both at
  /// constant speed (the shorter way). Throws InputError for wrong sizes, numbers that are not finite, zero
  /// quaternions.
  void set_linear(const JointVectorRef& q0, const JointVectorRef& q1, AnglePolicy policy);

  /// A segment of a trajectory, with t in [0, 1] as its u. Floating joints go from their values at 0 to those at 1 as
  /// in set_linear. Throws InputError for the wrong number of coordinates, numbers that are not finite, and zero
  /// quaternions.
  void set_segment(const TrajectorySegment& segment);

  /// Any polynomial motion of the moves (one per move); configuration() is then meaningless.
  void set_moves(std::span<const Polynomial> values);

  /// The tube about this motion and those to come, within which everything must be proved; none at first. Throws as
  /// MotionTube::set.
  void set_errors(const MotionErrors& errors) { tube_.set(chain_, errors); }
  const MotionTube& tube() const { return tube_; }

  const MoveChain& chain() const { return chain_; }
  const Polynomial& move(int k) const { return value_[k]; }
  /// Bounds of |q_k'| and of |value of move k| on [0, 1].
  double rate_bound(int k) const { return bounds_[0].rate[k]; }
  double value_bound(int k) const { return bounds_[0].value[k]; }

  /// Curves are fast in places and slow in others: the halves, quarters and eighths of [0, 1] have their own bounds.
  /// Part 0 is [0, 1]; part p has the halves 2 p + 1 and 2 p + 2. Straight lines need part 0 only.
  static constexpr int kParts = 15;
  /// The smallest part that contains [t0, t1].
  int part_of(double t0, double t1) const;
  /// Bounds of |q_k|, |q_k'|, |q_k''| and |q_k'''| on a part; call bound_part() first for parts other than 0.
  const MoveBounds& bounds(int part) const { return bounds_[part]; }
  void bound_part(int part);
  /// Bounds the error of move k's value in kinematics(), relative to the intended motion: the curve's own error, the
  /// evaluation of a polynomial of degree 2 and more, and the rounding of a mimic joint's offset or a wrapped angle. 0
  /// for a straight line with only a few roundings relative to the value: the other terms of rounding_pads cover these.
  double value_error(int k) const { return value_error_[k]; }
  /// The joint values at t, in the order of RobotModel::coordinates().
  JointVector configuration(double t) const;
  /// True if no joint moves.
  bool at_rest() const { return at_rest_; }

  /// [m] Bounds the distance of every body's origin from the world's.
  double origin_reach();

  /// True if every PairMotion of this motion, for points within `reach` [m] of their body's origin, has finite bounds.
  bool finite_bounds(double reach) const;

  /// `extent`: [m] bounds the distance of every point of every body and obstacle from its own frame's origin.
  RoundingPads rounding_pads(double extent) const;

  /// Poses, twists and axes at t. No allocation once `out` has been resized for chain().
  void kinematics(double t, Kinematics& out);
  /// The same at four times, bit-identical.
  void kinematics(std::span<const double, kKinematicsLanes> times, KinematicsLanes& out);

 private:
  MoveChain chain_;
  MotionTube tube_;
  std::vector<Polynomial> value_;
  std::array<MoveBounds, kParts> bounds_;
  std::array<bool, kParts> bounded_{};  ///< Whether bounds_ belongs to this segment.
  bool curved_ = false;
  std::vector<double> value_error_, rate_error_, acceleration_error_;
  std::vector<double> value_now_, rate_now_, acceleration_now_;
  MoveLanes lanes_now_;
  JointVector q0_, q1_;        // q1_ after wrapping
  TrajectorySegment segment_;  // of set_segment; no values after set_linear
  bool at_rest_ = true;
  double fixed_reach_ = 0.0;      ///< [m] Sum of the lengths of all joints' fixed offsets.
  std::size_t fixed_joints_ = 0;  ///< Number of joints folded into bodies.
  std::vector<double> slide_to_;  ///< [m] By body: bound on how far translations move its origin, on [0, 1].

  void set_floating(int body, const Joint& joint, const JointVectorRef& q0, const JointVectorRef& q1);
  void straight();
  void bound_moves();
};

}  // namespace planner_ccd
#pragma GCC visibility pop
