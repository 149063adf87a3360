#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "planner_ccd/advancement/certified_span.hpp"
#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/advancement/search_problem.hpp"
#include "planner_ccd/advancement/span_batch.hpp"
#include "planner_ccd/hierarchy/primitive_distance.hpp"

namespace planner_ccd {

/// Two-sided Taylor advancement over the candidates of an edge. (MATHS.md 3, 4)
///
/// A task is (node of A, node of B, interval). It is evaluated at one sample time, and the interval that eq. (2)
/// certifies is cut out of it. If the cut was a good share, the rest is tried again at the same nodes; else it goes to
/// the children. Leaves are pairs of primitives, advanced in the same way until apart everywhere or within margin +
/// tolerance.
///
/// Invariant (I1): at any moment, every (primitive pair, time) of a candidate is either proved apart or covered by a
/// waiting task. (MATHS.md T5)
///
/// Scratch memory is kept from edge to edge; a result depends on the edge alone.
class [[gnu::visibility("default")]] TaylorSearch {
 public:
  explicit TaylorSearch(const SearchProblem& problem)
      : problem_(&problem), own_(static_cast<int>(problem.pairs.size())) {}

  /// Adds pairs to those of the problem.
  void also_use(const MorePairs* more) {
    more_ = more;
    pair_index_ = batch_pair_ = -1;
  }

  /// Any contact will do: starts where the volumes overlap most and stops at the first contact found. t_free is 0
  /// unless Free.
  SearchResult any_contact(EdgeState & edge, std::span<const Candidate> candidates, const SearchLimits& limits);

  /// Takes tasks in order of time: t_free is proved, and the contact is within tolerance of the first one.
  SearchResult first_contact(EdgeState & edge, std::span<const Candidate> candidates, const SearchLimits& limits);

  /// Begins a search by parts: probes, then settle() or advance() for the remaining candidates.
  void begin(EdgeState & edge, const SearchLimits& limits);
  /// Follows the deepest overlap for a short while: true when it found primitives within the margin at t. What is only
  /// within the tolerance is left to the search, which may still prove it free. False proves nothing.
  bool probe(int pair, double t);
  /// As any_contact(). To report a contact found by a probe, call contact_of_probe() first.
  SearchResult settle(std::span<const Candidate> candidates);
  /// As first_contact(); `horizon`: the earliest time at which a probe found contact, infinite for none.
  SearchResult advance(std::span<const Candidate> candidates, double horizon);
  /// The result for a contact found by a probe.
  SearchResult contact_of_probe() { return finish(Verdict::Contact, 0.0); }

  /// Pairs of which one body may contain the other at t = 0. When Free: those whose root volumes were not found apart.
  const std::vector<int>& overlapping_roots() const { return overlapping_roots_; }

 private:
  struct Task {
    std::int32_t pair;
    std::int32_t a, b;  ///< Nodes, or primitives.
    bool primitives;
    bool try_start;      ///< Primitives in order of time: sample at t0 next, because the middle gave little.
    bool descend;        ///< Nodes in order of time: already evaluated, open the children next.
    std::uint8_t tries;  ///< Primitives: number of evaluations so far.
    float gap;           ///< At the last evaluation, any_contact only.
    double t0, t1;
  };
  struct Outcome {
    bool apart = false;
    double gap = 0.0;
    double lo = 0.0, hi = 0.0;  ///< Certified interval, when apart.
    bool contact = false;       ///< Of primitives: within margin + tolerance.
    bool blurred = false;       ///< Neither apart nor, for rounding, surely within margin + tolerance.
  };

  const SearchProblem* problem_;
  int own_;  ///< Number of pairs of the problem.
  const MorePairs* more_ = nullptr;
  EdgeState* edge_ = nullptr;
  std::vector<Task> tasks_;
  std::vector<Task> unsettled_;
  std::vector<Task> deferred_;  ///< Of pairs that have used up their share.
  std::vector<std::pair<int, std::int64_t>>
      spent_;  ///< Pairs of the candidates, and their evaluations in settle_all().
  std::vector<int> overlapping_roots_;
  SearchLimits limits_{};
  SearchResult result_;
  std::optional<SpanBatch> batch_;  ///< Of the last pair and time,
  PairTube batch_tube_;             ///< and what it refers to.
  int batch_pair_ = -1;             ///< -1: none.
  double batch_m_ = 0.0;
  const PairMotion* batch_motion_ = nullptr;
  SearchPair pair_{};    ///< The last one requested,
  int pair_index_ = -1;  ///< and its number; -1: none.

  const SearchPair& pair_of(int index) {
    if (index != pair_index_) {
      pair_ = index < own_ ? problem_->pairs[index] : more_->beyond(index - own_);
      pair_index_ = index;
    }
    return pair_;
  }
  bool budget_left(int wanted = 1) const { return result_.counters.evaluations() + wanted <= limits_.max_evaluations; }
  /// Evaluations that the next step of a task may take.
  int cost_of_step(const Task& task);
  SearchResult finish(Verdict verdict, double t_free);

  SpanRequest request_for(const SearchPair& pair, const Task& task, double m);
  Outcome evaluate_nodes(const Task& task, double m);
  Outcome evaluate_primitives(const Task& task, double m);
  bool exact_leaf(Task & task, double t1, Outcome& outcome, double& contact);
  void record_contact(const Task& task, double m, const PrimitiveDistance& d, double nearer);

  bool both_leaves(const Task& task);
  template <typename Take>
  void seeds(const Candidate& candidate, Take&& take) const;
  template <typename Take>
  void children(const Task& task, Take&& take);
  template <typename Take>
  static void rest(const Task& task, const Outcome& outcome, Take&& take);

  template <typename Take>
  void evaluate_descendants(const Task& task, double t1, Take&& take);
  bool settle_all(std::span<const Candidate> candidates);
  bool settle_nodes(const Task& task);
  bool settle_primitives(const Task& task);
  void push_by_time(const Task& task);
  void advance_nodes_by_time(const Task& task, double horizon);
};

}  // namespace planner_ccd
