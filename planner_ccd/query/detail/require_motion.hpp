#pragma once

#include <string>
#include <vector>

#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/query/path_checker.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Throws InputError for a robot with joints that move by the clock: to a query of configurations they would stand still.
void require_no_clock(const RobotModel& robot);

/// Throws InputError for a motion without times of such a robot.
void require_clock(const RobotModel& robot, const Trajectory& motion);

/// The objects that the robot's joints carry and that nothing holds in this scene. `before`, if given: those of the scene before; what was
/// held there has been put down since.
std::vector<std::string> left_behind(const RobotModel& robot, const Scene& scene,
                                     const std::vector<std::string>* before);

/// Throws InputError for objects that were left behind: to a query of a motion they would stand still.
void require_carried(const std::vector<std::string>& left_behind);

/// Throws InputError naming the segment and the coordinate unless every coordinate has a polynomial and every segment
/// begins where the previous one ends, up to rounding: a jump between two segments would not be checked.
void require_joined(const RobotModel& robot, const Trajectory& trajectory);

/// Throws InputError for a motion of which this checker cannot tell anything: without times for joints that move by the clock, in a scene
/// where what they carry was left behind, or in pieces (require_joined).
void require_motion(const PathChecker& checker, const Trajectory& motion);

}  // namespace planner_ccd
#pragma GCC visibility pop
