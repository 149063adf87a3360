#include "planner_ccd/motion/segment_part.hpp"

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {

/// The ends' u are off by at most 3 roundings each: the curve slides by 4 u sum k |c_k|, which is within kRestrictedError abs_sum()
/// like the rounding of restricted() itself.
void append(const SegmentPart& part, std::size_t i, TrajectorySegment& out) {
  const Polynomial& p = part.segment->value[i];
  const double rounding = p.degree == 0 ? 0.0 : 2.0 * Polynomial::kRestrictedError * p.abs_sum();
  out.error.push_back(part.segment->error[i] + rounding);
  if (part.from == part.to) {
    Polynomial rest;
    rest.c[0] = p.value(part.from);
    out.value.push_back(rest);
  } else {
    out.value.push_back(part.from == 0.0 && part.to == 1.0 ? p : p.restricted(part.from, part.to));
  }
}

/// Turning about one axis at constant speed, a part of the turn is one too. 64 u: the slerp's rounding.
void set_key_frames(const RobotModel& robot, const Joint& joint, const SegmentPart& part, TrajectorySegment& out) {
  const JointVector from = configuration(robot, *part.segment, part.from),
                    to = configuration(robot, *part.segment, part.to);
  const bool flip = from.segment<4>(joint.q_index + 3).dot(to.segment<4>(joint.q_index + 3)) < 0.0;
  for (int k = 0; k < 7; ++k) {
    const Eigen::Index i = joint.q_index + k;
    Polynomial& line = out.value[i];
    line = {};
    line.c[0] = from[i];
    line.c[1] = (flip && k >= 3 ? -to[i] : to[i]) - from[i];
    line.degree = 1;
    out.error[i] += 64.0 * kUnitRoundoff;
  }
}

TrajectorySegment cut(const RobotModel& robot, const SegmentPart& part, double t0, double t1) {
  TrajectorySegment out;
  out.t0 = t0;
  out.t1 = t1;
  for (std::size_t i = 0; i < part.segment->value.size(); ++i) append(part, i, out);
  for (const Joint& joint : robot.joints()) {
    if (joint.type == JointType::Floating && !joint.is_mimic) set_key_frames(robot, joint, part, out);
  }
  return out;
}

}  // namespace planner_ccd
