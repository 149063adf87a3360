// Rigid bodies in free motion: our methods against FCL, on the same motions in the same run.
#include "bench/edge_rows.hpp"
#include "bench/scenarios/rigid_worlds.hpp"
#include "bench/support/arguments.hpp"

namespace planner_ccd::bench {
namespace {

int run(const Arguments& arguments) {
  Table table("rigid", arguments);
  const Effort effort = arguments.quick ? Effort{2, 0.05, 0.0} : Effort{20, 4.0, 0.005};
  for (const std::string& name : rigid_scenarios()) {
    if (!arguments.selects(name)) continue;
    ScenarioOptions options;
    options.count = arguments.count(30, 3);
    options.reference_step = 0.0;
    options.reference_samples = arguments.count(3000, 300);
    options.checker.cell_evaluations = 0;  // free-flying bodies have no limits within which to prove anything
    const Scenario scenario = load_rigid_scenario(name, options);
    EdgeMethods methods(*scenario.checker);
    measure(table, scenario, methods.of_rigid(), effort);
  }
  return table.finish();
}

}  // namespace
}  // namespace planner_ccd::bench

int main(int argc, char** argv) { return planner_ccd::bench::run(planner_ccd::bench::parse_arguments(argc, argv)); }
