#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "planner_ccd/query/path_checker.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

struct Edge {
  JointVector q0, q1;
};

struct BatchOptions {
  EdgeOptions edge;
  bool first_contact = false;  ///< The first contact of each edge; otherwise any, which is faster.
  int threads = 0;             ///< 0: one per processor; never more than that.
  std::stop_token cancel;      ///< Asked before each edge.
  /// Called with how many edges are done, at most about a hundred times and never from two threads at once.
  std::function<void(std::size_t done, std::size_t edges)> progress;
};

struct [[nodiscard]] BatchResult {
  /// In the order of the edges, the same to the bit for any number of threads. Edges that were not reached before a
  /// cancellation are Undecided with no evaluations.
  std::vector<EdgeResult> edges;
  std::size_t checked = 0;  ///< Fewer than edges.size() only after a cancellation.
};

/// Checks every edge, on several threads. Throws InputError that names the edge for configurations of the wrong size or
/// with numbers that are not finite, before any is checked.
BatchResult check_edges(const PathChecker& checker, std::span<const Edge> edges, const BatchOptions& options = {});

/// The edges from one configuration to each of `ends`, as planners connect a new sample. The start is looked at once: when it
/// is in contact, so is every edge, at t = 0 and with that contact.
BatchResult check_fan(const PathChecker& checker, const JointVectorRef& start, std::span<const JointVector> ends,
                      const BatchOptions& options = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
