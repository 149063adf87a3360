#pragma once

#include <string>

#include "planner_ccd/query/check_path.hpp"

namespace planner_ccd::cli {

/// What `check` found and how it was asked.
struct CheckReport {
  const PathChecker& checker;
  const PathResult& result;
  const EdgeOptions& options;
  double margin;                              ///< [m]
  double time_us;                             ///< [us] Of the check alone, without loading.
  const std::vector<LinkPair>& proved_apart;  ///< Passed over, being proved apart within the joint limits.
};

std::string check_text(const CheckReport& report);
std::string check_json(const CheckReport& report);

}  // namespace planner_ccd::cli
