#pragma once

#include <functional>

#include "planner_ccd/motion/joint_path.hpp"
#include "planner_ccd/query/path_checker.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

struct [[nodiscard]] PathResult {
  Verdict verdict = Verdict::Undecided;
  int segments = 0;              ///< Of the path; 0 for a single waypoint, which is checked alone.
  int segment = -1;              ///< The first that is not free; -1 when all are.
  EdgeResult edge;               ///< Of that segment.
  QueryCounters counters;        ///< Over all segments checked.
  bool nothing_checked = false;  ///< Free because the checker has no pair of bodies to check.
};

/// Called before each segment with the number done; returning false ends the check (Undecided).
using PathProgress = std::function<bool(int done, int segments)>;

/// Checks segments in order, up to the first that is not free. Throws InputError for a path without waypoints.
PathResult check_path(const PathChecker& checker, const JointPath& path, Workspace& workspace,
                      const EdgeOptions& options = {}, const PathProgress& progress = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
