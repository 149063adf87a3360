#pragma once

#include "bench/support/table.hpp"

namespace planner_ccd::bench {

/// Whole triangle pairs: triangle_ccd beside FCL's fifteen tests.
void run_pairs(Table& table, const Arguments& arguments);

}  // namespace planner_ccd::bench
