#pragma once

#include <map>
#include <string>
#include <vector>

#include "planner_ccd/io/loaded.hpp"
#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/robot/robot_model.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

struct TrajectoryFileOptions {
  /// Prepended to every joint name of the file, to choose one of several robots (see `combine`).
  std::string prefix;
  /// Values of coordinates that the file does not move, by full name. The file takes precedence.
  std::map<std::string, double> hold;
  /// False: coordinates known neither to the file nor to `hold` are an error. True: they are left to other files (see
  /// `load_trajectories`), and TrajectoryFile::moved tells which they are.
  bool partial = false;
  /// Coordinates that something else moves (RobotMotion): the file must not, and they need not be held.
  std::vector<std::string> elsewhere;
  /// True: columns of errors are read into TrajectoryFile::errors. False: they are refused, so that nobody overlooks them.
  bool errors = false;
  /// Wrap: joints without limits take the shorter way from point to point (whole turns are added to the file's values).
  AnglePolicy angles = AnglePolicy::Literal;
};

/// The contents of a trajectory file.
struct TrajectoryFile {
  Trajectory trajectory;
  std::vector<TrajectoryPoint> points;  ///< Empty for curves.
  std::vector<int> lines;               ///< Line of each point in the file, from 1.
  std::vector<bool> moved;              ///< By coordinate: whether the file has values for it.
  /// [rad or m] By segment: bounds of the file's errors, which go straight from point to point. Empty: it has none.
  std::vector<JointVector> errors;
};

/// A trajectory from a file, whose format is recognised by its content:
///
/// - CSV: a header of coordinates and optionally `time` [s], `NAME.velocity`, `NAME.acceleration`; a row a point. `NAME.error`: how far
///   the joint may be from its value there.
/// - YAML or JSON in the shape of trajectory_msgs/JointTrajectory, bare or nested as ROS tools print it: RobotTrajectory and
///   DisplayTrajectory of MoveIt (with multi_dof_joint_trajectory for planar and floating joints, and trajectory_start
///   for the joints that stand still), the goal of FollowJointTrajectory. Times are numbers [s], {sec, nanosec} or
///   {secs, nsecs}.
/// - YAML or JSON with `bezier` or `b_spline`: curves in joint space (planner_ccd/io/README.md).
///
/// Between points the motion is that of make_trajectory. Times that do not increase are left to check_trajectory.
/// Throws InputError with file, line and remedy for every other mistake.
Loaded<TrajectoryFile> load_trajectory(const std::string& path, const RobotModel& model,
                                       const TrajectoryFileOptions& options = {});
Loaded<TrajectoryFile> parse_trajectory(const std::string& text, const std::string& name, const RobotModel& model,
                                        const TrajectoryFileOptions& options = {});

/// A path as trajectory_msgs/JointTrajectory in YAML: straight from waypoint to waypoint, each segment as fast as the
/// robot's velocity limits allow (1 rad/s, 1 m/s for joints without one), or at the path's own times. `joints`: those
/// to write; empty: all. Throws InputError if planar or floating joints are among them, which the message cannot
/// represent.
std::string format_joint_trajectory(const JointPath& path, const RobotModel& model,
                                    const std::vector<std::string>& joints = {});

/// A file and the prefix of the joints it moves.
struct TrajectorySource {
  std::string path;
  std::string prefix;
  double delay = 0.0;  ///< [s] Added to all times of the file.
};

/// Several files for one robot, on one clock. Every coordinate must be moved by one of them or be held. A single file
/// may omit times, but then takes no delay. `prefix`, `partial` and `errors` of the options are ignored. `errors`: set to
/// TrajectoryFile::errors, which only a single file may have; without it they are refused.
Loaded<Trajectory> load_trajectories(const std::vector<TrajectorySource>& sources, const RobotModel& model,
                                     const TrajectoryFileOptions& options = {},
                                     std::vector<JointVector>* errors = nullptr);

}  // namespace planner_ccd
#pragma GCC visibility pop
