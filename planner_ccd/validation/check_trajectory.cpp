#include "planner_ccd/validation/check_trajectory.hpp"

#include <algorithm>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/float_environment.hpp"
#include "planner_ccd/query/detail/require_motion.hpp"
#include "planner_ccd/validation/contact_intervals.hpp"
#include "planner_ccd/validation/describe_finding.hpp"
#include "planner_ccd/validation/detail/joined_reports.hpp"
#include "planner_ccd/validation/limit_findings.hpp"
#include "planner_ccd/validation/path_clearance.hpp"
#include "planner_ccd/validation/tracking_delay.hpp"

namespace planner_ccd {
namespace {

/// One run: the trajectory, the options, and the results so far.
class TrajectoryCheck {
 public:
  TrajectoryCheck(const PathChecker& checker, const Trajectory& trajectory, Workspace& workspace,
                  const TrajectoryOptions& options, const TrajectoryProgress& progress)
      : checker_(checker), trajectory_(trajectory), workspace_(workspace), options_(options), progress_(progress) {
    const auto count = static_cast<int>(trajectory.segments.size());
    report_.segments = is_at_rest(trajectory) ? 0 : count;
    total_ = count * (options.all_contacts ? 2 : 1);
  }

  TrajectoryResult run() {
    report_.findings = limit_findings(checker_.robot(), trajectory_, options_);
    if (find_first()) {
      if (options_.all_contacts && report_.segment >= 0) find_all();
      add_clearance(checker_, trajectory_, options_, report_, progress_);
    }
    sort_by_time(report_.findings);
    return std::move(report_);
  }

 private:
  const PathChecker& checker_;
  const Trajectory& trajectory_;
  Workspace& workspace_;
  const TrajectoryOptions& options_;
  const TrajectoryProgress& progress_;
  TrajectoryResult report_;
  int total_ = 0;

  double clock(int segment, double u) const {
    const TrajectorySegment& s = trajectory_.segments[static_cast<std::size_t>(segment)];
    return s.t0 + u * s.duration();
  }

  void undecided(int segment, double u, const std::string& why) {
    Finding f;
    f.segment = segment;
    f.begin = {clock(segment, u), clock(segment, u)};
    f.has_end = false;
    f.message = why;
    report_.findings.push_back(std::move(f));
    report_.verdict = Verdict::Undecided;
  }

  /// Up to the first segment that is not free. False when the caller cancelled.
  bool find_first() {
    const int count = static_cast<int>(trajectory_.segments.size());
    for (int i = 0; i < count; ++i) {
      report_.segment = i;
      if (progress_ && !progress_(i, total_)) {
        report_.edge = {};
        undecided(i, 0.0, "the check was ended");
        return false;
      }
      EdgeOptions edge = options_.edge;
      edge.errors = errors_of(checker_.robot(), trajectory_, i, options_);
      report_.edge = checker_.first_contact(trajectory_.segments[static_cast<std::size_t>(i)], workspace_, edge);
      report_.counters += report_.edge.counters;
      report_.verdict = report_.edge.verdict;
      if (report_.verdict == Verdict::Undecided) {
        if (!options_.all_contacts) undecided(i, report_.edge.t_free, unsettled(report_.edge.undecided_pair));
        return true;
      }
      if (report_.verdict == Verdict::Contact) {
        if (!options_.all_contacts) add_first_contact(i);
        return true;
      }
    }
    report_.segment = -1;
    report_.nothing_checked = report_.edge.nothing_checked;
    return true;
  }

  void add_first_contact(int segment) {
    const Contact& contact = *report_.edge.contact;
    Finding f;
    f.kind = segment == 0 && contact.t == 0.0 ? FindingKind::ContactAtStart : FindingKind::Contact;
    f.segment = segment;
    f.begin = {clock(segment, report_.edge.t_free), clock(segment, contact.t)};
    f.has_end = false;
    f.contact = contact;
    if (contact.margin > 0.0 || contact.error > 0.0) {
      ContactIntervals intervals(checker_, trajectory_, options_);
      intervals.describe(segment, f);
      report_.counters += intervals.counters();
    } else {
      describe_finding(f, 0.0, f.begin.to, options_.edge.tolerance);
    }
    report_.findings.push_back(std::move(f));
  }

  /// Everything before the first segment that is not free is proved; from there on, finds every contact of every pair.
  void find_all() {
    const int count = static_cast<int>(trajectory_.segments.size());
    ContactIntervals intervals(checker_, trajectory_, options_);
    for (int i = report_.segment; i < count; ++i) {
      if (progress_ && !progress_(count + i, total_)) {
        undecided(i, 0.0, "the check was ended");
        break;
      }
      intervals.advance(i, report_.findings);
    }
    intervals.finish(report_.findings);
    report_.counters += intervals.counters();
    // The verdict is that of the whole segment. Shorter intervals, or one pair's own budget, may prove more.
    const bool is_reported = std::any_of(report_.findings.begin(), report_.findings.end(), [](const Finding& f) {
      return f.contact.has_value() || f.kind == FindingKind::Undecided;
    });
    if (is_reported) return;
    if (report_.verdict == Verdict::Contact) return add_first_contact(report_.segment);
    undecided(report_.segment, report_.edge.t_free, unsettled(report_.edge.undecided_pair));
  }
};

}  // namespace

bool TrajectoryResult::has_errors() const {
  return std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.severity == Severity::Error; });
}

MotionLimits motion_limits(const RobotModel& robot) {
  MotionLimits limits;
  for (const Coordinate& c : robot.coordinates()) {
    limits.velocity.push_back(c.max_velocity);
    limits.acceleration.push_back(std::numeric_limits<double>::infinity());
    limits.lower.push_back(c.lower);
    limits.upper.push_back(c.upper);
    limits.jerk.push_back(std::numeric_limits<double>::infinity());
  }
  return limits;
}

TrajectoryResult check_trajectory(const PathChecker& checker, const Trajectory& trajectory, Workspace& workspace,
                                  const TrajectoryOptions& options, const TrajectoryProgress& progress) {
  require_clock(checker.robot(), trajectory);
  return check_part(checker, trajectory, workspace, options, progress);
}

TrajectoryResult check_part(const PathChecker& checker, const Trajectory& trajectory, Workspace& workspace,
                            const TrajectoryOptions& options, const TrajectoryProgress& progress) {
  if (trajectory.segments.empty()) throw InputError("the trajectory has no segments");
  require_ieee_arithmetic();
  require_joined(checker.robot(), trajectory);
  return TrajectoryCheck(checker, trajectory, workspace, options, progress).run();
}

}  // namespace planner_ccd
