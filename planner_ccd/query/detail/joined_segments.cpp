#include "planner_ccd/query/detail/joined_segments.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

/// [1] Tolerance relative to the values and their stated errors: programs that make segments round like splines do.
constexpr double kJoined = 1e-9;

void require_values(const RobotModel& robot, const TrajectorySegment& segment, std::size_t i) {
  const bool usable =
      segment.value.size() == robot.coordinates().size() && segment.error.size() == segment.value.size() &&
      std::all_of(segment.value.begin(), segment.value.end(),
                  [](const Polynomial& p) { return p.degree >= 0 && p.degree <= Polynomial::kMaxDegree; });
  if (usable) return;
  throw InputError("segment " + std::to_string(i) +
                   " of the trajectory: it needs a polynomial of degree 0 to 5 and an error for each of the " +
                   std::to_string(robot.dof()) + " coordinates of robot '" + robot.name() + "'");
}

}  // namespace

void require_joined(const RobotModel& robot, const Trajectory& trajectory) {
  const std::size_t n = robot.coordinates().size();
  for (std::size_t i = 0; i < trajectory.segments.size(); ++i) require_values(robot, trajectory.segments[i], i);
  for (std::size_t i = 1; i < trajectory.segments.size(); ++i) {
    const TrajectorySegment &before = trajectory.segments[i - 1], &after = trajectory.segments[i];
    const Eigen::VectorXd end = configuration(robot, before, 1.0);
    Eigen::VectorXd begin = configuration(robot, after, 0.0);
    for (const Joint& joint : robot.joints()) {  // a quaternion and its opposite are one pose
      if (joint.type != JointType::Floating || joint.is_mimic) continue;
      auto turn = begin.segment<4>(joint.q_index + 3);
      if (turn.dot(end.segment<4>(joint.q_index + 3)) < 0.0) turn = -turn.eval();
    }
    for (std::size_t k = 0; k < n; ++k) {
      const auto at = static_cast<Eigen::Index>(k);
      const double size = 1.0 + before.value[k].abs_sum() + after.value[k].abs_sum();
      if (!(std::abs(end[at] - begin[at]) > kJoined * size + 2.0 * (before.error[k] + after.error[k]))) continue;
      std::ostringstream text;
      text << "segment " << i << " of the trajectory: " << robot.coordinates()[k].name << " begins at " << begin[at]
           << " where the segment before ends at " << end[at] << "; put a segment between them";
      throw InputError(text.str());
    }
  }
}

}  // namespace planner_ccd
