#pragma once

#include <optional>
#include <vector>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/io/log.hpp"
#include "planner_ccd/validation/check_trajectory.hpp"

namespace planner_ccd::cli {

/// The motion of --path: one trajectory, or the parts of a log's topic.
class Motion {
 public:
  Motion() = default;
  explicit Motion(Trajectory trajectory, std::vector<JointVector> errors = {})
      : whole_(std::move(trajectory)), errors_(std::move(errors)) {}
  explicit Motion(LogMotion log) : log_(std::move(log)) {
    if (log_->parts() == 1) whole_ = log_->part(0);
  }

  const std::optional<LogMotion>& log() const { return log_; }
  /// By segment, as TrajectoryOptions::segment_errors: the file's own.
  const std::vector<JointVector>& errors() const { return errors_; }
  std::size_t parts() const { return log_ ? log_->parts() : 1; }
  std::size_t segments() const { return log_ ? log_->segments() : whole_->segments.size(); }
  /// The only part. When there are several, throws InputError saying that `what` needs one, and how to get it.
  const Trajectory& whole(const char* what) const;
  /// Calls `visit` with each part in turn until it returns false.
  template <class Visit>
  void for_each_part(Visit&& visit) const {
    if (whole_) {
      visit(*whole_);
      return;
    }
    for (std::size_t i = 0; i < log_->parts(); ++i) {
      if (!visit(log_->part(i))) return;
    }
  }

 private:
  std::optional<Trajectory> whole_;
  std::optional<LogMotion> log_;
  std::vector<JointVector> errors_;
};

/// The motion of --path and --trajectory, with --hold and --angles; of a log with --topic, --max-gap, --from and --to.
/// `elsewhere`: coordinates that something else moves.
Loaded<Motion> load_motion(const Arguments& arguments, const RobotModel& robot,
                           const std::vector<std::string>& elsewhere = {});

/// The motion of --executed, of a log with --executed-topic and --max-gap; with --hold and --angles. Empty without it.
std::optional<Loaded<Motion>> load_executed(const Arguments& arguments, const RobotModel& robot);

/// A motion that was checked.
struct CheckedMotion {
  TrajectoryResult result;  ///< Segments are counted over all parts.
  Trajectory trajectory;    ///< Of several parts only the segments' times, up to where the check went.
  /// Opposite corners of a box that holds every coordinate; floating joints are left out.
  std::vector<JointVector> extremes;
};

/// check_trajectory of all parts in order. Without options.all_contacts it ends with the first part that is not free.
/// Findings cut in two by the end of a part are joined.
CheckedMotion check_motion(const PathChecker& checker, const Motion& motion, Workspace& workspace,
                           const TrajectoryOptions& options, const TrajectoryProgress& progress);

}  // namespace planner_ccd::cli
