#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "planner_ccd/math/types.hpp"
#include "planner_ccd/motion/joint_path.hpp"
#include "planner_ccd/motion/polynomial.hpp"
#include "planner_ccd/robot/robot_model.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// A point of a trajectory as sent to a controller. Vectors are in the order of RobotModel::coordinates().
struct TrajectoryPoint {
  double time = 0.0;  ///< [s] From the start of the trajectory.
  JointVector position;
  JointVector velocity;      ///< [rad/s], [m/s]; or empty.
  JointVector acceleration;  ///< [rad/s^2], [m/s^2]; or empty. Requires velocities.
};

/// The motion between two neighbouring knots, in its own time u = (t - t0) / (t1 - t0), u in [0, 1].
struct TrajectorySegment {
  double t0 = 0.0, t1 = 0.0;  ///< [s] On the trajectory's clock. t1 <= t0 only where the input's times do not increase.
  /// By coordinate. Of floating joints only the ends count: the joint moves straight from one to the other and turns
  /// about one axis.
  std::vector<Polynomial> value;
  /// [rad] or [m] By coordinate: bounds the distance of the polynomial from the intended curve, due to rounded
  /// coefficients. The motion bounds include it, so that proofs hold for the intended curve.
  std::vector<double> error;

  double duration() const { return t1 - t0; }
};

/// A timed motion of a whole robot: polynomial segments, each beginning where the previous one ends. One segment of
/// duration 0 is a robot at rest.
struct Trajectory {
  std::vector<TrajectorySegment> segments;
  bool timed = true;  ///< False: made from a path without times; segment i then runs from time i to i + 1.
  /// True: samples of what ran (a log). Several may be of one instant: segments of duration 0 join them, in the order in which they
  /// were recorded.
  bool sampled = false;
  /// Where the robot stands before the motion, if the motion's source says so (trajectory_start of a plan): one value per coordinate.
  /// Empty: it does not.
  JointVector start = {};
};

/// One segment of duration 0 that does not move: a single waypoint.
bool is_at_rest(const Trajectory& trajectory);

/// Segments by the rule of the ROS joint_trajectory_controller, for each pair of neighbouring points: a straight line
/// if they have positions only, the cubic if both have velocities, the quintic if both have accelerations too. Where
/// times do not increase the segment is a straight line. With T = t1 - t0, d = p1 - p0,
///
///   cubic:    p0,  v0 T,  3 d - (2 v0 + v1) T,  -2 d + (v0 + v1) T                                          (1)
///   quintic:  p0,  v0 T,  a0 T^2 / 2,
///             10 d - (6 v0 + 4 v1) T - (3 a0 - a1) T^2 / 2,
///            -15 d + (8 v0 + 7 v1) T + (3 a0 - 2 a1) T^2 / 2,
///              6 d - 3 (v0 + v1) T - (a0 - a1) T^2 / 2                                                      (2)
///
/// Floating joints move straight and turn about one axis between points. Throws InputError naming the point for wrong
/// sizes, numbers that are not finite, accelerations without velocities, and velocities of floating joints.
Trajectory make_trajectory(const RobotModel& robot, const std::vector<TrajectoryPoint>& points);

/// Straight lines. Without times, segment i runs from time i to i + 1.
Trajectory make_trajectory(const RobotModel& robot, const JointPath& path);

/// One Bezier curve per coordinate, from control points (a column per point, a row per coordinate), on the clock from
/// t0 to t1. Degree 1 to Polynomial::kMaxDegree. No floating joints.
Trajectory bezier_trajectory(const RobotModel& robot, const Eigen::Ref<const Eigen::MatrixXd>& control_points,
                             double t0, double t1);

/// A B-spline of the given degree: knots [s], non-decreasing, control_points.cols() + degree + 1 of them. It is defined
/// from knots[degree] to knots[count], and split at its knots into polynomials.
Trajectory b_spline_trajectory(const RobotModel& robot, const Eigen::Ref<const Eigen::MatrixXd>& control_points,
                               const std::vector<double>& knots, int degree);

/// Several trajectories on a common clock, each for some coordinates of one robot (see `combine`): parts[i] moves the
/// coordinates with owner == i. The result has the knots of all parts. A part stands still before its start and after
/// its end. Every part has values for all coordinates; only those it owns are used.
Trajectory merge(const RobotModel& robot, const std::vector<Trajectory>& parts, const std::vector<int>& owner);

/// The whole motion slowed down by `factor` (> 0); the curve in space stays the same.
Trajectory stretched(const Trajectory& trajectory, double factor);

/// The segment that covers time t, clamped to the ends; -1 when there is none.
int segment_at(const Trajectory& trajectory, double t);
/// The joint values at u in [0, 1] of a segment (quaternions of floating joints are unit).
JointVector configuration(const RobotModel& robot, const TrajectorySegment& segment, double u);
/// The joint values at time t on the clock, clamped to the ends.
JointVector configuration(const RobotModel& robot, const Trajectory& trajectory, double t);

}  // namespace planner_ccd
#pragma GCC visibility pop
