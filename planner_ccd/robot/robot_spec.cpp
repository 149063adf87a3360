#include "planner_ccd/robot/robot_spec.hpp"

#include <unordered_set>

#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

/// A prefix may make a name that another robot has: the links that a joint names must belong to its own robot.
void require_own_names(const RobotSpec& robot) {
  std::unordered_set<std::string> links, joints;
  for (const LinkSpec& link : robot.links) links.insert(link.name);
  for (const JointSpec& joint : robot.joints) joints.insert(joint.name);
  for (const JointSpec& joint : robot.joints) {
    const std::string where = "robot '" + robot.name + "', joint '" + joint.name + "'";
    for (const std::string& link : {joint.parent, joint.child}) {
      if (links.count(link) == 0) throw InputError(where + ": link '" + link + "' does not exist");
    }
    if (joint.mimic && joints.count(joint.mimic->joint) == 0) {
      throw InputError(where + " mimics joint '" + joint.mimic->joint + "', which does not exist");
    }
  }
}

}  // namespace

RobotSpec combine(const std::vector<PlacedRobot>& robots) {
  constexpr const char* kWorld = "world";
  RobotSpec all;
  std::unordered_set<std::string> links{kWorld};
  std::unordered_set<std::string> joints;
  all.links.push_back({kWorld, {}, {}});
  for (const PlacedRobot& robot : robots) {
    require_own_names(robot.spec);
    all.name += (all.name.empty() ? "" : "+") + robot.prefix + robot.spec.name;
    std::unordered_set<std::string> children;
    for (JointSpec joint : robot.spec.joints) {
      children.insert(joint.child);
      joint.name = robot.prefix + joint.name;
      joint.parent = robot.prefix + joint.parent;
      joint.child = robot.prefix + joint.child;
      if (joint.mimic) joint.mimic->joint = robot.prefix + joint.mimic->joint;
      if (!joints.insert(joint.name).second) {
        throw InputError("joint '" + joint.name + "' would be there twice; give the robots different prefixes");
      }
      all.joints.push_back(std::move(joint));
    }
    for (LinkSpec link : robot.spec.links) {
      const bool is_root = children.count(link.name) == 0;
      link.name = robot.prefix + link.name;
      if (!links.insert(link.name).second) {
        throw InputError("link '" + link.name + "' would be there twice; give the robots different prefixes");
      }
      if (is_root) {
        JointSpec base;
        base.name = link.name + "_base";
        base.type = JointType::Fixed;
        base.parent = kWorld;
        base.child = link.name;
        base.origin = robot.base;
        if (!joints.insert(base.name).second) {
          throw InputError("joint '" + base.name + "' would be there twice; rename it in the robot's description");
        }
        all.joints.push_back(std::move(base));
      }
      all.links.push_back(std::move(link));
    }
  }
  return all;
}

}  // namespace planner_ccd
