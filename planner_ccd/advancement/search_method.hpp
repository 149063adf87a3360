#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/advancement/search_problem.hpp"

namespace planner_ccd {

/// A search over all pairs of a problem, with its scratch memory. Used by one thread at a time.
///
/// The checker trusts its answers: Free, and "free before t_free", must be proofs; Contact needs primitives within
/// margin + tolerance at contact.t. It need not detect bodies inside one another: the checker does, for
/// overlapping_roots().
class EdgeSearch {
 public:
  virtual ~EdgeSearch() = default;

  /// `edge` has been started successfully. `first`: find the first contact, with t_free; otherwise any, with t_free 0
  /// unless Free.
  virtual SearchResult search(EdgeState& edge, const SearchLimits& limits, bool first) = 0;

  /// After a search: pairs whose root volumes were not found apart at t = 0. Only these can have one body inside the
  /// other.
  virtual const std::vector<int>& overlapping_roots() const = 0;
};

/// An alternative to the default search (TaylorSearch over the candidates of the broad phase). Immutable; makes one
/// search per workspace.
class SearchMethod {
 public:
  virtual ~SearchMethod() = default;
  virtual std::string_view name() const = 0;
  virtual std::unique_ptr<EdgeSearch> make(const SearchProblem& problem) const = 0;
};

}  // namespace planner_ccd
