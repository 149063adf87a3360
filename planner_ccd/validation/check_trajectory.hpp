#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/validation/finding.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Limits of accelerations and jerks, which URDF lacks, and limits of positions and velocities in place of the URDF's. By coordinate;
/// infinite: no limit.
struct MotionLimits {
  std::vector<double> velocity;                ///< [rad/s], [m/s]
  std::vector<double> acceleration;            ///< [rad/s^2], [m/s^2]
  std::vector<double> lower = {}, upper = {};  ///< [rad], [m]
  std::vector<double> jerk = {};               ///< [rad/s^3], [m/s^3]
};
/// The robot's own: positions and velocities from the URDF, no accelerations, no jerks.
MotionLimits motion_limits(const RobotModel& robot);

struct TrajectoryOptions {
  EdgeOptions edge;
  /// [s] >= 0. The robot may be so much behind the motion, on its own path: adds to edge.errors, segment by segment, by
  /// how fast each joint moves. Not for floating joints, nor for trajectories without times.
  double tracking_delay = 0.0;
  /// [rad or m] By segment, what its joints may be off by in addition to edge.errors: errors that depend on time, bounded on each
  /// segment. Empty: nothing.
  std::vector<JointVector> segment_errors;
  bool all_contacts = false;  ///< Continue after the first contact: find every contact interval of every pair.
  /// [s] Contacts of a pair separated by less than this may be reported as one.
  double contact_resolution = 1e-3;
  bool check_limits = true;  ///< Check limits of positions, velocities, accelerations and jerks, and full turns.
  MotionLimits limits;       ///< Empty vectors: motion_limits(robot).
  /// [m] > 0: also find the least distance over the path of the nearest pairs, with upper - lower at most this. 0: do
  /// not.
  double clearance_accuracy = 0.0;
  std::size_t clearance_pairs = 10;                                  ///< >= 1. At most this many pairs.
  double clearance_below = std::numeric_limits<double>::infinity();  ///< [m] > 0. Only pairs nearer than this.
  /// [s] > 0: also compute the clearance profile, in pieces no longer than this. Without clearance_accuracy it is as
  /// accurate as a plot needs: to a twentieth of the distance or 1 mm where bodies are nearest, and coarser elsewhere when it
  /// would take more than a few times the evaluations of the check. 0: do not.
  double profile_step = 0.0;
};

/// What is wrong with a trajectory, and how near bodies come during it: a PathResult and more.
struct [[nodiscard]] TrajectoryResult {
  Verdict verdict = Verdict::Undecided;  ///< About collision only.
  bool nothing_checked = false;          ///< Free because the checker has no pair of bodies to check.
  int segments = 0;                      ///< 0 when the robot is at rest.
  int segment = -1;                      ///< The first that is not free; -1 when all are.
  EdgeResult edge;                       ///< Of that segment, up to the first contact in it.
  std::vector<Finding> findings;         ///< In order of time.
  std::vector<PairClearance> clearance;  ///< The nearest first; empty when not asked for.
  /// [m] All pairs that `clearance` does not list stay at least so far apart. 0: not known; infinite: it lists all.
  double clearance_of_others = 0.0;
  std::vector<ClearancePiece> profile;  ///< In order of time; empty when not asked for.
  QueryCounters counters;               ///< Of the check.
  QueryCounters clearance_counters;     ///< Of clearance and profile.

  bool has_errors() const;  ///< True if some finding has Severity::Error.
};
using PathReport [[deprecated("is now TrajectoryResult")]] = TrajectoryResult;

/// Called before each step with the amount of work done; returning false ends it (Undecided).
using TrajectoryProgress = std::function<bool(int done, int total)>;

TrajectoryResult check_trajectory(const PathChecker& checker, const Trajectory& trajectory, Workspace& workspace,
                                  const TrajectoryOptions& options = {}, const TrajectoryProgress& progress = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
