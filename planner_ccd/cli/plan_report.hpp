#pragma once

#include <string>

#include "planner_ccd/cli/plan_search.hpp"
#include "planner_ccd/report/report.hpp"

namespace planner_ccd::cli {

struct PlanReport {
  const PlanRequest& request;
  PlanOutcome outcome;
  Report check;                   ///< Of the numbers as written, if solved; otherwise only what was asked.
  std::string out;                ///< The file to write; empty: none.
  bool name_assumptions = false;  ///< In text: list every name in them.

  bool proved() const { return outcome.solved && check.result.verdict == Verdict::Free; }
};

std::string plan_text(const PlanReport& report);
/// As documented in planner_ccd/cli/README.md.
std::string plan_json(const PlanReport& report);

}  // namespace planner_ccd::cli
