#include "planner_ccd/triangle_ccd/detail/advance.hpp"
#include "planner_ccd/triangle_ccd/detail/batch.hpp"
#include "planner_ccd/triangle_ccd/detail/front.hpp"
#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd {
namespace leaf {
namespace {

/// Isolates the roots of the cubic in the time left open by the front, and advances through the intervals from the
/// left.
struct Isolate {
  template <class Motion>
  bool operator()(const Motion& motion, const MovingPatch& patch, const Cubic& cubic, const LeafOptions& options,
                  LeafResult& result) const {
    const Pieces pieces(padded(cubic), result.t_lo, options.t_max);
    for (int i = 0; i < pieces.count(); ++i) {
      const double from = std::max(pieces.lo(i), result.t_lo);
      if (from > pieces.hi(i)) continue;
      if (!pieces.clear(from, pieces.hi(i))) {
        const TimeInterval suspect = pieces.near_zero(from, pieces.hi(i), 0.1 * options.tolerance / patch.size);
        const PatchAdvance found = advance(patch, options, suspect, options.max_iterations - result.iterations);
        result.iterations += found.iterations;
        result.t_lo = found.proved;
        if (found.verdict == Verdict::Contact) set_contact(result, motion, patch, found, options.min_separation);
        if (found.verdict != Verdict::Free) return false;
      }
      result.t_lo = std::max(result.t_lo, pieces.hi(i));
    }
    return true;
  }
};

template <class Motion>
std::vector<LeafHit> blocks(std::span<const Motion> motions, const LeafOptions& options) {
  return decide_blocks(
      motions, options, [](auto... arguments) { isolate_lanes(arguments...); },
      [](const Motion& motion, double proved, const LeafOptions& with) {
        return decide_rest(motion, proved, with, Isolate());
      });
}

/// Inclusion kernel: guaranteed, with minimum separation. (README.md, MATHS.md 5c)
///
/// Works in time alone, on the patch b - a of detail/patch.hpp. Three inclusion functions, each with its rounding bound, discard
/// time: those of detail/front.hpp. What the cubic leaves over are at most three intervals around its roots; those are advanced
/// through by certified directions (detail/advance.hpp) from left to right, so the first contact is found first.
/// Invariant: all of [0, proved) is apart.
class InclusionKernel final : public LeafKernel {
 public:
  std::string_view name() const override { return "inclusion"; }
  LeafResult decide(const VertexFaceMotion& motion, const LeafOptions& options) const override {
    return leaf::decide(motion, options, Isolate());
  }
  LeafResult decide(const EdgeEdgeMotion& motion, const LeafOptions& options) const override {
    return leaf::decide(motion, options, Isolate());
  }
  std::vector<LeafHit> decide_all(std::span<const VertexFaceMotion> motions,
                                  const LeafOptions& options) const override {
    return blocks(motions, options);
  }
  std::vector<LeafHit> decide_all(std::span<const EdgeEdgeMotion> motions, const LeafOptions& options) const override {
    return blocks(motions, options);
  }
  bool takes_parts() const override { return true; }
  bool leaves_axis_motion() const override { return true; }
};

}  // namespace
}  // namespace leaf

const std::shared_ptr<const LeafKernel>& inclusion_kernel() {
  static const std::shared_ptr<const LeafKernel> kernel = std::make_shared<const leaf::InclusionKernel>();
  return kernel;
}

}  // namespace planner_ccd
