#include "planner_ccd/robot/robot_spec.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
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

/// A name that no robot's link has.
std::string name_of_world(const std::vector<PlacedRobot>& robots) {
  const auto taken = [&](const std::string& name) {
    return std::any_of(robots.begin(), robots.end(), [&](const PlacedRobot& robot) {
      return std::any_of(robot.spec.links.begin(), robot.spec.links.end(),
                         [&](const LinkSpec& link) { return robot.prefix + link.name == name; });
    });
  };
  std::string name = "world";
  for (int i = 2; taken(name); ++i) name = "world_" + std::to_string(i);
  return name;
}

}  // namespace

std::vector<int> robots_of(const RobotSpec& spec) {
  const int count = static_cast<int>(spec.links.size());
  std::unordered_map<std::string_view, int> index;
  for (int i = 0; i < count; ++i) index.emplace(spec.links[i].name, i);
  std::vector<int> above(spec.links.size(), -1);  // nearer and nearer to the root, as it is asked for
  for (const JointSpec& joint : spec.joints) {
    const auto parent = index.find(joint.parent), child = index.find(joint.child);
    if (parent != index.end() && child != index.end()) above[child->second] = parent->second;
  }
  const auto root_of = [&](int link) {
    for (int steps = 0; above[link] >= 0 && above[link] != link && steps < count;
         ++steps) {  // loops are refused elsewhere
      if (above[above[link]] >= 0) above[link] = above[above[link]];
      link = above[link];
    }
    return link;
  };
  std::map<std::pair<int, int>, int> number;  // by root and LinkSpec::robot
  std::vector<int> robots;
  for (int i = 0; i < count; ++i) {
    const std::pair<int, int> key{root_of(i), spec.links[i].robot};
    robots.push_back(number.try_emplace(key, static_cast<int>(number.size())).first->second);
  }
  return robots;
}

RobotSpec combine(const std::vector<PlacedRobot>& robots) {
  const std::string world = name_of_world(robots);
  RobotSpec all;
  std::unordered_set<std::string> links{world};
  std::unordered_set<std::string> joints;
  int robots_before = 1;  // the world is the first
  all.links.push_back({world, {}, {}});
  for (const PlacedRobot& robot : robots) {
    require_own_names(robot.spec);
    const std::vector<int> own_robots = robots_of(robot.spec);
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
    for (std::size_t i = 0; i < robot.spec.links.size(); ++i) {
      LinkSpec link = robot.spec.links[i];
      const bool is_root = children.count(link.name) == 0;
      link.robot = robots_before + own_robots[i];
      link.name = robot.prefix + link.name;
      if (!links.insert(link.name).second) {
        throw InputError("link '" + link.name + "' would be there twice; give the robots different prefixes");
      }
      if (is_root) {
        JointSpec base;
        base.name = link.name + "_base";
        base.type = JointType::Fixed;
        base.parent = world;
        base.child = link.name;
        base.origin = robot.base;
        if (!joints.insert(base.name).second) {
          throw InputError("joint '" + base.name + "' would be there twice; rename it in the robot's description");
        }
        all.joints.push_back(std::move(base));
      }
      all.links.push_back(std::move(link));
    }
    robots_before += static_cast<int>(robot.spec.links.size());
  }
  return all;
}

}  // namespace planner_ccd
