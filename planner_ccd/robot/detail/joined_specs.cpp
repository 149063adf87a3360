#include "planner_ccd/robot/detail/joined_specs.hpp"

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

JoinedSpecs::JoinedSpecs(RobotSpec first) : all_(std::move(first)) {
  for (const LinkSpec& link : all_.links) links_.insert(link.name);
  for (const JointSpec& joint : all_.joints) joints_.insert(joint.name);
}

void JoinedSpecs::add(const RobotSpec& part, const std::string& prefix, const RootPlacement& place,
                      const std::vector<int>& robots) {
  require_own_names(part);
  std::unordered_set<std::string> children;
  for (JointSpec joint : part.joints) {
    children.insert(joint.child);
    joint.name = prefix + joint.name;
    joint.parent = prefix + joint.parent;
    joint.child = prefix + joint.child;
    if (joint.mimic) joint.mimic->joint = prefix + joint.mimic->joint;
    if (!joints_.insert(joint.name).second) {
      throw InputError("joint '" + joint.name + "' would be there twice; give the robots different prefixes");
    }
    all_.joints.push_back(std::move(joint));
  }
  for (std::size_t i = 0; i < part.links.size(); ++i) {
    LinkSpec link = part.links[i];
    const bool is_root = children.count(link.name) == 0;
    link.robot = robots[i];
    link.name = prefix + link.name;
    if (!links_.insert(link.name).second) {
      throw InputError("link '" + link.name + "' would be there twice; give the robots different prefixes");
    }
    if (is_root) {
      JointSpec base;
      base.name = link.name + "_base";
      base.type = JointType::Fixed;
      base.parent = place.link;
      base.child = link.name;
      base.origin = place.pose;
      if (!joints_.insert(base.name).second) {
        throw InputError("joint '" + base.name + "' would be there twice; rename it in the robot's description");
      }
      all_.joints.push_back(std::move(base));
    }
    all_.links.push_back(std::move(link));
  }
}

}  // namespace planner_ccd
