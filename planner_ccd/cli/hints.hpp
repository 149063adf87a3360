#pragma once

#include <string>
#include <vector>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/query/check_trajectory.hpp"

namespace planner_ccd::cli {

/// Advice for a contact of two links of one robot without an SRDF; empty for any other.
std::string srdf_hint(const Arguments& arguments, const RobotModel& robot, const Contact& contact);

/// Possible mistakes of the user, judging by the findings: a sentence each.
std::vector<std::string> hints(const Arguments& arguments, const RobotModel& robot,
                               const std::vector<JointVector>& extremes, const PathReport& result);

}  // namespace planner_ccd::cli
