#include "bench/edge_rows.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "bench/support/statistics.hpp"
#include "bench/support/timing.hpp"

namespace planner_ccd::bench {
namespace {

/// One method on the edges of a set with the same truth.
struct Run {
  std::vector<double> us;  ///< By edge, in order: the least of the repetitions.
  QueryCounters sum;
  std::int64_t wrong = 0;
};

double mean(const std::vector<double>& values, std::size_t count) {
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) sum += values[i];
  return sum / static_cast<double>(count);
}

Run run(const EdgeMethod& method, const EdgeSet& set, bool hit, const Effort& effort) {
  Run out;
  double spent = 0.0;
  for (const Edge& edge : set.edges) {
    if (edge.hit != hit) continue;
    if (spent > effort.seconds || (method.slow && static_cast<int>(out.us.size()) == effort.slow_count)) break;
    double best = std::numeric_limits<double>::infinity();
    double total = 0.0;
    bool verdict = false;
    QueryCounters counters;
    for (int r = 0; r < 3 && (r == 0 || total < effort.repeat_seconds); ++r) {
      const double seconds = time_once([&] { verdict = method.run(edge, counters); });
      total += seconds;
      best = std::min(best, seconds);
    }
    spent += total;
    out.us.push_back(1e6 * best);
    out.wrong += verdict != hit;
    out.sum += counters;
  }
  return out;
}

Row row_of(const std::string& scenario, const EdgeSet& set, const EdgeMethod& method, bool hit, const Run& run,
           const Run& taylor) {
  const Summary s = summarise(run.us);
  const auto count = static_cast<double>(run.us.size());
  const std::size_t both = std::min(run.us.size(), taylor.us.size());
  const auto evaluations = static_cast<double>(run.sum.node_evaluations + run.sum.primitive_evaluations);
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  const bool fcl = method.name.rfind("fcl", 0) == 0;
  return {{"scenario", scenario},
          {"set", set.name},
          {"method", method.name},
          {"mode", method.mode},
          {"verdict", hit ? "hit" : "free"},
          {"count", run.us.size()},
          {"median_us", s.median},
          {"mean_us", s.mean},
          {"p95_us", s.p95},
          {"times_taylor", both == 0 ? nothing : mean(run.us, both) / mean(taylor.us, both)},
          {"evaluations", static_cast<double>(run.sum.node_evaluations) / count},
          {"self_share", fcl ? nothing : static_cast<double>(run.sum.self_evaluations) / evaluations},
          {"triangle_pairs", fcl ? nothing : static_cast<double>(run.sum.primitive_evaluations) / count},
          {"kinematics", run.sum.kinematics == 0 ? nothing : static_cast<double>(run.sum.kinematics) / count},
          {"missed", hit ? run.wrong : 0},
          {"false_alarms", hit ? 0 : run.wrong}};
}

}  // namespace

void measure(Table& table, const Scenario& scenario, const std::vector<EdgeMethod>& wanted, const Effort& effort) {
  for (const EdgeSet& set : scenario.sets) {
    if (set.left_out > 0) {
      std::fprintf(stderr, "%s %s: %d edges within the tolerance of contact left out\n", scenario.name.c_str(),
                   set.name.c_str(), set.left_out);
    }
    if (set.edges.empty()) continue;
    for (const bool hit : {false, true}) {
      Run taylor;  // of the same mode
      for (const EdgeMethod& method : wanted) {
        QueryCounters warm;  // data made at the first query
        method.run(set.edges.front(), warm);
        Run now = run(method, set, hit, effort);
        if (method.name == "taylor") taylor = now;
        if (!now.us.empty()) table.add(row_of(scenario.name, set, method, hit, now, taylor));
      }
    }
  }
}

}  // namespace planner_ccd::bench
