#include "planner_ccd/cli/executed.hpp"

#include "planner_ccd/cli/progress.hpp"

namespace planner_ccd::cli {

Executed check_executed(const Arguments& arguments, const PathChecker& checker, const Motion& plan, const Motion& ran,
                        Workspace& workspace, const TrajectoryOptions& asked) {
  const Trajectory &planned = plan.whole("--executed"), &executed = ran.whole("--executed");
  Executed out;
  out.file = *arguments.text("executed");
  out.judged = asked.edge.errors.tracking.size() > 0 || asked.tracking_delay > 0.0 || !asked.segment_errors.empty();
  double shift = 0.0;
  if (const auto given = arguments.number("shift")) {
    out.clocks = "given";
    shift = *given;
  } else if (plan.log() && ran.log()) {
    out.clocks = "stamps";
    shift = 1e-9 * static_cast<double>(ran.log()->begin_ns() - plan.log()->begin_ns());
  } else {
    out.clocks = "found";
    shift = best_shift(checker.robot(), planned, executed);
  }
  out.deviation = deviation(checker.robot(), planned, executed, shift, asked);
  TrajectoryOptions alone = asked;
  alone.edge.errors.tracking.resize(0);  // its joint values are known, where bases stand is not
  alone.segment_errors.clear();
  alone.tracking_delay = alone.clearance_accuracy = alone.profile_step = 0.0;
  Progress progress("segment that ran");
  CheckedMotion checked = check_motion(checker, ran, workspace, alone, [&](int done, int total) {
    progress.show(done, total);
    return true;
  });
  out.result = std::move(checked.result);
  out.timed = checked.trajectory.timed;
  for (const TrajectorySegment& s : checked.trajectory.segments) out.segments.push_back({s.t0, s.t1});
  return out;
}

}  // namespace planner_ccd::cli
