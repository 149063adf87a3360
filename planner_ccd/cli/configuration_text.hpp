#pragma once

#include <Eigen/Core>
#include <string>

#include "planner_ccd/cli/robots.hpp"

namespace planner_ccd::cli {

/// The configuration that the value of `--start` or `--goal` means: "joint1=0.5,joint2=-1,..." with every coordinate
/// once; "0.5,-1,..." in the order of the coordinates; the name of a state in the SRDF; or the name of a path file, of
/// which the first row is meant, or the last. Throws InputError that names the option.
JointVector parse_configuration(const std::string& option, const std::string& text, const RobotModel& robot,
                                const Srdf& srdf, bool last_row);

}  // namespace planner_ccd::cli
