#pragma once

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/cli/robots.hpp"
#include "planner_ccd/motion/motion_errors.hpp"

namespace planner_ccd::cli {

/// From --tracking-error and --base-error. Throws InputError naming the option for unknown joints and prefixes, what is no
/// number, and errors that are negative or too large.
MotionErrors motion_errors(const Arguments& arguments, const LoadedRobot& robot);

}  // namespace planner_ccd::cli
