#pragma once

#include <optional>

#include "planner_ccd/validation/check_trajectory.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

struct TrackingLimitOptions {
  /// Whose errors count as well, with the same error of every joint in addition to their own; of the rest only `edge` and
  /// `tracking_delay`.
  TrajectoryOptions trajectory;
  double most = 0.5;          ///< [rad and m] > 0. Greater errors are not tried.
  double accuracy = 0.01;     ///< > 0, < 1. Of the result: failed - proved is at most this share of failed, or of 1e-4.
  bool each_segment = false;  ///< Find that of every segment as well: takes several checks of each.
};

/// The greatest error of every joint, the same in radians and in metres, with which a trajectory is still proved free.
struct [[nodiscard]] TrackingLimit {
  double proved = -1.0;  ///< [rad and m] Free with this error of every joint; -1: not even without.
  double failed = 0.0;   ///< [rad and m] Not proved with this one; infinite when free with `most`.
  int segment = -1;      ///< Where that fails first among the segments that fail,
  EdgeResult edge;       ///< and how: a contact, or an open pair.
  int checks = 0;        ///< Segments checked, each as often as it was.
  /// By segment, what `proved` is of the whole; empty unless asked for.
  std::vector<double> by_segment;
};

/// By bisection, segment by segment: a segment that is free with what has been found so far needs no other check.
TrackingLimit max_tracking_error(const PathChecker& checker, const Trajectory& trajectory, Workspace& workspace,
                                 const TrackingLimitOptions& options = {}, const TrajectoryProgress& progress = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
