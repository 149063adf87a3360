#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/advancement/search_problem.hpp"

namespace planner_ccd {

/// A search over all pairs of a problem, with its scratch memory: one thread's.
///
/// The checker trusts its answers: Free, and free before t_free, must be proofs; Contact needs primitives within margin +
/// tolerance at contact.t. It need not look for bodies inside one another: the checker does, at overlapping_roots().
class EdgeSearch {
 public:
  virtual ~EdgeSearch() = default;

  /// `edge` has been started with success. `first`: the first contact, with t_free; otherwise any, with t_free 0 unless Free.
  virtual SearchResult search(EdgeState& edge, const SearchLimits& limits, bool first) = 0;

  /// Of the last search: pairs whose root volumes were not found apart at t = 0. Only these can hold one body inside another.
  virtual const std::vector<int>& overlapping_roots() const = 0;
};

/// Another way to search an edge than the library's own (TaylorSearch over the broad phase's candidates). Immutable; makes a
/// search for each workspace.
class SearchMethod {
 public:
  virtual ~SearchMethod() = default;
  virtual std::string_view name() const = 0;
  virtual std::unique_ptr<EdgeSearch> make(const SearchProblem& problem) const = 0;
};

}  // namespace planner_ccd
