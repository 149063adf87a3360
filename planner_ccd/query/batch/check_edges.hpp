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
  bool first_contact = false;  ///< Find the first contact of each edge; otherwise any, which is faster.
  int threads = 0;             ///< 0: one per processor, which is also the maximum.
  std::stop_token cancel;      ///< Read before each edge.
  /// Called with the number of edges done, at most about a hundred times and never by two threads at once.
  std::function<void(std::size_t done, std::size_t edges)> progress;
};

struct [[nodiscard]] BatchResult {
  /// In the order of the edges, bit-identical for any number of threads. Edges not reached before a cancellation are
  /// Undecided with no evaluations.
  std::vector<EdgeResult> edges;
  std::size_t checked = 0;  ///< Fewer than edges.size() only after a cancellation.
};

/// Checks every edge, on several threads. Throws InputError naming the edge, before any is checked, for configurations
/// of the wrong size or with numbers that are not finite.
BatchResult check_edges(const PathChecker& checker, std::span<const Edge> edges, const BatchOptions& options = {});

/// The edges from one configuration to each of `ends`, as when a planner connects a new sample. The start is checked
/// once: if it is in contact, so is every edge, at t = 0 and with that contact.
BatchResult check_fan(const PathChecker& checker, const JointVectorRef& start, std::span<const JointVector> ends,
                      const BatchOptions& options = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
