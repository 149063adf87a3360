#include <algorithm>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/motion/segment_part.hpp"

namespace planner_ccd {
namespace {

void require_clock(const Trajectory& part, std::size_t number) {
  const std::string name = "trajectory " + std::to_string(number) + " of those to be merged";
  if (part.segments.empty()) throw InputError(name + " has no segments");
  if (!part.timed) throw InputError(name + " has no times, so there is no common clock; add a column of times");
  for (const TrajectorySegment& s : part.segments) {
    if (part.segments.size() > 1 && !(s.t0 < s.t1)) throw InputError(name + ": its times do not grow");
  }
}

/// Position of a part, on its own clock, during [t0, t1], which contains none of its knots.
SegmentPart place(const Trajectory& part, double t0, double t1) {
  const TrajectorySegment& first = part.segments.front();
  const TrajectorySegment& last = part.segments.back();
  if (t1 <= first.t0) return {&first, 0.0, 0.0};
  if (t0 >= last.t1) return {&last, 1.0, 1.0};
  const TrajectorySegment& s = part.segments[segment_at(part, t0)];
  const double T = s.duration();
  if (!(T > 0.0)) return {&s, 0.0, 0.0};
  return {&s, t0 <= s.t0 ? 0.0 : (t0 - s.t0) / T, t1 >= s.t1 ? 1.0 : (t1 - s.t0) / T};
}

/// Where each part's coordinates stand before it; empty if no part says so.
JointVector merged_start(const RobotModel& robot, const std::vector<Trajectory>& parts, const std::vector<int>& owner) {
  if (std::all_of(parts.begin(), parts.end(), [](const Trajectory& part) { return part.start.size() == 0; })) return {};
  JointVector start = robot.neutral();
  for (Eigen::Index i = 0; i < start.size(); ++i) {
    const Trajectory& part = parts.at(owner[i]);
    const JointVector first = part.start.size() > 0 ? part.start : configuration(robot, part.segments.front(), 0.0);
    start[i] = first[i];
  }
  return start;
}

}  // namespace

Trajectory merge(const RobotModel& robot, const std::vector<Trajectory>& parts, const std::vector<int>& owner) {
  if (parts.empty()) throw InputError("there are no trajectories to merge");
  std::vector<double> knots;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    require_clock(parts[i], i);
    for (const TrajectorySegment& s : parts[i].segments) {
      if (s.value.size() != owner.size() || owner.size() != robot.coordinates().size()) {
        throw InputError("trajectories to be merged need values and an owner for all coordinates");
      }
      knots.push_back(s.t0);
      knots.push_back(s.t1);
    }
  }
  std::sort(knots.begin(), knots.end());
  knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
  if (knots.size() == 1) knots.push_back(knots[0]);

  Trajectory merged;
  merged.start = merged_start(robot, parts, owner);
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    TrajectorySegment segment;
    segment.t0 = knots[k];
    segment.t1 = knots[k + 1];
    std::vector<SegmentPart> places;
    for (const Trajectory& part : parts) places.push_back(place(part, segment.t0, segment.t1));
    for (std::size_t i = 0; i < owner.size(); ++i) append(places.at(owner[i]), i, segment);
    for (const Joint& joint : robot.joints()) {
      if (joint.type != JointType::Floating || joint.is_mimic) continue;
      const SegmentPart& at = places[owner[joint.q_index]];
      set_key_frames(robot, joint, at, segment);
    }
    merged.segments.push_back(std::move(segment));
  }
  return merged;
}

}  // namespace planner_ccd
