#pragma once

#include <string>

#include "planner_ccd/cli/plan_search.hpp"
#include "planner_ccd/query/assumptions.hpp"
#include "planner_ccd/query/check_trajectory.hpp"

namespace planner_ccd::cli {

struct PlanReport {
  const PlanRequest& request;
  const PlanOutcome& outcome;
  const PathReport& recheck;  ///< Check of the numbers as written.
  double recheck_seconds;
  const CheckerOptions& checked;
  std::string out;  ///< The file written; empty: none.
  std::vector<Assumption> assumptions;
  bool name_assumptions;  ///< In text: list every name in them.
  const Scene& scene;

  bool proved() const { return outcome.solved && recheck.verdict == Verdict::Free; }
};

std::string plan_text(const PlanReport& report);
/// As documented in planner_ccd/cli/README.md.
std::string plan_json(const PlanReport& report);

}  // namespace planner_ccd::cli
