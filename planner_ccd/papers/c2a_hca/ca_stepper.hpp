#pragma once

#include <limits>
#include <vector>

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/advancement/search_problem.hpp"
#include "planner_ccd/hierarchy/primitive_distance.hpp"
#include "planner_ccd/papers/c2a_hca/directed_bound.hpp"

namespace planner_ccd {

/// By how much the distance of two convex bodies at one instant exceeds the demanded one, and the direction that proves
/// it.
struct DirectedGap {
  double value;            ///< [m] Certified distance less margin and rounding pad.
  Eigen::Vector3d normal;  ///< Unit, from A towards B, in B's frame.
};

/// A step of one pair of convex things by conservative advancement, with the papers' motion bounds. (MATHS.md T2)
///
///   (b(s) - a(s)).n  >=  d - (s - t) mu   for s in [t, 1],   mu = DirectedBound::speed: so free on [t, t + (d - margin) / mu)   (1)
///
/// mu <= 0: B's plane is never reached, the step has no end. Shared by C2aSearch and HcaSearch, so that the two differ in their
/// traversal alone and from TaylorSearch in their bounds and traversal: same trees, same distances, same verdicts.
class CaStepper {
 public:
  CaStepper(const SearchProblem& problem, BoundKind kind, const DirectedBoundOptions& options);
  CaStepper(const CaStepper&) = delete;
  CaStepper& operator=(const CaStepper&) = delete;

  /// `edge` has been started, with success, for the edge in question.
  void start(EdgeState& edge, const SearchLimits& limits);

  /// Relative motion at t, kept for the whole edge: for times that many pairs ask for.
  const PairState& shared_state(double t, int chain) { return edge_->pair_state(t, chain); }
  /// The same for a time used only once; not kept. Valid until the next call.
  const PairState& own_state(double t, int chain);

  DirectedGap nodes(const SearchPair& pair, int a, int b, const PairState& state);
  /// Also records the data for contact().
  DirectedGap primitives(const SearchPair& pair, int a, int b, const PairState& state);
  /// The contact that the last call of primitives() saw at time t.
  SearchContact contact(int pair, int a, int b, double t) const;

  /// How long the clearance lasts by (1), rounded down; infinite if for ever. 0 unless clearance.value > 0.
  double node_step(const SearchPair& pair, int a, const DirectedGap& clearance);
  double primitive_step(const SearchPair& pair, int a, const DirectedGap& clearance);

  /// [m] At or below this clearance two primitives count as in contact: half the tolerance is left as slack, so that every
  /// step of (1) is long enough to end; the other half pays for the witness.
  double contact_clearance() const { return 0.5 * limits_.tolerance; }
  double tolerance() const { return limits_.tolerance; }
  bool budget_left() const { return counters_.evaluations() < limits_.max_evaluations; }
  /// Total so far.
  QueryCounters counters() const;

  const std::vector<TimeDomain>& pieces() const { return bound_.pieces(); }
  double position_pad() const { return edge_->pads().position; }

 private:
  const SearchProblem* problem_;
  BoundKind kind_;
  DirectedBound bound_;
  EdgeState* edge_ = nullptr;
  PairMotion no_motion_;  ///< Second-order bounds are not used: an empty one keeps own_state() cheap.
  Kinematics kinematics_;
  PairState state_;
  SearchLimits limits_{};
  QueryCounters counters_;
  PrimitiveDistance last_{};

  double step(const SearchPair& pair, const DirectedGap& clearance, const BodyPoints& points);
};

}  // namespace planner_ccd
