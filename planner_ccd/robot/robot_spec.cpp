#include "planner_ccd/robot/robot_spec.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

#include "planner_ccd/robot/detail/joined_specs.hpp"

namespace planner_ccd {
namespace {

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
  std::vector<int> above(spec.links.size(), -1);  // towards the root, shortened on use
  for (const JointSpec& joint : spec.joints) {
    const auto parent = index.find(joint.parent), child = index.find(joint.child);
    if (parent != index.end() && child != index.end()) above[child->second] = parent->second;
  }
  const auto root_of = [&](int link) {
    for (int steps = 0; above[link] >= 0 && above[link] != link && steps < count;
         ++steps) {  // loops are rejected elsewhere
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
  RobotSpec first;
  first.links.push_back({world, {}, {}});
  for (const PlacedRobot& robot : robots)
    first.name += (first.name.empty() ? "" : "+") + robot.prefix + robot.spec.name;
  JoinedSpecs all(std::move(first));
  int robots_before = 1;  // the world is the first
  for (const PlacedRobot& robot : robots) {
    std::vector<int> numbers = robots_of(robot.spec);
    for (int& number : numbers) number += robots_before;
    all.add(robot.spec, robot.prefix, {world, robot.base}, numbers);
    robots_before += static_cast<int>(robot.spec.links.size());
  }
  return all.finish();
}

}  // namespace planner_ccd
