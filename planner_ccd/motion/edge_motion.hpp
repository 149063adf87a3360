#pragma once

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "planner_ccd/math/interval.hpp"
#include "planner_ccd/motion/polynomial.hpp"
#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/robot/kinematics.hpp"
#include "planner_ccd/robot/kinematics_lanes.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Rounding of what kinematics() returns, for bodies whose points lie within an extent of their own origins.
struct RoundingPads {
  double position;      ///< [m] Error of the place of any point, in any body's frame.
  double speed;         ///< [m / time] Error of the velocity of any point.
  double acceleration;  ///< [m / time^2] Error of the acceleration of any point.
};

/// Bounds of the moves over a part of [0, 1], by move.
struct MoveBounds {
  std::vector<double> rate, acceleration, jerk;  ///< [rad] or [m] per unit of t: |q_k'|, |q_k''|, |q_k'''|.
  std::vector<double> value;                     ///< |q_k|
};

/// The motion of all joints over one segment, t in [0, 1]: a MoveChain and a polynomial for each of its moves. It holds
/// the model's own geometry of motion, no collision geometry. Reused for many segments without allocation.
class EdgeMotion {
 public:
  explicit EdgeMotion(const RobotModel& robot);

  /// Joint-linear from q0 to q1. A floating joint moves its origin on a straight line and turns about one axis, both at
  /// constant speed (the shorter way). Throws InputError for wrong sizes, numbers that are not finite, zero
  /// quaternions.
  void set_linear(const JointVectorRef& q0, const JointVectorRef& q1, AnglePolicy policy);

  /// A piece of a trajectory, t in [0, 1] being its u. Floating joints go from their values at 0 to those at 1 as in
  /// set_linear. Throws InputError for the wrong number of coordinates, numbers that are not finite, zero quaternions.
  void set_segment(const TrajectorySegment& segment);

  /// Any polynomial motion of the moves (one per move); configuration() is not meaningful afterwards.
  void set_moves(std::span<const Polynomial> values);

  const MoveChain& chain() const { return chain_; }
  const Polynomial& move(int k) const { return value_[k]; }
  /// What |q_k'| and |value of move k| never exceed on [0, 1].
  double rate_bound(int k) const { return bounds_[0].rate[k]; }
  double value_bound(int k) const { return bounds_[0].value[k]; }

  /// Curves are fast in places and slow in others: the halves, quarters and eighths of [0, 1] have their own bounds. Part 0 is [0, 1], part
  /// p has the halves 2 p + 1 and 2 p + 2. For straight lines part 0 says it all.
  static constexpr int kParts = 15;
  /// The smallest part that [t0, t1] lies in.
  int part_of(double t0, double t1) const;
  /// What |q_k|, |q_k'|, |q_k''| and |q_k'''| never exceed on a part; other parts than 0 need bound_part() first.
  const MoveBounds& bounds(int part) const { return bounds_[part]; }
  void bound_part(int part);
  /// kinematics() may take the value of move k this much off the one that is meant: the curve's own error, the evaluation of a
  /// polynomial of degree 2 and more, and what a mimic joint's offset or a wrapped angle was rounded by. Of a straight line it is
  /// 0 where a few roundings relative to the value are all there is: rounding_pads' other terms have these.
  double value_error(int k) const { return value_error_[k]; }
  /// The joint values at t, in the order of RobotModel::coordinates().
  JointVector configuration(double t) const;
  /// No joint moves at all.
  bool at_rest() const { return at_rest_; }

  /// [m] No body's origin is ever farther from the world's.
  double origin_reach();

  /// True when no PairMotion of this motion, for points within `reach` [m] of their body's origin, has a bound that is not
  /// finite.
  bool finite_bounds(double reach) const;

  /// `extent`: [m] bounds the distance of every point of every body and obstacle from its own frame's origin.
  RoundingPads rounding_pads(double extent) const;

  /// Poses, twists and axes at t. No allocation once `out` has been resized for chain().
  void kinematics(double t, Kinematics& out);
  /// The same at four times, to the same bits.
  void kinematics(std::span<const double, kKinematicsLanes> times, KinematicsLanes& out);

 private:
  MoveChain chain_;
  std::vector<Polynomial> value_;
  std::array<MoveBounds, kParts> bounds_;
  std::array<bool, kParts> bounded_{};  ///< Whether bounds_ is of this segment.
  bool curved_ = false;
  std::vector<double> value_error_, rate_error_, acceleration_error_;
  std::vector<double> value_now_, rate_now_, acceleration_now_;
  MoveLanes lanes_now_;
  JointVector q0_, q1_;        // q1_ after wrapping
  TrajectorySegment segment_;  // of set_segment; no values after set_linear
  bool at_rest_ = true;
  double fixed_reach_ = 0.0;      ///< [m] Sum of the lengths of all joints' fixed offsets.
  std::size_t fixed_joints_ = 0;  ///< How many joints were folded into bodies.
  std::vector<double> slide_to_;  ///< [m] By body: how far translations may take its origin, on [0, 1].

  void set_floating(int body, const Joint& joint, const JointVectorRef& q0, const JointVectorRef& q1);
  void straight();
  void bound_moves();
};

}  // namespace planner_ccd
#pragma GCC visibility pop
