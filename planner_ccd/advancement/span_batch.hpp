#pragma once

#include "planner_ccd/advancement/pair_tube.hpp"
#include "planner_ccd/advancement/search_problem.hpp"
#include "planner_ccd/hierarchy/node_batch.hpp"

namespace planner_ccd {

/// Evaluates four node pairs of one pair of trees at one instant: gaps from NodeBatch, and from them eq. (2) as
/// certified_span(), in single precision. (MATHS.md 8b)
class SpanBatch {
 public:
  static constexpr int kLanes = NodeBatch::kLanes;

  struct Spans {
    NodeBatch::Gaps gaps;
    float back[kLanes], forward[kLanes];  ///< As CertifiedSpan; negative when not apart by more than the margin.
  };

  /// `tube`: null, or the tube at this instant, which must outlive the batch. Of PairTube only (24) is used: J and J' are summed as n.p'
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
  /// By corner of A's volumes: the room beside it, how fast that closes at the instant, and a bound of how this grows.
  struct Corners {
    lanes::Lanes slack[4], closing[4], acceleration[4];
    lanes::Lanes fastest{}, greatest{};  ///< Of |closing| and of acceleration.
  };
  Corners corners(const lanes::Vectors& n, const NodeBatch::Generators& A, lanes::Lanes room, float h) const;
  Reach displace(const lanes::Vectors& n, const NodeBatch::Generators& A, double half_width) const;
};

}  // namespace planner_ccd
