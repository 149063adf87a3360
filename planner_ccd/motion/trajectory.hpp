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

/// A state that a controller is told to pass. All vectors by RobotModel::coordinates().
struct TrajectoryPoint {
  double time = 0.0;  ///< [s] From the start of the trajectory.
  JointVector position;
  JointVector velocity;      ///< [rad/s], [m/s]; or empty.
  JointVector acceleration;  ///< [rad/s^2], [m/s^2]; or empty. Needs velocities.
};

/// The motion between two neighbouring knots, in its own time u = (t - t0) / (t1 - t0), u in [0, 1].
struct TrajectorySegment {
  double t0 = 0.0, t1 = 0.0;  ///< [s] On the trajectory's clock. t1 <= t0 only where the input's times do not grow.
  /// By coordinate. Entries of floating joints are straight lines whose ends count: the joint goes straight from one
  /// to the other and turns about one axis.
  std::vector<Polynomial> value;
  /// [rad] or [m] By coordinate: the curve that is meant never differs more from the polynomial. Rounding of the
  /// coefficients; the motion bounds take it in, so that what is proved is proved for the curve that is meant.
  std::vector<double> error;

  double duration() const { return t1 - t0; }
};

/// A timed motion of a whole robot, made of polynomial segments, each beginning where the one before ends. One segment
/// of duration 0 stands for a robot at rest.
struct Trajectory {
  std::vector<TrajectorySegment> segments;
  bool timed = true;  ///< False: made from a path without times; segment i then takes from i to i + 1.
};

/// Segments by the rule of the ROS joint_trajectory_controller, for each pair of neighbouring points: positions only,
/// straight lines; velocities at both, the cubic through both; accelerations at both as well, the quintic. Where times
/// do not grow the segment is a straight line. With T = t1 - t0, d = p1 - p0,
///
///   cubic:    p0,  v0 T,  3 d - (2 v0 + v1) T,  -2 d + (v0 + v1) T                                          (1)
///   quintic:  p0,  v0 T,  a0 T^2 / 2,
///             10 d - (6 v0 + 4 v1) T - (3 a0 - a1) T^2 / 2,
///            -15 d + (8 v0 + 7 v1) T + (3 a0 - 2 a1) T^2 / 2,
///              6 d - 3 (v0 + v1) T - (a0 - a1) T^2 / 2                                                      (2)
///
/// Floating joints go straight and turn about one axis between their key frames. Throws InputError that names the point
/// for wrong sizes, numbers that are not finite, accelerations without velocities, velocities of floating joints.
Trajectory make_trajectory(const RobotModel& robot, const std::vector<TrajectoryPoint>& points);

/// Straight lines. Without times, segment i takes the time from i to i + 1.
Trajectory make_trajectory(const RobotModel& robot, const JointPath& path);

/// One curve per coordinate, from control points (a column each, a row a coordinate), on the clock from t0 to t1.
/// Degree 1 to Polynomial::kMaxDegree. No floating joints.
Trajectory bezier_trajectory(const RobotModel& robot, const Eigen::Ref<const Eigen::MatrixXd>& control_points,
                             double t0, double t1);

/// A B-spline of this degree: knots [s], non-decreasing, control_points.cols() + degree + 1 of them. It is defined from
/// knots[degree] to knots[count], and cut there at the knots into polynomials.
Trajectory b_spline_trajectory(const RobotModel& robot, const Eigen::Ref<const Eigen::MatrixXd>& control_points,
                               const std::vector<double>& knots, int degree);

/// Several trajectories on a common clock, each for some coordinates of one robot (see `combine`): parts[i] gives the
/// values of the coordinates owner == i. The result has the knots of all. Before its start and after its end a part
/// stands still. Every part has values for all coordinates; only those it owns are used.
Trajectory merge(const RobotModel& robot, const std::vector<Trajectory>& parts, const std::vector<int>& owner);

/// The whole motion in `factor` times the time (> 0); the curve in space stays the same.
Trajectory stretched(const Trajectory& trajectory, double factor);

/// The segment that covers time t, clamped to the ends; -1 when there is none.
int segment_at(const Trajectory& trajectory, double t);
/// The joint values at u in [0, 1] of a segment (quaternions of floating joints are unit).
JointVector configuration(const RobotModel& robot, const TrajectorySegment& segment, double u);
/// The joint values at time t on the clock, clamped to the ends.
JointVector configuration(const RobotModel& robot, const Trajectory& trajectory, double t);

}  // namespace planner_ccd
#pragma GCC visibility pop
