#pragma once

#include "planner_ccd/python/content.hpp"

namespace planner_ccd::python {

/// What check_edges returns: arrays for the whole batch, and the results one by one. An edge takes 72 bytes unless it has
/// a contact.
struct Batch {
  struct More {
    std::optional<Contact> contact;
    std::optional<LinkPair> open;
  };
  struct Edge {
    Verdict verdict = Verdict::Undecided;
    double t_free = 0.0;
    QueryCounters counters;
    std::shared_ptr<const More> more;  ///< Null: neither.

    Edge() = default;
    explicit Edge(EdgeResult&& result) : verdict(result.verdict), t_free(result.t_free), counters(result.counters) {
      if (!result.contact && !result.open) return;
      more = std::make_shared<const More>(More{std::move(result.contact), std::move(result.open)});
    }
    EdgeResult result() const {
      if (!more) return {verdict, t_free, {}, {}, counters};
      return {verdict, t_free, more->contact, more->open, counters};
    }
    const Contact* contact() const { return more && more->contact ? &*more->contact : nullptr; }
  };
  std::vector<Edge> edges;
  int dof = 0;
};

inline void describe(Writer& a, const Batch::Edge& v) { a(v.result()); }
inline void describe(Reader& a, Batch::Edge& v) {
  EdgeResult result;
  a(result);
  v = Batch::Edge(std::move(result));
}
template <class A>
void describe(A& a, Of<A, Batch>& v) {
  a(v.edges, v.dof);
}

}  // namespace planner_ccd::python
