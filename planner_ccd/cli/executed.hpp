#pragma once

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/cli/motion.hpp"
#include "planner_ccd/report/report.hpp"

namespace planner_ccd::cli {

/// The motion of --executed, checked by itself, with the errors of bases and objects but none of its joints, and compared with the
/// plan of --path, which was checked with `asked`. Throws InputError naming the option.
Executed check_executed(const Arguments& arguments, const PathChecker& checker, const Motion& plan, const Motion& ran,
                        Workspace& workspace, const TrajectoryOptions& asked);

}  // namespace planner_ccd::cli
