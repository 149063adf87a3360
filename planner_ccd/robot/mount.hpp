#pragma once

#include <string>

#include "planner_ccd/robot/robot_spec.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// A tool or gripper with a description of its own, fixed on a link.
struct MountedTool {
  RobotSpec spec;
  std::string prefix;            ///< Put before the names of its links and joints.
  std::string link;              ///< Of the robot, or of a tool mounted before.
  Pose pose = Pose::Identity();  ///< X_LinkRoot
};

/// The robot with the tool, as one description with a fixed joint from `link` to the tool's root would have it: one robot, whose
/// neighbours and margins are those of one robot. Rules of the tool: `with_prefix` in io/srdf.hpp. Throws InputError for a link that is not there
/// and for names that would be there twice.
RobotSpec mount(const RobotSpec& robot, const MountedTool& tool);

}  // namespace planner_ccd
#pragma GCC visibility pop
