#pragma once

#include "planner_ccd/query/detail/checker_snapshot.hpp"

namespace planner_ccd {

/// The nearest of all pairs at the start of an edge. EdgeState::start() must have succeeded.
NearestPair nearest_pair(const CheckerSnapshot& snapshot, EdgeState& edge);

}  // namespace planner_ccd
