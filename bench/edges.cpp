// Edge checks of articulated robots: our methods against FCL, on the same edges in the same run.
#include "bench/edge_rows.hpp"
#include "bench/support/arguments.hpp"

namespace planner_ccd::bench {
namespace {

int run(const Arguments& arguments) {
  Table table("edges", arguments);
  std::vector<std::string> names = own_scenarios();
  if (!arguments.quick || !arguments.filter.empty()) {
    for (const std::string& name : data_scenarios()) names.push_back(name);
  }
  ScenarioOptions options;
  options.count = arguments.count(100, 8);
  options.motion_count = arguments.count(300, 30);
  options.reference_samples = arguments.count(2000, 100);
  // A planner checks many edges, so spending 30 ms per pair on cells pays off, but not in a quick run.
  options.checker.cell_evaluations = arguments.count(100'000, 10'000);
  const Effort effort = arguments.quick ? Effort{2, 0.01, 0.001} : Effort{20, 1.0, 0.005};
  for (const std::string& name : names) {
    if (!arguments.selects(name)) continue;
    ScenarioOptions here = options;
    if (name.ends_with("_all_pairs")) {  // with the default checker, and prepared
      here.checker.cell_evaluations = CheckerOptions{}.cell_evaluations;
      here.prepared_evaluations = 1'000'000;
    }
    const Scenario scenario = load_scenario(name, here);
    if (scenario.checker == nullptr) continue;
    EdgeMethods methods(*scenario.checker, scenario.prepared.get());
    measure(table, scenario, scenario.prepared ? methods.of_prepared() : methods.of_articulated(), effort);
  }
  return table.finish();
}

}  // namespace
}  // namespace planner_ccd::bench

int main(int argc, char** argv) { return planner_ccd::bench::run(planner_ccd::bench::parse_arguments(argc, argv)); }
