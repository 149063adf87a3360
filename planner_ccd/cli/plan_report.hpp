#pragma once

#include <string>

#include "planner_ccd/cli/plan_search.hpp"
#include "planner_ccd/query/assumptions.hpp"
#include "planner_ccd/query/check_trajectory.hpp"

namespace planner_ccd::cli {

struct PlanReport {
  const PlanRequest& request;
  const PlanOutcome& outcome;
  const PathReport& recheck;  ///< Of the numbers that were written.
  double recheck_seconds;
  const CheckerOptions& checked;
  std::string out;  ///< The file that was written; empty: none.
  std::vector<Assumption> assumptions;
  bool name_assumptions;  ///< In text: every name in them.

  bool proved() const { return outcome.solved && recheck.verdict == Verdict::Free; }
};

std::string plan_text(const PlanReport& report);
/// As planner_ccd/cli/README.md documents it.
std::string plan_json(const PlanReport& report);

}  // namespace planner_ccd::cli
