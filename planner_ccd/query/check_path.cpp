#include "planner_ccd/query/check_path.hpp"

#include <algorithm>

#include "planner_ccd/math/error.hpp"

namespace planner_ccd {

PathResult check_path(const PathChecker& checker, const JointPath& path, Workspace& workspace,
                      const EdgeOptions& options, const PathProgress& progress) {
  if (path.waypoints.empty()) throw InputError("the path has no waypoints");
  const int last = static_cast<int>(path.waypoints.size()) - 1;
  PathResult result;
  result.segments = last;
  for (int i = 0; i < std::max(1, last); ++i) {
    result.segment = i;
    if (progress && !progress(i, last)) {
      result.edge = {};
      return result;
    }
    result.edge = checker.first_contact(path.waypoints[i], path.waypoints[std::min(i + 1, last)], workspace, options);
    result.counters += result.edge.counters;
    result.verdict = result.edge.verdict;
    if (result.verdict != Verdict::Free) return result;
  }
  result.segment = -1;
  result.nothing_checked = result.edge.nothing_checked;
  return result;
}

}  // namespace planner_ccd
