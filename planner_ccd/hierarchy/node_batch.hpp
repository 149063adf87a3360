#pragma once

#include <Eigen/Core>

#include "planner_ccd/hierarchy/pair_frame.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"
#include "planner_ccd/math/lanes.hpp"

namespace planner_ccd {

/// Certified gaps of four pairs of nodes at once, in the four lanes of a vector register, in single precision.
///
/// The search is that of ssv_gap: Newton steps on B's points with A's eliminated, both coordinates at once. The certificate is (32) over |delta|;
/// its pad is 64u of the pair's size, u = 2^-24, and the uncertainty of the poses. (MATHS.md 10b)
class NodeBatch {
 public:
  static constexpr int kLanes = 4;

  struct Gaps {
    float gap[kLanes];  ///< [m] n.b - n.a >= gap for all points of the two volumes, so the distance is >= gap too.
    float normal[3][kLanes];  ///< n, in the frame of B, from A towards B; of length 1 to 2^-21. Any when they overlap.

    Eigen::Vector3d n(int i) const { return {normal[0][i], normal[1][i], normal[2][i]}; }
  };

  NodeBatch(const SsvTree& a, const SsvTree& b, const PairFrame& frame)
      : NodeBatch(a, b, frame.R_BA, frame.p_BA, frame.pad) {}
  /// A placed by p -> R_BA p + p_BA in the frame of B, true positions within `pad` [m] of that.
  NodeBatch(const SsvTree& a, const SsvTree& b, const Eigen::Matrix3d& R_BA, const Eigen::Vector3d& p_BA, double pad);

  /// For nodes a[i], b[i]. The search may stop for pairs that cannot reach, or have reached, `level` [m].
  Gaps gaps(const int (&a)[kLanes], const int (&b)[kLanes], float level) const;

  /// Generators of the four nodes of A, in B's axes about B's bounding centre; each coordinate off by less than 20u
  /// scale().
  struct Generators {
    lanes::Vectors origin, edge0, edge1;
  };
  /// The same, but pairs that can reach `level` are searched until `enough`; `placed_a`, if given, receives A's nodes
  /// as placed.
  Gaps gaps(const int (&a)[kLanes], const int (&b)[kLanes], float level, float enough, Generators* placed_a) const;

  float scale() const { return scale_; }  ///< [m] S, rounded up.

 private:
  const SsvTree &a_, &b_;
  float R_[9], t_[3], scale_, pad_;
};

}  // namespace planner_ccd
