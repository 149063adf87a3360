#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "planner_ccd/cli/check_report.hpp"
#include "planner_ccd/cli/findings_report.hpp"
#include "planner_ccd/cli/motion.hpp"
#include "planner_ccd/query/deviation.hpp"

namespace planner_ccd::cli {

/// What --executed says really ran, beside the plan of --path: checked by itself, with the errors of bases and
/// objects but none of its joints, and compared.
struct Executed {
  std::string file;
  std::string clocks;   ///< Where the shift comes from: "given", "stamps" of two logs, or "found" by best_shift().
  bool judged = false;  ///< Errors of joints were given, or a delay: the comparison is with them.
  Deviation deviation;
  CheckedMotion motion;
  std::optional<LogMotion> log;
};

/// `plan` was checked with `asked`. Throws InputError naming the option.
Executed check_executed(const Arguments& arguments, const PathChecker& checker, const Motion& plan, const Motion& ran,
                        Workspace& workspace, const TrajectoryOptions& asked);

/// The report about what ran, by itself; `executed` must outlive it.
CheckReport report_of(const Executed& executed, const CheckReport& plan);

std::string executed_text(const CheckReport& plan);
nlohmann::ordered_json executed_json(const CheckReport& plan);
/// For findings_junit.
std::vector<JUnitCase> executed_cases(const CheckReport& plan);

}  // namespace planner_ccd::cli
