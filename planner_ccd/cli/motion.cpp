#include "planner_ccd/cli/motion.hpp"

#include <algorithm>

#include "planner_ccd/cli/check_trajectory_options.hpp"
#include "planner_ccd/cli/robots.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd::cli {
namespace {

Loaded<Motion> load_logged(const Arguments& arguments, const RobotModel& robot, const TrajectorySource& source,
                           const TrajectoryFileOptions& common) {
  LogOptions options;
  options.topic = arguments.text("topic").value_or("");
  options.max_gap = arguments.number("max-gap").value_or(options.max_gap);
  if (!(options.max_gap > 0.0)) throw InputError("--max-gap must be greater than 0 (seconds)");
  options.from = arguments.number("from").value_or(options.from);
  options.to = arguments.number("to").value_or(options.to);
  if (!(options.from <= options.to)) throw InputError("--from must not be later than --to");
  options.prefix = source.prefix;
  options.hold = common.hold;
  options.angles = common.angles;
  if (arguments.has("delay")) throw InputError("--delay: a log has its own clock, and so cannot begin later");
  Loaded<LogMotion> log = load_log(source.path, robot, options);
  return {Motion(std::move(log.value)), std::move(log.warnings), std::move(log.assumptions)};
}

bool is_contact(const Finding& f) {
  return f.kind == FindingKind::Contact || f.kind == FindingKind::ContactAtStart ||
         f.kind == FindingKind::ContactAtEnd || f.kind == FindingKind::Margin;
}

/// Whether two findings are of the same kind and concern the same things.
bool alike(const Finding& a, const Finding& b) {
  if (is_contact(a) && is_contact(b)) return a.contact->a == b.contact->a && a.contact->b == b.contact->b;
  return a.kind == b.kind && a.coordinate >= 0 && a.coordinate == b.coordinate && a.limit == b.limit;
}

/// Joins a finding's second half to it, keeping the worse values.
void join(Finding& f, const Finding& rest) {
  f.end = rest.end;
  f.has_end = rest.has_end;
  if (rest.depth && (!f.depth || rest.depth->depth > f.depth->depth)) f.depth = rest.depth;
  if (is_contact(f)) {
    const bool at_end = rest.kind == FindingKind::ContactAtEnd;
    const bool met = f.kind != FindingKind::Margin || rest.kind != FindingKind::Margin;
    if (rest.kind == FindingKind::Margin ? f.kind == FindingKind::Margin && rest.value < f.value
                                         : f.kind == FindingKind::Margin) {
      f.message = rest.message;
      f.value = rest.value;
      f.at = rest.at;
    }
    if (met && f.kind != FindingKind::ContactAtStart) {
      f.kind = at_end ? FindingKind::ContactAtEnd : FindingKind::Contact;
    }
    return;
  }
  if (f.limit > 0.0 ? rest.value > f.value : rest.value < f.value) {
    f.value = rest.value;
    f.at = rest.at;
    f.message = rest.message;
  }
}

/// Joins the reports of parts.
class Gatherer {
 public:
  Gatherer(const Motion& motion, CheckedMotion& all) : in_one_(motion.log() && motion.log()->sampled()), all_(all) {}

  void add(const RobotModel& robot, const Trajectory& part, PathReport&& report) {
    PathReport& result = all_.result;
    const auto offset = static_cast<int>(all_.trajectory.segments.size());
    const bool first = offset == 0;
    if (first || rank(report.verdict) > rank(result.verdict)) {
      result.verdict = report.verdict;
      result.segment = report.segment < 0 ? -1 : report.segment + offset;
      result.edge = report.edge;
    }
    result.segments += report.segments;
    result.counters += report.counters;
    const double begin = part.segments.front().t0;
    for (Finding& f : report.findings) {
      f.segment += offset;
      if (in_one_ && !first && f.begin.to == begin && joined(f)) continue;
      if (in_one_ && !first && f.kind == FindingKind::ContactAtStart) f.kind = FindingKind::Contact;
      result.findings.push_back(std::move(f));
    }
    all_.trajectory.timed = part.timed;
    for (const TrajectorySegment& segment : part.segments) {
      all_.trajectory.segments.push_back({segment.t0, segment.t1, {}, {}});
    }
    widen(extremes(robot, part));
  }

