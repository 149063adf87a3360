#pragma once

#include <string>
#include <vector>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/validation/check_trajectory.hpp"
#include "planner_ccd/validation/input_warning.hpp"

namespace planner_ccd::cli {

/// Advice for a contact of two links of one robot without an SRDF; empty for any other.
std::string srdf_hint(const Arguments& arguments, const RobotModel& robot, const Contact& contact);

/// Warns of a path whose angles look like degrees, judging by the findings.
std::vector<InputWarning> doubts(const RobotModel& robot, const std::vector<JointVector>& extremes,
                                 const TrajectoryResult& result);

}  // namespace planner_ccd::cli
