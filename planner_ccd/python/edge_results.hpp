#pragma once

#include "planner_ccd/python/content.hpp"

namespace planner_ccd::python {

/// What check_edges returns: arrays for the whole batch, and the results one by one. An edge takes 40 bytes unless it has a
/// contact. Copies and slices share the contacts.
class Batch {
 public:
  /// What most edges do not have.
  struct RareFields {
    std::optional<Contact> contact;
    std::unique_ptr<const LinkPair> undecided_pair;
    std::unique_ptr<const QueryCounters> large;  ///< Those that an Edge has no room for.
  };
  /// Its elements do not move.
  class Store {
   public:
    const RareFields* add(RareFields&& fields) {
      if (chunks_.empty() || chunks_.back().size() == kChunk) chunks_.emplace_back().reserve(kChunk);
      return &chunks_.back().emplace_back(std::move(fields));
    }

   private:
    static constexpr std::size_t kChunk = 1024;
    std::vector<std::vector<RareFields>> chunks_;
  };
  class Edge {
   public:
    Edge() = default;
    Edge(EdgeResult&& result, Store& store) : t_free_(result.t_free), verdict_(result.verdict) {
      const QueryCounters& c = result.counters;
      const std::array<std::int64_t, 5> counts{c.node_evaluations, c.primitive_evaluations, c.exact_leaves,
                                               c.self_evaluations, c.kinematics};
      bool small = true;
      for (std::size_t k = 0; k < counts.size(); ++k) {
        counts_[k] = static_cast<std::uint32_t>(counts[k]);
        small = small && counts_[k] == counts[k];
      }
      if (small && !result.contact && !result.undecided_pair) return;
      rare_ = store.add(
          {std::move(result.contact),
           result.undecided_pair ? std::make_unique<const LinkPair>(std::move(*result.undecided_pair)) : nullptr,
           small ? nullptr : std::make_unique<const QueryCounters>(c)});
    }
    Verdict verdict() const { return verdict_; }
    double t_free() const { return t_free_; }
    const Contact* contact() const { return rare_ && rare_->contact ? &*rare_->contact : nullptr; }
    QueryCounters counters() const {
      if (rare_ && rare_->large) return *rare_->large;
      return {counts_[0], counts_[1], counts_[2], counts_[3], counts_[4]};
    }
    EdgeResult result() const {
      EdgeResult out;
      out.verdict = verdict_;
      out.t_free = t_free_;
      out.counters = counters();
      if (rare_) out.contact = rare_->contact;
      if (rare_ && rare_->undecided_pair) out.undecided_pair = *rare_->undecided_pair;
      return out;
    }

   private:
    double t_free_ = 0.0;
    const RareFields* rare_ = nullptr;  ///< Of a Store.
    std::array<std::uint32_t, 5> counts_{};
    Verdict verdict_ = Verdict::Undecided;
  };
  static_assert(sizeof(Edge) == 40);

  std::vector<Edge> edges;
  int dof = 0;
  std::shared_ptr<const std::vector<Store>> stores;
  bool nothing_checked = false;  ///< The checker has no pair of bodies: what is free is so for that reason.
};

inline void describe(Writer& a, const Batch& v) {
  std::vector<EdgeResult> results;
  for (const Batch::Edge& edge : v.edges) results.push_back(edge.result());
  a(results, v.dof, v.nothing_checked);
}
inline void describe(Reader& a, Batch& v) {
  std::vector<EdgeResult> results;
  a(results, v.dof, v.nothing_checked);
  std::vector<Batch::Store> stores(1);
  for (EdgeResult& result : results) v.edges.emplace_back(std::move(result), stores[0]);
  v.stores = std::make_shared<const std::vector<Batch::Store>>(std::move(stores));
}

}  // namespace planner_ccd::python
