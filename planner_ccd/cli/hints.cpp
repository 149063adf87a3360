#include "planner_ccd/cli/hints.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace planner_ccd::cli {
namespace {

/// True if angles of a path exceed their limits, or joints without limits turn all around, and all would be within limits
/// if they were degrees.
bool looks_like_degrees(const RobotModel& robot, const std::vector<JointVector>& ends, const TrajectoryResult& result) {
  const bool beyond = std::any_of(result.findings.begin(), result.findings.end(), [](const Finding& f) {
    return f.kind == FindingKind::JointLimit || f.kind == FindingKind::FullTurn;
  });
  if (!beyond) return false;
  constexpr double kDegree = std::numbers::pi / 180.0;
  bool large = false;
  for (int i = 0; i < robot.dof(); ++i) {
    const Coordinate& c = robot.coordinates()[static_cast<std::size_t>(i)];
    const JointType type = robot.joints()[static_cast<std::size_t>(c.joint)].type;
    if (type != JointType::Revolute && type != JointType::Continuous) continue;
    large = large || std::max(std::abs(ends[0][i]), std::abs(ends[1][i])) > 2.0 * std::numbers::pi;
    if (ends[0][i] * kDegree < c.lower || ends[1][i] * kDegree > c.upper) return false;
  }
  return large;
}

}  // namespace

std::string srdf_hint(const Arguments& arguments, const RobotModel& robot, const Contact& contact) {
  const int a = robot.find_link(contact.a), b = robot.find_link(contact.b);
  if (arguments.has("srdf") || a < 0 || b < 0) return {};
  const auto robot_of = [&](int link) { return robot.links()[static_cast<std::size_t>(link)].robot; };
  if (robot_of(a) != robot_of(b)) return {};
  return contact.a + " and " + contact.b +
         " are parts of one robot, and no --srdf says which of these may touch; planner_ccd inspect ROBOT.urdf "
         "--suggest "
         "--write-srdf FILE.srdf writes one";
}

std::vector<InputWarning> doubts(const RobotModel& robot, const std::vector<JointVector>& extremes,
                                 const TrajectoryResult& result) {
  if (!looks_like_degrees(robot, extremes, result)) return {};
  return {{WarningKind::Degrees,
           "the angles look like degrees: as such they would all keep their limits; files are in radians"}};
}

}  // namespace planner_ccd::cli
