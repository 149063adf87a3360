#pragma once

#include <Eigen/Core>
#include <string>

#include "planner_ccd/cli/robots.hpp"

namespace planner_ccd::cli {

/// Nothing is known of any coordinate: NaN.
JointVector unknown_configuration(const RobotModel& robot);

/// The configuration that the value of `--start` or `--goal` means: "joint1=0.5,joint2=-1,..."; "0.5,-1,..." in the order of the
/// coordinates; the name of a state in the SRDF, of `group` unless that is empty; or the name of a path file, of which the first row is
/// meant, or the last. Coordinates that it does not speak of are those of `base`. Throws InputError that names the option, also
/// for coordinates that are unknown there too.
JointVector parse_configuration(const std::string& option, const std::string& text, const RobotModel& robot,
                                const Srdf& srdf, const std::string& group, const JointVectorRef& base, bool last_row);

}  // namespace planner_ccd::cli
