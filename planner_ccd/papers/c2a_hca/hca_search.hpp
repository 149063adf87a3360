#pragma once

#include <unordered_map>
#include <vector>

#include "planner_ccd/advancement/search_method.hpp"
#include "planner_ccd/papers/c2a_hca/ca_stepper.hpp"
#include "planner_ccd/papers/c2a_hca/dynamic_bvh.hpp"

namespace planner_ccd {

struct HcaOptions {
  BoundKind bound = BoundKind::Directed;
  DirectedBoundOptions bounds;
  /// Poses of node pairs at multiples of T_t = 2^-grid_level, 0 .. 20. The paper takes 0.01; on edges of several radians 2^-8
  /// needs a third fewer evaluations, on shorter ones as many.
  int grid_level = 8;
  double depth_share = 1.0 / 3;  ///< T_depth of HCA_sub, as a share of the trees' depths.
};

/// Hierarchical conservative advancement with temporal culling, Algorithms 3 and 4 of [c2a_hca].
///
/// ToC(a, b, t_min): the lower bound of the time of contact of two nodes, by repeated steps (1) of CaStepper from t_min on. Everything
/// below the nodes is free before it, so children start there, and a pair whose bound reaches the horizon (the end of the
/// edge, or the earliest contact so far) is culled with all below it.                                  (Alg. 3)
/// Node pairs are evaluated at grid times, whose poses all of them share: a time is rounded down before its evaluation, distance and
/// direction are those of the grid time itself, and the step is compared with the horizon before it is rounded. It ends when nodes
/// touch or a step is shorter than the grid. Primitive pairs are advanced at exact times until contact.          (5.3.2)
///
/// All pairs of links (Alg. 4): dynamic bounding volumes exclude those that cannot meet. First step: for each pair one
/// pair of primitives, picked pseudo-randomly with a fixed seed, is advanced, and a contact found lowers the horizon;
/// then HCA_sub, which is HCA stopped at a share of the trees' depths, bounds the pair's time of contact from below.
/// Second step: HCA for the remaining pairs, the earliest first.
///
/// Differences from the paper (MATHS.md 9): line 3 of Alg. 3 reads t < tau_cur; its lines 11 and 12 are max(t_min, ToC); line 16 of
/// Alg. 4 needs >=; the horizon is lowered by contacts with a witness only, never by the time of an advancement; free
/// and "contact at 1" are different verdicts.
class HcaSearch final : public EdgeSearch {
 public:
  explicit HcaSearch(const SearchProblem& problem, const HcaOptions& options = {});

  /// Any contact: stops at the first one met, in no order of time.
  SearchResult search(EdgeState& edge, const SearchLimits& limits, bool first) override;

  const std::vector<int>& overlapping_roots() const override { return overlapping_roots_; }

 private:
  struct Waiting {
    int pair;
    double from;  ///< Proved free before.
  };
  struct Child {
    int a;
    int b;
    double toc;
  };

  const SearchProblem* problem_;
  HcaOptions options_;
  CaStepper stepper_;
  DynamicBvh bvh_;
  std::unordered_map<const SsvTree*, int> sub_depth_;
  std::vector<Waiting> waiting_;
  std::vector<int> overlapping_roots_;

  bool any_ = false;  ///< Stop at the first contact met.
  double horizon_ = 0.0;
  bool found_ = false;
  SearchContact contact_;
  bool failed_ = false;  ///< Budget spent, or a step below the resolution of time.

  // The current pair.
  int pair_index_ = 0;
  SearchPair pair_{};
  int limit_a_ = 0, limit_b_ = 0;  ///< HCA_sub: depths at which it stops.
  double least_ = 0.0;             ///< HCA_sub: lower bound so far of what it met at these depths.

  void bound_pairs(const std::vector<int>& pairs);
  void search_pairs();
  void select(int pair);
  bool stop() const { return failed_ || (any_ && found_); }
  double grid_time(double t) const;
  double node_toc(int a, int b, double t_min);
  void primitive_toc(int a, int b, double t_min);
  void leaves(int a, int b, double t_min);
  void hca(int a, int b, double t_min);
  void hca_sub(int a, int b, double t_min, int depth_a, int depth_b);
};

}  // namespace planner_ccd
