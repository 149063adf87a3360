#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "planner_ccd/papers/c2a_hca/c2a_search.hpp"
#include "planner_ccd/papers/c2a_hca/hca_search.hpp"

namespace planner_ccd {

/// How an edge is searched. All give the same verdicts; they are there to be compared.
enum class Method : std::uint8_t {
  Taylor,      ///< Two-sided Taylor advancement: the project's own, and the fastest.
  C2a,         ///< Controlled conservative advancement with the directed motion bound.
  Hca,         ///< Hierarchical conservative advancement with temporal culling and the directed motion bound.
  Catch,       ///< As Hca, with the bound of CATCH: only the first joint is projected on the direction.
  Undirected,  ///< As Hca, with the bound of Schwarzer, Saha and Latombe: lengths of trajectories.
};

inline constexpr Method kMethods[] = {Method::Taylor, Method::C2a, Method::Hca, Method::Catch, Method::Undirected};

/// "taylor", "c2a", "hca", "catch", "undirected".
const char* to_string(Method method);
/// The inverse; false when there is no such method.
bool parse_method(std::string_view name, Method& method);

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
