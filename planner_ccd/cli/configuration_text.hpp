#pragma once

#include <Eigen/Core>
#include <string>

#include "planner_ccd/cli/robots.hpp"

namespace planner_ccd::cli {

/// All coordinates unknown: NaN.
JointVector unknown_configuration(const RobotModel& robot);

/// The configuration given as the value of `--start` or `--goal`: "joint1=0.5,joint2=-1,..."; "0.5,-1,..." in the order
/// of the coordinates; the name of a state in the SRDF, of `group` unless that is empty; or the name of a path file, of
/// which the first or last row is used. Other coordinates are taken from `base`. Throws InputError naming the option,
/// also for coordinates that are unknown in `base` too.
JointVector parse_configuration(const std::string& option, const std::string& text, const RobotModel& robot,
                                const Srdf& srdf, const std::string& group, const JointVectorRef& base, bool last_row);

}  // namespace planner_ccd::cli