 private:
  bool in_one_;  ///< The parts form one continuous motion.
  CheckedMotion& all_;

  static int rank(Verdict verdict) { return verdict == Verdict::Contact ? 2 : verdict == Verdict::Undecided ? 1 : 0; }

  bool joined(const Finding& f) {
    for (Finding& before : all_.result.findings) {
      if (!before.has_end || before.end.to != f.begin.to || !alike(before, f)) continue;
      join(before, f);
      return true;
    }
    return false;
  }

  void widen(const std::vector<JointVector>& ends) {
    if (all_.extremes.empty()) {
      all_.extremes = ends;
      return;
    }
    all_.extremes[0] = all_.extremes[0].cwiseMin(ends[0]);
    all_.extremes[1] = all_.extremes[1].cwiseMax(ends[1]);
  }
};

/// Adds gaps of the log, also beyond a contact that ended the check; a contact that a part's end cut off did not last
/// to the motion's end.
void finish(const Motion& motion, CheckedMotion& all) {
  if (!motion.log()) return;
  std::vector<Finding>& findings = all.result.findings;
  const double end = all.trajectory.segments.back().t1;
  for (Finding& f : findings) {
    if (motion.log()->sampled() && f.kind == FindingKind::ContactAtEnd && f.end.to < end) f.kind = FindingKind::Contact;
  }
  for (const Finding& gap : motion.log()->gaps()) findings.push_back(gap);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& x, const Finding& y) { return x.begin.to < y.begin.to; });
}

}  // namespace

const Trajectory& Motion::whole(const char* what) const {
  if (whole_) return *whole_;
  throw InputError(std::string(what) + " is for one trajectory, and " + log_->topic() + " holds " +
                   std::to_string(log_->parts()) + (log_->sampled() ? " stretches of some minutes" : " of them") +
                   "; choose a time (--from, --to)");
}

Loaded<Motion> load_motion(const Arguments& arguments, const RobotModel& robot) {
  const std::vector<TrajectorySource> sources = trajectory_sources(arguments);
  const TrajectoryFileOptions options = trajectory_file_options(arguments);
  for (const TrajectorySource& source : sources) {
    if (!is_log(source.path)) continue;
    if (sources.size() > 1) throw InputError(source.path + ": a log is checked alone, without other files of motions");
    return load_logged(arguments, robot, source, options);
  }
  for (const char* option : {"topic", "max-gap", "from", "to"}) {
    if (!arguments.has(option)) continue;
    throw InputError("--" + std::string(option) + " is for logs, and " + sources[0].path + " is none");
  }
  Loaded<Trajectory> file = load_trajectories(sources, robot, options);
  return {Motion(std::move(file.value)), std::move(file.warnings), std::move(file.assumptions)};
}

CheckedMotion check_motion(const PathChecker& checker, const Motion& motion, Workspace& workspace,
                           const TrajectoryOptions& options, const TrajectoryProgress& progress) {
  CheckedMotion all;
  const int rounds = options.all_contacts ? 2 : 1;
  const int total = static_cast<int>(motion.segments()) * rounds;
  Gatherer gatherer(motion, all);
  motion.for_each_part([&](const Trajectory& part) {
    const int before = static_cast<int>(all.trajectory.segments.size()) * rounds;
    PathReport report = check_trajectory(checker, part, workspace, options,
                                         [&](int done, int) { return !progress || progress(before + done, total); });
    const bool free = report.verdict == Verdict::Free;
    gatherer.add(checker.robot(), part, std::move(report));
    return free || options.all_contacts;
  });
  if (motion.parts() == 1) all.trajectory = motion.whole("");
  finish(motion, all);
  return all;
}

}  // namespace planner_ccd::cli
