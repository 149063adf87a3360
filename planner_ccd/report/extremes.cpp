#include <algorithm>
#include <limits>

#include "planner_ccd/math/interval.hpp"
#include "planner_ccd/report/report.hpp"

namespace planner_ccd {

std::vector<JointVector> extremes(const RobotModel& robot, const Trajectory& trajectory) {
  const auto n = static_cast<Eigen::Index>(trajectory.segments.front().value.size());
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  JointVector lower = JointVector::Constant(n, kInfinity), upper = -lower;
  for (const TrajectorySegment& segment : trajectory.segments) {
    for (Eigen::Index i = 0; i < n; ++i) {
      const Polynomial& p = segment.value[static_cast<std::size_t>(i)];
      const double from = p.value(0.0), to = p.value(1.0);
      const Interval range = p.degree > 1 ? p.range(0.0, 1.0) : Interval(std::min(from, to), std::max(from, to));
      lower[i] = std::min(lower[i], range.lo);
      upper[i] = std::max(upper[i], range.hi);
    }
  }
  for (const Joint& joint : robot.joints()) {  // the entries of a quaternion do not form a box
    if (joint.type != JointType::Floating || joint.is_mimic) continue;
    lower.segment<7>(joint.q_index) = upper.segment<7>(joint.q_index) =
        configuration(robot, trajectory.segments.front(), 0.0).segment<7>(joint.q_index);
  }
  return {lower, upper};
}

}  // namespace planner_ccd
