#pragma once

#include "planner_ccd/query/detail/checker_snapshot.hpp"

namespace planner_ccd {

/// The nearest of all pairs at the start of an edge. EdgeState::start() must have succeeded.
NearestPair nearest_pair(const CheckerSnapshot& snapshot, EdgeState& edge);

/// [m] > 0. How far to look first for resting trees, before looking farther: the smallest moving one's radius, but a millimetre for
/// what is a point. Infinite without rows.
[[gnu::visibility("default")]] double first_reach(const SearchPairs& pairs);

}  // namespace planner_ccd
