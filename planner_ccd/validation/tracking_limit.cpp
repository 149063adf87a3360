#include "planner_ccd/validation/tracking_limit.hpp"

#include <algorithm>
#include <limits>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/detail/require_motion.hpp"
#include "planner_ccd/validation/tracking_delay.hpp"

namespace planner_ccd {
namespace {

constexpr double kFine = 1e-4;  ///< [rad and m] Below it `accuracy` is a share of this.

class LimitSearch {
 public:
  LimitSearch(const PathChecker& checker, const Trajectory& trajectory, Workspace& workspace,
              const TrackingLimitOptions& options)
      : checker_(checker), trajectory_(trajectory), workspace_(workspace), options_(options) {}

  int checks = 0;

  /// Of a segment, up to `most`.
  TrackingLimit greatest(int segment, double most) {
    TrackingLimit out;
    out.proved = most;
    out.failed = std::numeric_limits<double>::infinity();
    EdgeResult edge;
    if (free(segment, most, edge)) return out;
    out.segment = segment;
    out.failed = most;
    out.edge = edge;
    if (most == 0.0 || !free(segment, 0.0, edge)) {
      out.edge = edge;
      out.proved = -1.0;
      out.failed = 0.0;
      return out;
    }
    out.proved = 0.0;
    while (out.failed - out.proved > options_.accuracy * std::max(out.failed, kFine)) {
      const double middle = 0.5 * (out.proved + out.failed);
      if (free(segment, middle, edge)) {
        out.proved = middle;
      } else {
        out.failed = middle;
        out.edge = edge;
      }
    }
    return out;
  }

 private:
  const PathChecker& checker_;
  const Trajectory& trajectory_;
  Workspace& workspace_;
  const TrackingLimitOptions& options_;

  bool free(int segment, double error, EdgeResult& edge) {
    EdgeOptions asked = options_.trajectory.edge;
    asked.errors = errors_of(checker_.robot(), trajectory_, segment, options_.trajectory);
    if (asked.errors.tracking.size() == 0) asked.errors.tracking = JointVector::Zero(checker_.robot().dof());
    asked.errors.tracking.array() += error;
    ++checks;
    edge = checker_.first_contact(trajectory_.segments[static_cast<std::size_t>(segment)], workspace_, asked);
    return edge.verdict == Verdict::Free;
  }
};

}  // namespace

TrackingLimit max_tracking_error(const PathChecker& checker, const Trajectory& trajectory, Workspace& workspace,
                                 const TrackingLimitOptions& options, const TrajectoryProgress& progress) {
  if (!(options.most > 0.0) || !(options.most <= kMostError))
    throw InputError("the greatest tracking error to try must be > 0 and at most 1000");
  if (!(options.accuracy > 0.0 && options.accuracy < 1.0))
    throw InputError("the accuracy of a tracking error must be > 0 and < 1");
  require_motion(checker, trajectory);
  LimitSearch search(checker, trajectory, workspace, options);
  TrackingLimit out;
  out.proved = options.most;
  out.failed = std::numeric_limits<double>::infinity();
  const int count = static_cast<int>(trajectory.segments.size());
  for (int i = 0; i < count && (out.proved >= 0.0 || options.each_segment); ++i) {
    if (progress && !progress(i, count)) {
      out.proved = -1.0;  // of the rest nothing is known
      out.by_segment.clear();
      break;
    }
    TrackingLimit here = search.greatest(i, options.each_segment ? options.most : out.proved);
    if (options.each_segment) out.by_segment.push_back(here.proved);
    if (here.segment < 0 || here.proved >= out.proved) continue;
    here.by_segment = std::move(out.by_segment);
    out = std::move(here);
  }
  out.checks = search.checks;
  return out;
}

}  // namespace planner_ccd
