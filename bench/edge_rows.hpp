#pragma once

#include <vector>

#include "bench/edge_methods.hpp"
#include "bench/support/table.hpp"

namespace planner_ccd::bench {

struct Effort {
  int slow_count;         ///< Edges of each verdict that slow methods run.
  double seconds;         ///< Processor time after which no method starts another edge of a row.
  double repeat_seconds;  ///< An edge is repeated, three times at most, until it has taken this long.
};

/// Adds the rows of all `wanted` methods (of `methods`, made for the scenario's checker) on all sets. In each mode
/// "taylor" must come before the methods that are compared with it.
void measure(Table& table, const Scenario& scenario, const std::vector<EdgeMethod>& wanted, const Effort& effort);

}  // namespace planner_ccd::bench
