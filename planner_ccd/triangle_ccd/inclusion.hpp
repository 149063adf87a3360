#pragma once

#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd {

/// Inclusion kernel: guaranteed, with minimum separation. (README.md, MATHS.md 5c)
///
/// Works in time alone, on the patch b - a of detail/patch.hpp. Three inclusion functions, each with its rounding bound, discard
/// time: those of detail/front.hpp. What the cubic leaves over are at most three intervals around its roots; those are advanced
/// through by certified directions (detail/advance.hpp) from left to right, so the first contact is found first.
/// Invariant: all of [0, proved) is apart.
class InclusionKernel final : public LeafKernel {
 public:
  std::string_view name() const override { return "inclusion"; }
  LeafResult decide(const VertexFaceMotion& motion, const LeafOptions& options) const override;
  LeafResult decide(const EdgeEdgeMotion& motion, const LeafOptions& options) const override;
  std::vector<LeafHit> decide_all(std::span<const VertexFaceMotion> motions, const LeafOptions& options) const override;
  std::vector<LeafHit> decide_all(std::span<const EdgeEdgeMotion> motions, const LeafOptions& options) const override;
  bool takes_parts() const override { return true; }
  bool leaves_axis_motion() const override { return true; }
};

}  // namespace planner_ccd
