#pragma once

#include <vector>

#include "planner_ccd/query/check_trajectory.hpp"

namespace planner_ccd {

/// Findings that need no geometry: joint, velocity and acceleration limits, times that do not increase, and full turns.
///
/// A quantity f(u) (value, rate / T or acceleration / T^2 of a coordinate, a polynomial) is compared with its limit over
/// the whole segment: parts whose Bernstein coefficients stay within the limit are proved to keep to it, others are
/// halved, down to 2^-40 of the segment. Nothing is sampled. What exceeds a limit by less than a part in 1e9 (which is
/// how files round) passes. In order of time.
/// Throws InputError for limits in `options` that are not one for every coordinate.
std::vector<Finding> limit_findings(const RobotModel& robot, const Trajectory& trajectory,
                                    const TrajectoryOptions& options);

/// Where a polynomial exceeds a limit on [0, 1], and its greatest value.
struct Excess {
  struct Part {
    TimeBracket begin, end;  ///< In u.
  };
  std::vector<Part> parts;
  double value = 0.0;  ///< The greatest, rounded up.
  double at = 0.0;     ///< Where a value within rounding and 1e-12 of the greatest is attained.
};
Excess find_excess(const Polynomial& p, double limit);

}  // namespace planner_ccd
