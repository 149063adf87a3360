#include "planner_ccd/query/detail/require_motion.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/spelling.hpp"
#include "planner_ccd/query/detail/checker_snapshot.hpp"

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

void require_no_clock(const RobotModel& robot) {
  if (robot.clock_joint().empty()) return;
  throw InputError(
      "the robot's joint " + in_quotes(robot.clock_joint()) +
      " moves by the clock of a timeline, and configurations do not say when: it would stand still; check a motion "
      "with "
      "times (check_timeline, in Python check_trajectory with timeline=...), or make the checker of the robot without "
      "what moves by itself");
}

void require_clock(const RobotModel& robot, const Trajectory& motion) {
  if (robot.clock_joint().empty() || motion.timed) return;
  throw InputError("the robot's joint " + in_quotes(robot.clock_joint()) +
                   " moves by the clock of a timeline, and the motion has no times; give it times");
}

std::vector<std::string> left_behind(const RobotModel& robot, const Scene& scene,
                                     const std::vector<std::string>* before) {
  std::vector<std::string> names;
  for (const std::string& name : robot.carried()) {
    const bool held = std::any_of(scene.attached.begin(), scene.attached.end(),
                                  [&](const AttachedObject& a) { return a.object.name == name; });
    if (held || (before != nullptr && std::find(before->begin(), before->end(), name) == before->end())) continue;
    names.push_back(name);
  }
  return names;
}

void require_carried(const std::vector<std::string>& left_behind) {
  if (left_behind.empty()) return;
  throw InputError(
      "object " + in_quotes(left_behind[0]) +
      ": something that moves by itself carries it, and in this scene nothing does: it would stand still; check it "
      "with its "
      "timeline (check_timeline of a scene made by with_carried, in Python check_trajectory with timeline=...)");
}

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

void require_motion(const PathChecker& checker, const Trajectory& motion) {
  require_clock(checker.robot(), motion);
  require_carried(snapshot_of(checker).left_behind());
  require_joined(checker.robot(), motion);
}

}  // namespace planner_ccd
