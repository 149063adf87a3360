#include "planner_ccd/query/tracking_limit.hpp"

#include <algorithm>
#include <limits>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/detail/joined_segments.hpp"
#include "planner_ccd/query/tracking_delay.hpp"

namespace planner_ccd {
namespace {

constexpr double kFine = 1e-4;  ///< [rad and m] Below it `accuracy` is a share of this.

}  // namespace

TrackingLimit max_tracking_error(const PathChecker& checker, const Trajectory& trajectory, Workspace& workspace,
                                 const TrackingLimitOptions& options, const TrajectoryProgress& progress) {
  if (!(options.most > 0.0) || !(options.most <= kMostError))
    throw InputError("the greatest tracking error to try must be > 0 and at most 1000");
  if (!(options.accuracy > 0.0 && options.accuracy < 1.0))
    throw InputError("the accuracy of a tracking error must be > 0 and < 1");
  require_joined(checker.robot(), trajectory);
  TrackingLimit out;
  out.proved = options.most;
  out.failed = std::numeric_limits<double>::infinity();
  const auto free = [&](int segment, double error, EdgeResult& edge) {
    EdgeOptions asked = options.trajectory.edge;
    asked.errors = errors_of(checker.robot(), trajectory, segment, options.trajectory);
    if (asked.errors.tracking.size() == 0) asked.errors.tracking = JointVector::Zero(checker.robot().dof());
    asked.errors.tracking.array() += error;
    ++out.checks;
    edge = checker.first_contact(trajectory.segments[static_cast<std::size_t>(segment)], workspace, asked);
    return edge.verdict == Verdict::Free;
  };
  const int count = static_cast<int>(trajectory.segments.size());
  for (int i = 0; i < count && out.proved >= 0.0; ++i) {
    if (progress && !progress(i, count)) {
      out.proved = -1.0;  // of the rest nothing is known
      return out;
    }
    EdgeResult edge;
    if (free(i, out.proved, edge)) continue;
    out.failed = out.proved;
    out.segment = i;
    out.edge = edge;
    if (out.failed == 0.0 || !free(i, 0.0, edge)) {
      if (out.failed > 0.0) out.edge = edge;
      out.proved = -1.0;
      out.failed = 0.0;
      return out;
    }
    double low = 0.0;
    while (out.failed - low > options.accuracy * std::max(out.failed, kFine)) {
      const double middle = 0.5 * (low + out.failed);
      if (free(i, middle, edge)) {
        low = middle;
      } else {
        out.failed = middle;
        out.edge = edge;
      }
    }
    out.proved = low;
  }
  return out;
}

}  // namespace planner_ccd
