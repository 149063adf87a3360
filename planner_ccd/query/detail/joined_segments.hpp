#pragma once

#include "planner_ccd/motion/trajectory.hpp"

namespace planner_ccd {

/// Throws InputError that names the segment and the coordinate unless there is a polynomial for every coordinate and every segment
/// begins where the one before ends, up to rounding: what lies between two segments is no part of the motion, and nobody would
/// look at it.
void require_joined(const RobotModel& robot, const Trajectory& trajectory);

}  // namespace planner_ccd
