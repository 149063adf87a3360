#pragma once

#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd {

/// The common interface to van Waveren's trajectories. They are exact for a *common translation* of each feature, which is
/// what this kernel serves: A's corners share a displacement, B's share another. Other motion is still treated safely:
/// corner i of a feature strays from its first corner's displacement by at most |d_i - d_0|, so the largest such
/// stray of A plus that of B is added to the separation. Free is then a proof for any input; but as soon as the
/// strays come near `tolerance`, what is not Free is Undecided, and another kernel is the better choice.
/// (Rotation about an axis: plucker_axis.hpp.)
class PluckerKernel final : public LeafKernel {
 public:
  std::string_view name() const override { return "plucker"; }
  LeafResult decide(const VertexFaceMotion& motion, const LeafOptions& options) const override;
  LeafResult decide(const EdgeEdgeMotion& motion, const LeafOptions& options) const override;
  bool leaves_axis_motion() const override { return true; }
};

}  // namespace planner_ccd
