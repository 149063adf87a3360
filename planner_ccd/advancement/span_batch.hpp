#pragma once

#include "planner_ccd/advancement/pair_tube.hpp"
#include "planner_ccd/advancement/search_problem.hpp"
#include "planner_ccd/hierarchy/node_batch.hpp"

namespace planner_ccd {

/// Evaluates four node pairs of one pair of trees at one instant: gaps from NodeBatch, and from them eq. (2) of
/// certified_span(), in single precision.
///
/// Rounding, u = 2^-24. About B's bounding centre, points of A lie within S = scale() and are off by 20u S; a point c moves
/// with p' = v + w x c, p'' = a + w' x c + w x (w x c), where v and a belong to the centre and are rounded once. So
///
///   n.p' and n.p'', summed as in certified_span(), err by less than 64u (|v| + |w| S) and 64u (|a| + (|w'| + 2 |w|^2) S);
///   n.c_i - n.c_j errs by less than 64u S, which the gaps' own pad covers only once: it is subtracted again;
///   roots take fewer than 16 roundings and none that cancels: steps are shortened by 2^-18.
class SpanBatch {
 public:
  static constexpr int kLanes = NodeBatch::kLanes;

  struct Spans {
    NodeBatch::Gaps gaps;
    float back[kLanes], forward[kLanes];  ///< As CertifiedSpan; negative when not apart by more than the margin.
  };

  /// `tube`: null, or the tube at this instant, which must outlive the batch. Of PairTube only (2) is used: J and J' are summed as n.p'
  /// and n.p'' are.
  SpanBatch(const SearchPair& pair, const PairState& state, const PairMotion& motion, const RoundingPads& pads,
            PairTube* tube = nullptr);

  /// For nodes a[i], b[i] and |s| <= half_width.
  Spans evaluate(const int (&a)[kLanes], const int (&b)[kLanes], double half_width) const;

 private:
  NodeBatch nodes_;
  PairTube* tube_;
  const PairMotion* motion_;
  Eigen::Vector3d centre_;
  float margin_;
  float v_[3], w_[3], a_[3], w_dot_[3], ww_;
  float speed_pad_, acceleration_pad_, jerk_, acceleration_bound_, place_pad_;

  /// PairTube::Reach of the four corners.
  struct Reach {
    lanes::Lanes now[4], forward[4], back[4];
  };
  Reach displace(const lanes::Vectors& n, const NodeBatch::Generators& A, double half_width) const;
};

}  // namespace planner_ccd
