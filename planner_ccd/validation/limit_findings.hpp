#pragma once

#include <vector>

#include "planner_ccd/validation/check_trajectory.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// [rad], [m] A motion that begins farther than this from where the robot is said to stand (Trajectory::start) is an error, as MoveIt
/// executes none (allowed_start_tolerance). Less is a warning, down to what printing rounds.
inline constexpr double kStartTolerance = 0.01;

/// Findings that need no geometry: limits of positions, velocities, accelerations and jerks, times that do not increase, full turns,
/// and a motion that begins elsewhere than where the robot stands.
///
/// A quantity f(u) (value, rate / T, acceleration / T^2 or jerk / T^3 of a coordinate, a polynomial) is compared with its limit over
/// the whole segment: parts whose Bernstein coefficients stay within the limit are proved to keep to it, others are
/// halved, down to 2^-40 of the segment. Nothing is sampled. What exceeds a limit by less than a part in 1e9 (which is
/// how files round) passes; jerks pass within the rounding of their segment's coefficients, too. Between two segments a velocity that
/// jumps has no acceleration, and an acceleration that jumps has no jerk: joints with such a limit get a warning there, and so does a
/// motion without times for which `options` have limits that need them. In order of time.
/// Throws InputError for limits in `options` that are not one for every coordinate.
std::vector<Finding> limit_findings(const RobotModel& robot, const Trajectory& trajectory,
                                    const TrajectoryOptions& options);

/// Where a polynomial exceeds a limit on [0, 1], and its greatest value.
struct Excess {
  struct Interval {
    TimeBracket begin, end;  ///< In u.
  };
  std::vector<Interval> intervals;
  double value = 0.0;  ///< The greatest, rounded up.
  double at = 0.0;     ///< Where a value within rounding and 1e-12 of the greatest is attained.
};
Excess find_excess(const Polynomial& p, double limit);

}  // namespace planner_ccd
#pragma GCC visibility pop
