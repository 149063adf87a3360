#pragma once

#include "planner_ccd/papers/c2a_hca/c2a_search.hpp"
#include "planner_ccd/papers/c2a_hca/hca_search.hpp"

namespace planner_ccd {

/// "c2a": controlled conservative advancement.
class C2aMethod final : public SearchMethod {
 public:
  /// Throws InputError for options out of their range.
  explicit C2aMethod(const C2aOptions& options = {});
  std::string_view name() const override { return "c2a"; }
  std::unique_ptr<EdgeSearch> make(const SearchProblem& problem) const override {
    return std::make_unique<C2aSearch>(problem, options_);
  }

 private:
  C2aOptions options_;
};

/// "hca", and with other bounds "catch" and "undirected": hierarchical conservative advancement.
class HcaMethod final : public SearchMethod {
 public:
  /// Throws InputError for options out of their range.
  explicit HcaMethod(const HcaOptions& options = {});
  std::string_view name() const override {
    if (options_.bound == BoundKind::RootDirected) return "catch";
    return options_.bound == BoundKind::Undirected ? "undirected" : "hca";
  }
  std::unique_ptr<EdgeSearch> make(const SearchProblem& problem) const override {
    return std::make_unique<HcaSearch>(problem, options_);
  }

 private:
  HcaOptions options_;
};

}  // namespace planner_ccd
