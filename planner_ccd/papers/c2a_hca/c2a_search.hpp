#pragma once

#include "planner_ccd/advancement/search_method.hpp"
#include "planner_ccd/papers/c2a_hca/ca_stepper.hpp"
#include "planner_ccd/papers/c2a_hca/dynamic_bvh.hpp"

namespace planner_ccd {

struct C2aOptions {
  /// Controls the depth of the front: 0 < w <= 1. A node pair is opened only when nearer than w times the nearest primitives
  /// met so far; the paper uses 0.3 to 0.5. 1: no control.
  double w = 0.4;
  /// [m] Nearer than this, fronts are exact (w = 1). At least what termination requires, see C2aSearch.
  double controlled_distance = 0.02;
  /// After this many iterations of one pair fronts are exact.
  int controlled_iterations = 50;
  /// R_max: after this many iterations of one pair the answer is Undecided.
  int max_iterations = 100'000;
  BoundKind bound = BoundKind::Directed;
  DirectedBoundOptions bounds;
};

/// Controlled conservative advancement, Algorithms 1 and 2 of [c2a_hca].
///
/// Pair by pair. At time tau one traversal of both trees, nearest children first, ends at a *front*: node pairs whose distance is at
/// least w times that of the nearest primitives met so far, and primitive pairs. Each member of the front is convex and can be
/// advanced by (1) of CaStepper; the pair advances by the least of their steps.                                    (Alg. 2)
/// Early rejection: a node pair whose own step reaches the horizon (the end of the edge, or the earliest contact so far) is free
/// for good and neither opened nor counted.
///
/// Differences from the paper (MATHS.md 9): the loop ends when tau passes the horizon; poses are computed at each tau; the first
/// bound of a step is the time left; a bound mu <= 0 is an unbounded step; steps found in recursive calls are kept; distances are
/// forgotten between iterations, because one from an earlier time is no bound of the present one; and with w < 1 the distance
/// returned may exceed the true one by 1 / w, so fronts become exact below controlled_distance or twice contact_clearance / w, whichever
/// is more. Hitting max_iterations or the budget is Undecided.
///
/// Why every step is positive: a primitive pair counts as contact below contact_clearance, so all others keep more, and a node pair is left
/// closed only when its clearance is at least w times that of such a primitive pair.
///
/// Several pairs: those left by the dynamic bounding volumes are advanced one after the other, each up to the earliest
/// contact found so far, which becomes the horizon.
class C2aSearch final : public EdgeSearch {
 public:
  explicit C2aSearch(const SearchProblem& problem, const C2aOptions& options = {});

  /// Any contact: as the first one, but stops at the first pair found in contact.
  SearchResult search(EdgeState& edge, const SearchLimits& limits, bool first) override;

  const std::vector<int>& overlapping_roots() const override { return overlapping_roots_; }

 private:
  const SearchProblem* problem_;
  C2aOptions options_;
  CaStepper stepper_;
  DynamicBvh bvh_;
  std::vector<int> overlapping_roots_;
  SearchContact contact_;
  double horizon_ = 0.0;

  // One iteration.
  SearchPair pair_{};
  const PairState* state_ = nullptr;
  int pair_index_ = 0;
  double tau_ = 0.0;  ///< Now. The pair is proved free on [0, tau).
  double w_ = 1.0;
  double nearest_ = 0.0;   ///< [m] Clearance of the nearest primitives met.
  double step_ = 0.0;      ///< Least step of the front.
  bool touching_ = false;  ///< Primitives in contact at tau.

  Verdict advance_pair(int pair);
  void open(int a, int b);
  void open_primitives(int a, int b);
  struct Child {
    int a;
    int b;
    double clearance;
    double step;
    bool wanted;  ///< Not rejected early.
  };
  Child evaluate(int a, int b);
  void visit(const Child& child);
};

}  // namespace planner_ccd
