#pragma once

#include <Eigen/Core>

#include "planner_ccd/hierarchy/pair_frame.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// Certified gaps of four pairs of nodes at once, in the four lanes of a vector register, in single precision.
///
/// The search is that of ssv_gap: Newton steps on s (B) with t (A) eliminated, both coordinates of s at once; then the
/// support planes along delta, unnormalised until the end:
///
///   gap = (delta.D + sum_j min(0, delta.f_j) - sum_i max(0, delta.e_i)) / |delta| - r_A - r_B - pad            (1)
///
/// Rounding, u = 2^-24, S = |t| + reach_A + reach_B with t the offset of the trees' centres and reach a bound of
/// |origin| + |edges| + radius over a tree's volumes. Placing A: entries of R and sums err by 4.1u |v| a coordinate, so e_i
/// by 7.1u |e_i|, D by 13u S: together they move a support by less than 20u S. The dot products of (1) err by 3u |delta| S,
/// their sum by 5u |delta| S, |delta| and the quotient by 4u relative, the radii by 4u S: 36u S in all. Products that
/// underflow matter only when |delta| < kShort: such pairs count as overlapping. Hence pad = 64u S + the frame's own pad.
class NodeBatch {
 public:
  static constexpr int kLanes = 4;

  NodeBatch(const SsvTree& a, const SsvTree& b, const PairFrame& frame);

  /// gap[i] of nodes a[i], b[i]. The search may stop for pairs that cannot reach, or have reached, `level`.
  void gaps(const int (&a)[kLanes], const int (&b)[kLanes], float level, float (&gap)[kLanes]) const;

 private:
  const SsvTree &a_, &b_;
  float R_[9], t_[3], pad_;
};

}  // namespace planner_ccd
