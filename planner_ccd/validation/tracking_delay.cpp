#include "planner_ccd/validation/tracking_delay.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/interval.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

void require_usable(const RobotModel& robot, const Trajectory& trajectory, double delay) {
  if (!(delay >= 0.0) || !std::isfinite(delay))
    throw InputError("the tracking delay must be a finite number of seconds >= 0");
  if (!trajectory.timed) {
    throw InputError("a tracking delay needs the times of the motion; give them, or a tracking error");
  }
  for (const Joint& joint : robot.joints()) {
    if (joint.type == JointType::Floating) {
      throw InputError("a tracking delay is not known of floating joint '" + joint.name + "'; give a tracking error");
    }
  }
}

/// [rad or m] Bounds by how much coordinate i jumps where one segment ends and the next begins (require_joined allows some).
double jump(const TrajectorySegment& before, const TrajectorySegment& after, std::size_t i) {
  const Polynomial &end = before.value[i], &begin = after.value[i];
  const double rounding = 32.0 * kUnitRoundoff * (end.abs_sum() + begin.abs_sum());
  const double jump = std::abs(begin.value(0.0) - end.value(1.0));
  return (jump + rounding + before.error[i] + after.error[i]) * kRoundUp;
}

}  // namespace

MotionErrors errors_of(const RobotModel& robot, const Trajectory& trajectory, int segment,
                       const TrajectoryOptions& options) {
  const double delay = options.tracking_delay;
  MotionErrors out = options.edge.errors;
  if (delay == 0.0 && options.segment_errors.empty()) return out;
  if (out.tracking.size() == 0) out.tracking = JointVector::Zero(robot.dof());
  if (!options.segment_errors.empty()) {
    if (options.segment_errors.size() != trajectory.segments.size()) {
      throw InputError("the motion has " + std::to_string(trajectory.segments.size()) + " segments, and errors of " +
                       std::to_string(options.segment_errors.size()));
    }
    const JointVector& here = options.segment_errors[static_cast<std::size_t>(segment)];
    if (here.size() != robot.dof() || !(here.array() >= 0.0).all()) {
      throw InputError("the errors of segment " + std::to_string(segment) +
                       " must be a number >= 0 for each coordinate of the robot");
    }
    out.tracking = (out.tracking + here) * kRoundUp;
  }
  if (delay == 0.0) return out;
  require_usable(robot, trajectory, delay);
  const auto& segments = trajectory.segments;
  const double since = segments[static_cast<std::size_t>(segment)].t0 - delay;
  JointVector fastest = JointVector::Zero(robot.dof()), jumps = fastest;
  for (int s = segment; s >= 0 && (s == segment || segments[static_cast<std::size_t>(s)].t1 >= since); --s) {
    const TrajectorySegment& part = segments[static_cast<std::size_t>(s)];
    for (int i = 0; i < robot.dof(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Polynomial& value = part.value[at];
      if (s < segment) jumps[i] += jump(part, segments[static_cast<std::size_t>(s) + 1], at);
      if (value.degree == 0) continue;
      if (!(part.duration() > 0.0)) {
        throw InputError("a tracking delay needs times that increase; those of segment " + std::to_string(s) +
                         " do not");
      }
      const double rate = value.derived().abs_bound(0.0, 1.0) / part.duration();
      fastest[i] = std::max(fastest[i], rate * kRoundUp);
    }
  }
  for (int i = 0; i < robot.dof() && i < out.tracking.size(); ++i) {
    out.tracking[i] += (delay * fastest[i] + jumps[i]) * kRoundUp;
  }
  return out;
}

}  // namespace planner_ccd
