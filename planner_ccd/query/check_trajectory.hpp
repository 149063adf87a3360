#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/query/finding.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Acceleration limits, which URDF does not know; and velocity limits that replace the URDF's. By coordinate; infinite:
/// none.
struct MotionLimits {
  std::vector<double> velocity;      ///< [rad/s], [m/s]
  std::vector<double> acceleration;  ///< [rad/s^2], [m/s^2]
};
/// Those of the robot: velocities of the URDF, no accelerations.
MotionLimits motion_limits(const RobotModel& robot);

struct TrajectoryOptions {
  EdgeOptions edge;
  bool all_contacts = false;  ///< Go on after the first contact: every contact of every pair, from when to when.
  /// [s] Contacts of a pair separated by less than this may be reported as one.
  double contact_resolution = 1e-3;
  bool check_limits = true;  ///< Joint, velocity and acceleration limits, and turns.
  MotionLimits limits;       ///< Empty vectors: motion_limits(robot).
  /// [m] > 0: also the least distance over the path of the pairs that come nearest, with upper - lower at most this. 0: not asked
  /// for.
  double clearance_accuracy = 0.0;
  std::size_t clearance_pairs = 10;                                  ///< >= 1. How many pairs; and
  double clearance_below = std::numeric_limits<double>::infinity();  ///< [m] > 0: of those that come nearer than this.
  /// [s] > 0: also the clearance profile, in pieces no longer than this. Without clearance_accuracy as a picture needs it: to a
  /// twentieth of the distance or 1 mm, for about as many evaluations as the check takes. 0: not asked for.
  double profile_step = 0.0;
};

/// What is wrong with a trajectory, and how near things come on it.
struct [[nodiscard]] PathReport {
  Verdict verdict = Verdict::Undecided;  ///< About collision alone.
  int segments = 0;                      ///< 0 when the robot is at rest.
  int segment = -1;                      ///< The first that is not free; -1 when all are.
  EdgeResult edge;                       ///< Of that segment, up to the first contact in it.
  std::vector<Finding> findings;         ///< In order of time.
  std::vector<PairClearance> clearance;  ///< The nearest first; empty when not asked for.
  std::vector<ClearancePiece> profile;   ///< In order of time; empty when not asked for.
  QueryCounters counters;                ///< Of the check, and of
  QueryCounters clearance_counters;      ///< clearance and profile.

  bool has_errors() const;  ///< Some finding has Severity::Error.
};

/// Called before each step of the work with how much is done; returning false ends it (Undecided).
using TrajectoryProgress = std::function<bool(int done, int total)>;

PathReport check_trajectory(const PathChecker& checker, const Trajectory& trajectory, Workspace& workspace,
                            const TrajectoryOptions& options = {}, const TrajectoryProgress& progress = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
