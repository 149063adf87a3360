#pragma once

#include "planner_ccd/validation/check_trajectory.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// The reports of the parts of a motion, checked one by one, as one.
class JoinedReports {
 public:
  /// `in_one`: the parts are one continuous motion, so that what one part's end cuts in two is one finding.
  explicit JoinedReports(bool in_one) : in_one_(in_one) {}

  /// The next part: its report, its number of segments, and the time of its beginning.
  void add(TrajectoryResult&& report, std::size_t segments, double begin);
  /// Everything, given the time of the motion's end. Nothing may be added afterwards.
  TrajectoryResult finish(double end);

 private:
  bool in_one_;
  TrajectoryResult all_;
  int segments_ = 0;  ///< Of the parts so far.

  bool joined(const Finding& f);
};

/// check_trajectory for a part of a motion whose times have been looked at: the part's own may be left out.
TrajectoryResult check_part(const PathChecker& checker, const Trajectory& part, Workspace& workspace,
                            const TrajectoryOptions& options, const TrajectoryProgress& progress);

/// In order of time.
void sort_by_time(std::vector<Finding>& findings);

}  // namespace planner_ccd
#pragma GCC visibility pop
