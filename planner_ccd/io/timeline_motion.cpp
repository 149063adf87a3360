// The motion of a timeline: files played one after the other.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "planner_ccd/io/timeline_file.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/validation/limit_findings.hpp"

namespace planner_ccd {
namespace {

constexpr double kJoined = 1e-9;  // [rad], [m] Numbers of one origin, printed and read.

void require_joined(const RobotModel& robot, const TimelineFile::MotionFile& part, const Trajectory& before,
                    const Trajectory& after) {
  const JointVector end = configuration(robot, before.segments.back(), 1.0);
  const JointVector begin = configuration(robot, after.segments.front(), 0.0);
  for (Eigen::Index i = 0; i < end.size(); ++i) {
    if (std::abs(end[i] - begin[i]) <= kJoined * (1.0 + std::abs(end[i]))) continue;
    std::ostringstream text;
    text.precision(10);
    text << part.where << ": " << part.path << " begins with " << robot.coordinates()[static_cast<std::size_t>(i)].name
         << " at " << begin[i] << " where the part before ends at " << end[i]
         << "; add the way between as a part of its own, or let it begin there";
    throw InputError(text.str());
  }
}

/// A later part's own word on where the robot stands before it.
void require_start(const RobotModel& robot, const TimelineFile::MotionFile& part, const Trajectory& motion,
                   std::vector<InputWarning>& warnings) {
  TrajectoryOptions options;
  options.check_limits = false;
  for (const Finding& f : limit_findings(robot, motion, options)) {
    if (f.kind != FindingKind::StartJump) continue;
    const std::string text = part.where + ": " + part.path + ": " + f.message;
    if (f.severity == Severity::Error) throw InputError(text + "; let its start state be where the part before ends");
    warnings.push_back({WarningKind::UnknownStart, text});
  }
}

TrajectorySegment rest(const RobotModel& robot, const TrajectorySegment& last, double seconds) {
  TrajectorySegment out;
  out.t0 = last.t1;
  out.t1 = last.t1 + seconds;
  const JointVector q = configuration(robot, last, 1.0);
  for (std::size_t i = 0; i < last.value.size(); ++i) {
    out.value.emplace_back().c[0] = q[static_cast<Eigen::Index>(i)];
    out.error.push_back(last.error[i]);
  }
  return out;
}

}  // namespace

Loaded<Trajectory> load_motion_parts(const std::vector<TimelineFile::MotionFile>& parts, const RobotModel& robot,
                                     const TrajectoryFileOptions& options) {
  Loaded<Trajectory> all{{}, {}};
  std::vector<TrajectorySegment>& segments = all.value.segments;
  for (const TimelineFile::MotionFile& part : parts) {
    Loaded<Trajectory> next = load_trajectories({{part.path, ""}}, robot, options);
    all.warnings.insert(all.warnings.end(), next.warnings.begin(), next.warnings.end());
    merge(all.assumptions, next.assumptions);
    if (segments.empty()) {
      all.value.timed = next.value.timed;
      all.value.start = next.value.start;
    } else {
      require_start(robot, part, next.value, all.warnings);
      require_joined(robot, part, all.value, next.value);
    }
    if (next.value.timed != all.value.timed) {
      throw InputError(part.where + ": " + part.path + (next.value.timed ? " has times" : " has no times") +
                       ", unlike the parts before; give all of them times, or none");
    }
    if (part.wait > 0.0) {
      if (!all.value.timed) throw InputError(part.where + ": 'wait' needs files with times");
      if (segments.empty()) throw InputError(part.where + ": the first part cannot wait; let its times begin later");
    }
    // Until its first point, too, the robot stands still.
    const double pause = part.wait + (all.value.timed ? std::max(0.0, next.value.segments.front().t0) : 0.0);
    if (!segments.empty() && pause > 0.0) segments.push_back(rest(robot, segments.back(), pause));
    const double shift = segments.empty() ? 0.0 : segments.back().t1 - next.value.segments.front().t0;
    for (TrajectorySegment& segment : next.value.segments) {
      segment.t0 += shift;
      segment.t1 += shift;
      segments.push_back(std::move(segment));
    }
  }
  return all;
}

}  // namespace planner_ccd
