#pragma once

#include "planner_ccd/motion/trajectory.hpp"

namespace planner_ccd {

/// A range of a segment's u; `from` == `to` is a robot at rest.
struct SegmentPart {
  const TrajectorySegment* segment;
  double from, to;
};

/// Appends value and error of coordinate i.
void append(const SegmentPart& part, std::size_t i, TrajectorySegment& out);
/// Replaces the values of a floating joint by its key frames at both ends, with straight lines between them.
void set_key_frames(const RobotModel& robot, const Joint& joint, const SegmentPart& part, TrajectorySegment& out);

/// The part as a segment of its own from t0 to t1: the same curve, to the rounding that its errors state.
[[gnu::visibility("default")]] TrajectorySegment cut(const RobotModel& robot, const SegmentPart& part, double t0,
                                                     double t1);

}  // namespace planner_ccd
