#include "planner_ccd/query/detail/clock_joints.hpp"

#include <algorithm>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/spelling.hpp"
#include "planner_ccd/query/detail/checker_snapshot.hpp"
#include "planner_ccd/query/detail/joined_segments.hpp"

namespace planner_ccd {

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

void require_motion(const PathChecker& checker, const Trajectory& motion) {
  require_clock(checker.robot(), motion);
  require_carried(snapshot_of(checker).left_behind());
  require_joined(checker.robot(), motion);
}

}  // namespace planner_ccd
