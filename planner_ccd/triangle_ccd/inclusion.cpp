#include "planner_ccd/triangle_ccd/inclusion.hpp"

#include "planner_ccd/triangle_ccd/detail/advance.hpp"
#include "planner_ccd/triangle_ccd/detail/coplanarity.hpp"

namespace planner_ccd {
namespace leaf {
namespace {

/// Decides what is left of piece i, [proved, hi]: first with one direction at the guessed root, which mostly proves what
/// the signs of the cubic leave open; otherwise the root is isolated and advanced through.
Advance decide_piece(const MovingPatch& patch, const LeafOptions& options, const Pieces& pieces, TimeInterval on,
                     int budget) {
  int spent = 0;
  while (spent < std::min(budget, 3)) {
    ++spent;
    const double t = pieces.guess(on.lo, on.hi);
    const PatchPoint nearest = nearest_point(patch, t);
    const TimeInterval proved = certified_times(patch, nearest.direction, options.min_separation);
    const bool to_left = proved.lo <= on.lo || (proved.lo < on.hi && pieces.clear(on.lo, proved.lo));
    if (!to_left || proved.hi <= on.lo) break;
    if (proved.hi >= on.hi) return {LeafVerdict::Apart, proved.hi, on.hi, {}, spent};
    if (pieces.clear(proved.hi, on.hi)) return {LeafVerdict::Apart, on.hi, on.hi, {}, spent};
    on.lo = proved.hi;
  }
  const double resolution = 0.125 * options.tolerance / patch.size;
  const TimeInterval suspect = pieces.near_zero(on.lo, on.hi, resolution);
  Advance found = advance(patch, options, suspect, budget - spent);
  if (found.verdict == LeafVerdict::Apart) found.proved = std::max(found.proved, on.hi);
  found.iterations += spent;
  return found;
}

/// For primitives that no axis keeps apart.
template <class Motion>
[[gnu::noinline]] void inclusion_near(const Motion& motion, const LeafOptions& options, LeafResult& result) {
  const MovingPatch patch = make_patch(motion);
  if (!std::isfinite(patch.size)) return;
  const Cubic cubic = coplanarity_cubic(patch, options.min_separation);
  if (!cubic.never_near_zero()) {
    const Pieces pieces(cubic, 0.0, options.t_max);
    for (int i = 0; i < pieces.count(); ++i) {
      const TimeInterval on{std::max(pieces.lo(i), result.t_lo), pieces.hi(i)};
      if (on.lo > on.hi) continue;
      if (pieces.clear(on.lo, on.hi)) {
        result.t_lo = on.hi;
        continue;
      }
      const Advance found = decide_piece(patch, options, pieces, on, options.max_iterations - result.iterations);
      result.iterations += found.iterations;
      result.t_lo = found.proved;
      if (found.verdict == LeafVerdict::Apart) continue;
      if (found.verdict == LeafVerdict::Contact) set_contact(result, motion, patch, found, options.min_separation);
      return;
    }
  }
  result.verdict = LeafVerdict::Apart;
  result.t_lo = options.t_max;
}

template <class Motion>
LeafResult inclusion(const Motion& motion, const LeafOptions& options) {
  LeafResult result;
  result.t_hi = options.t_max;
  if (axis_apart(motion, options.min_separation)) {
    result.verdict = LeafVerdict::Apart;
    result.t_lo = options.t_max;
  } else {
    inclusion_near(motion, options, result);
  }
  return result;
}

}  // namespace
}  // namespace leaf

LeafResult inclusion_vertex_face_ccd(const VertexFaceMotion& motion, const LeafOptions& options) {
  return leaf::inclusion(motion, options);
}

LeafResult inclusion_edge_edge_ccd(const EdgeEdgeMotion& motion, const LeafOptions& options) {
  return leaf::inclusion(motion, options);
}

}  // namespace planner_ccd
