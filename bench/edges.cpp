// Edge checks of articulated robots: our methods against discrete checking with FCL, on the same edges in the same run.
#include <cmath>
#include <functional>
#include <limits>

#include "bench/peers/fcl_world.hpp"
#include "bench/scenarios/scenario.hpp"
#include "bench/support/arguments.hpp"
#include "bench/support/statistics.hpp"
#include "bench/support/table.hpp"
#include "bench/support/timing.hpp"
#include "planner_ccd/query/path_checker.hpp"

namespace {

using namespace planner_ccd;
using namespace planner_ccd::bench;

struct Method {
  std::string name;
  std::string mode;
  /// Returns hit or not; adds what it cost to the counters.
  std::function<bool(const Edge&, QueryCounters&)> run;
};

void measure(Table& table, const Scenario& scenario, const EdgeSet& set, const Method& method, int repetitions) {
  for (const bool hit : {false, true}) {
    std::vector<double> times;
    std::int64_t missed = 0, false_alarms = 0;
    QueryCounters sum;
    int count = 0;
    for (const Edge& edge : set.edges) {
      if (edge.hit != hit) continue;
      ++count;
      double best = std::numeric_limits<double>::infinity();
      bool verdict = false;
      for (int r = 0; r < repetitions; ++r) {
        QueryCounters counters;
        best = std::min(best, time_once([&] { verdict = method.run(edge, counters); }));
        if (r == 0) {
          sum.node_evaluations += counters.node_evaluations;
          sum.primitive_evaluations += counters.primitive_evaluations;
          sum.self_evaluations += counters.self_evaluations;
          sum.kinematics += counters.kinematics;
        }
      }
      times.push_back(1e6 * best);
      missed += hit && !verdict;
      false_alarms += !hit && verdict;
    }
    if (count == 0) continue;
    const Summary s = summarise(times);
    table.add({{"scenario", scenario.name},
               {"set", set.name},
               {"method", method.name},
               {"mode", method.mode},
               {"verdict", hit ? "hit" : "free"},
               {"count", count},
               {"median_us", s.median},
               {"mean_us", s.mean},
               {"p95_us", s.p95},
               {"evaluations", static_cast<double>(sum.node_evaluations) / count},
               {"triangle_pairs", static_cast<double>(sum.primitive_evaluations) / count},
               {"self_share", static_cast<double>(sum.self_evaluations) /
                                  static_cast<double>(sum.node_evaluations + sum.primitive_evaluations)},
               {"kinematics", static_cast<double>(sum.kinematics) / count},
               {"missed", missed},
               {"false_alarms", false_alarms}});
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse_arguments(argc, argv);
  Table table("edges", arguments);
  for (const std::string& name : edge_scenarios()) {
    if (!arguments.selects(name)) continue;
    const Scenario scenario = load_scenario(name, arguments.count(300, 60));
    if (scenario.checker == nullptr) continue;
    const PathChecker& checker = *scenario.checker;
    Workspace workspace(checker);
    EdgeMotion motion(checker.robot());
    FclWorld fcl(checker.robot(), checker.world());
    const auto ours = [&](bool first) {
      return [&, first](const Edge& e, QueryCounters& counters) {
        const EdgeResult r =
            first ? checker.first_contact(e.q0, e.q1, workspace) : checker.any_contact(e.q0, e.q1, workspace);
        counters = r.counters;
        return r.verdict != Verdict::Free;
      };
    };
    const auto discrete = [&](double step, bool in_order) {
      return [&, step, in_order](const Edge& e, QueryCounters& counters) {
        motion.set_linear(e.q0, e.q1, AnglePolicy::Literal);
        const std::int64_t before = fcl.checks;
        const double length = (e.q1 - e.q0).norm();
        const bool hit = (in_order ? discrete_in_order : discrete_bisection)(fcl, motion, length, step).hit;
        counters.node_evaluations = fcl.checks - before;
        return hit;
      };
    };
    for (const EdgeSet& set : scenario.sets) {
      measure(table, scenario, set, {"taylor", "is_free", ours(false)}, 3);
      measure(table, scenario, set, {"taylor", "first_contact", ours(true)}, 3);
      measure(table, scenario, set, {"fcl_discrete_0.05", "is_free", discrete(0.05, false)}, 1);
      measure(table, scenario, set, {"fcl_discrete_0.01", "is_free", discrete(0.01, false)}, 1);
      measure(table, scenario, set, {"fcl_discrete_0.01", "first_contact", discrete(0.01, true)}, 1);
    }
  }
  return table.finish();
}
