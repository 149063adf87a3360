#include "planner_ccd/cli/plan_search.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd::cli {

PlanOutcome search_plan(const PlanRequest&) {
  throw InputError(
      "this build cannot plan: OMPL was not found when it was configured (Debian: libompl-dev); the other subcommands "
      "do not need it");
}

}  // namespace planner_ccd::cli
