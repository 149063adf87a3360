#pragma once

#include "planner_ccd/query/batch/check_edges.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Edges wherever they lie in memory: `start(i)` and `end(i)` point to dof numbers each.
struct EdgeSource {
  std::size_t count = 0;
  std::function<const double*(std::size_t i)> start, end;
  bool one_start = false;  ///< All begin at the same configuration, which is then checked once: check_fan.
};

/// What check_edges and check_fan are made of. `take` gets the result of each edge, once, on any thread. Returns how many
/// were checked. Throws as they do.
std::size_t check_each(const PathChecker& checker, const EdgeSource& edges, const BatchOptions& options,
                       const std::function<void(std::size_t i, EdgeResult&& result)>& take);

}  // namespace planner_ccd
#pragma GCC visibility pop
