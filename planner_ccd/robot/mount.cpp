#include "planner_ccd/robot/mount.hpp"

#include <algorithm>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/spelling.hpp"
#include "planner_ccd/robot/detail/joined_specs.hpp"

namespace planner_ccd {

RobotSpec mount(const RobotSpec& robot, const MountedTool& tool) {
  const auto on = std::find_if(robot.links.begin(), robot.links.end(),
                               [&](const LinkSpec& link) { return link.name == tool.link; });
  if (on == robot.links.end()) {
    std::vector<std::string> names;
    for (const LinkSpec& link : robot.links) names.push_back(link.name);
    throw InputError("'" + tool.prefix + tool.spec.name + "' cannot be mounted: there is no link " +
                     in_quotes(tool.link) + did_you_mean(tool.link, names));
  }
  JoinedSpecs all(robot);
  all.add(tool.spec, tool.prefix, {tool.link, tool.pose}, std::vector<int>(tool.spec.links.size(), on->robot));
  return all.finish();
}

}  // namespace planner_ccd
