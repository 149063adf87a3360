#pragma once

#include <memory>
#include <vector>

#include "planner_ccd/advancement/method.hpp"
#include "planner_ccd/papers/c2a_hca/c2a_search.hpp"
#include "planner_ccd/papers/c2a_hca/hca_search.hpp"

namespace planner_ccd {

/// The searches of the papers over one problem, each made when it is first asked for.
class PaperMethods {
 public:
  explicit PaperMethods(const SearchProblem& problem) : problem_(&problem) {}

  /// `method` is not Taylor; `edge` has been started with success. `first`: the first contact, not just any.
  SearchResult search(Method method, EdgeState& edge, const SearchLimits& limits, bool first);

  /// Of the last search: pairs whose root volumes were not found apart at t = 0. Only these can hold one body inside another.
  const std::vector<int>& overlapping_roots() const { return overlapping_roots_; }

 private:
  const SearchProblem* problem_;
  std::unique_ptr<C2aSearch> c2a_;
  std::unique_ptr<HcaSearch> hca_[3];  // by BoundKind
  std::vector<int> overlapping_roots_;

  HcaSearch& hca(BoundKind bound);
};

}  // namespace planner_ccd
