#pragma once

#include "planner_ccd/motion/trajectory.hpp"

namespace planner_ccd {

/// Throws InputError naming the segment and the coordinate unless every coordinate has a polynomial and every segment
/// begins where the previous one ends, up to rounding: a jump between two segments would not be checked.
[[gnu::visibility("default")]] void require_joined(const RobotModel& robot, const Trajectory& trajectory);

}  // namespace planner_ccd
