#include "planner_ccd/validation/moving_frame.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/spelling.hpp"

namespace planner_ccd {
namespace {

constexpr double kDoubtfulTurn = 1e-3;  // [rad] From half a turn.

std::string where(const MovingFrame& frame) {
  return frame.where.empty() ? "moving " + in_quotes(frame.name) : frame.where + ": " + in_quotes(frame.name);
}

std::string seconds(double t) {
  std::ostringstream out;
  out << t << " s";
  return out.str();
}

void require_name(const RobotSpec& robot, const MovingFrame& frame) {
  if (frame.name.empty()) throw InputError(where(frame) + ": a moving frame needs a name");
  for (const std::string& name : {frame.name, frame.name + "/base"}) {
    const auto has_it = [&](const auto& named) { return named.name == name; };
    if (std::any_of(robot.links.begin(), robot.links.end(), has_it) ||
        std::any_of(robot.joints.begin(), robot.joints.end(), has_it)) {
      throw InputError(where(frame) + ": the robot has a link or joint " + in_quotes(name) +
                       "; give the frame another name");
    }
  }
}

void require_times(const MovingFrame& frame) {
  if (frame.times.empty()) throw InputError(where(frame) + ": it has no key frames");
  for (std::size_t i = 0; i < frame.times.size(); ++i) {
    if (!std::isfinite(frame.times[i])) throw InputError(where(frame) + ": a time is not finite");
    if (i == 0 || frame.times[i - 1] < frame.times[i]) continue;
    throw InputError(where(frame) + ": the key frame at " + seconds(frame.times[i]) + " is not later than that at " +
                     seconds(frame.times[i - 1]) + "; list them in the order of time, each time once");
  }
  const bool turns_freely = frame.type == JointType::Floating;
  if (!turns_freely && frame.type != JointType::Revolute && frame.type != JointType::Prismatic) {
    throw InputError(where(frame) + ": a frame moves by poses, or along or about an axis");
  }
  const std::size_t count = turns_freely ? frame.poses.size() : frame.values.size();
  if (count != frame.times.size()) {
    throw InputError(where(frame) + ": " + std::to_string(frame.times.size()) + " times and " + std::to_string(count) +
                     (turns_freely ? " poses" : " values"));
  }
}

/// At half a turn both ways are equally short; more than that would be taken for less.
void require_certain_turns(const MovingFrame& frame) {
  for (std::size_t i = 1; i < frame.poses.size(); ++i) {
    const Eigen::Quaterniond from(frame.poses[i - 1].linear()), to(frame.poses[i].linear());
    if (from.angularDistance(to) < std::numbers::pi - kDoubtfulTurn) continue;
    throw InputError(where(frame) + ": from " + seconds(frame.times[i - 1]) + " to " + seconds(frame.times[i]) +
                     " it turns by half a turn, which has two ways; put a key frame between");
  }
}

JointSpec joint_of(const MovingFrame& frame) {
  JointSpec joint;
  joint.name = frame.name;
  joint.type = frame.type;
  joint.parent = frame.name + "/base";
  joint.child = frame.name;
  joint.by_clock = true;
  joint.carries = frame.carries;
  if (frame.type == JointType::Floating) return joint;
  joint.origin = rigid(frame.origin, where(frame));
  if (!frame.axis.allFinite() || !(frame.axis.norm() > 0.0)) throw InputError(where(frame) + ": the axis is zero");
  joint.axis = frame.axis;
  // Limits that no key frame reaches: without any, whole turns would count as none.
  const auto [least, most] = std::minmax_element(frame.values.begin(), frame.values.end());
  joint.lower = *least - 1.0;
  joint.upper = *most + 1.0;
  return joint;
}

const Joint& find_joint(const RobotModel& robot, const MovingFrame& frame) {
  const auto joint =
      std::find_if(robot.joints().begin(), robot.joints().end(), [&](const Joint& j) { return j.name == frame.name; });
  if (joint != robot.joints().end() && joint->type == frame.type) return *joint;
  throw InputError(where(frame) +
                   ": the robot has no such frame; make it by with_moving_frames (Python: timeline.robot(robot))");
}

/// A configuration of the whole robot with the frame where it is at key frame i.
JointVector at_key_frame(const RobotModel& robot, const MovingFrame& frame, std::size_t i) {
  const Joint& joint = find_joint(robot, frame);
  JointVector q = robot.neutral();
  if (frame.type != JointType::Floating) {
    q[joint.q_index] = frame.values[i];
    return q;
  }
  const Pose pose = rigid(frame.poses[i], where(frame));
  q.segment<3>(joint.q_index) = pose.translation();
  q.segment<4>(joint.q_index + 3) = Eigen::Quaterniond(pose.linear()).coeffs();
  return q;
}

void require_cover(const MovingFrame& frame, double begin, double end) {
  if (frame.times.front() <= begin && frame.times.back() >= end) return;
  throw InputError(where(frame) + ": its key frames go from " + seconds(frame.times.front()) + " to " +
                   seconds(frame.times.back()) + ", and the motion from " + seconds(begin) + " to " + seconds(end) +
                   "; say where it is all that time, with a key frame at the first and at the last instant");
}

/// The motion with the coordinates of the frames, which come last, at rest.
Trajectory widened(const RobotModel& robot, const Trajectory& motion, const std::vector<MovingFrame>& frames) {
  const JointVector rest = robot.neutral();
  std::size_t own = robot.coordinates().size();
  for (const MovingFrame& frame : frames) own -= static_cast<std::size_t>(find_joint(robot, frame).q_size);
  Trajectory wide = motion;
  if (motion.start.size() > 0) {
    wide.start = rest;
    wide.start.head(motion.start.size()) = motion.start;
  }
  for (TrajectorySegment& segment : wide.segments) {
    if (segment.value.size() != own || segment.error.size() != own) {
      throw InputError("the motion to be joined by moving frames must have the robot's own " + std::to_string(own) +
                       " coordinates");
    }
    for (std::size_t i = segment.value.size(); i < robot.coordinates().size(); ++i) {
      segment.value.emplace_back().c[0] = rest[static_cast<Eigen::Index>(i)];
      segment.error.push_back(0.0);
    }
  }
  return wide;
}

}  // namespace

RobotSpec with_moving_frames(RobotSpec robot, const std::vector<MovingFrame>& frames) {
  for (const MovingFrame& frame : frames) {
    require_name(robot, frame);
    require_times(frame);
    for (const Pose& pose : frame.poses) validate(pose, where(frame));
    require_certain_turns(frame);
    robot.links.push_back({frame.name + "/base", {}, {}});
    robot.links.push_back({frame.name, {}, {}});
    robot.joints.push_back(joint_of(frame));
  }
  return robot;
}

Trajectory with_moving_frames(const RobotModel& robot, const Trajectory& motion,
                              const std::vector<MovingFrame>& frames) {
  if (frames.empty()) return motion;
  if (motion.segments.empty()) throw InputError("the trajectory has no segments");
  if (!motion.timed) {
    throw InputError(where(frames[0]) +
                     ": the robot's motion has no times, and so nothing else can move with it; add a column of times");
  }
  const double begin = motion.segments.front().t0, end = motion.segments.back().t1;
  if (!(begin < end)) {
    throw InputError(where(frames[0]) +
                     ": the robot's motion takes no time; let its last waypoint be there again later");
  }
  std::vector<Trajectory> parts = {widened(robot, motion, frames)};
  std::vector<int> owner(robot.coordinates().size(), 0);
  for (const MovingFrame& frame : frames) {
    require_cover(frame, begin, end);
    std::vector<TrajectoryPoint> points;
    for (std::size_t i = 0; i < frame.times.size(); ++i) {
      points.push_back({frame.times[i], at_key_frame(robot, frame, i), {}, {}});
    }
    for (std::size_t i = 0; i < owner.size(); ++i) {
      const Joint& joint = robot.joints()[static_cast<std::size_t>(robot.coordinates()[i].joint)];
      if (joint.name == frame.name) owner[i] = static_cast<int>(parts.size());
    }
    parts.push_back(make_trajectory(robot, points));
  }
  Trajectory all = merge(robot, parts, owner);
  std::erase_if(all.segments, [&](const TrajectorySegment& s) { return s.t1 <= begin || s.t0 >= end; });
  return all;
}

}  // namespace planner_ccd
