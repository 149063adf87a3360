#include "planner_ccd/triangle_ccd/cubic.hpp"

#include "planner_ccd/triangle_ccd/detail/advance.hpp"
#include "planner_ccd/triangle_ccd/detail/area_test.hpp"
#include "planner_ccd/triangle_ccd/detail/front.hpp"
#include "planner_ccd/triangle_ccd/detail/reduction.hpp"

namespace planner_ccd {
namespace leaf {
namespace {

double middle(const TimeInterval& i) { return 0.5 * (i.lo + i.hi); }
double half_width(const TimeInterval& i) { return 0.5 * (i.hi - i.lo) * (1 + 8 * kUnit) + kUnit; }

/// Where the patch may touch: around the roots that pass the area test.
Suspects area_suspects(const MovingPatch& patch, const Cubic& cubic, double t_max, double separation,
                       double resolution) {
  Suspects out;
  const Pieces pieces(cubic, 0.0, t_max);
  for (int i = 0; i < pieces.count(); ++i) {
    if (pieces.clear(pieces.lo(i), pieces.hi(i))) continue;
    const TimeInterval around = pieces.near_zero(pieces.lo(i), pieces.hi(i), resolution);
    if (area_test(patch, middle(around), half_width(around), separation)) out.add(around);
  }
  return out;
}

/// What the front leaves open: around the roots that pass the area test, or where the reduction says.
struct RootsAndAreas {
  template <class Motion>
  bool operator()(const Motion& motion, const MovingPatch& patch, const Cubic& exact, const LeafOptions& options,
                  LeafResult& result) const {
    const Cubic cubic = padded(exact);
    Suspects suspects;
    if (options.min_separation > 0 || !cubic.always_near_zero() || !reduce(patch, cubic, options, suspects)) {
      const double resolution = 0.1 * options.tolerance / patch.size;
      suspects = area_suspects(patch, cubic, options.t_max, options.min_separation, resolution);
    }
    suspects.sort();
    for (int i = 0; i < suspects.count(); ++i) {
      const TimeInterval on{std::max(suspects[i].lo, result.t_lo), suspects[i].hi};
      if (on.lo > on.hi) continue;
      const Advance found = advance(patch, options, on, options.max_iterations - result.iterations);
      result.iterations += found.iterations;
      result.t_lo = found.proved;
      if (found.verdict == LeafVerdict::Apart) continue;
      if (found.verdict == LeafVerdict::Contact) set_contact(result, motion, patch, found, options.min_separation);
      return false;
    }
    return true;
  }
};

template <class Motion>
CubicContacts contacts(const Motion& motion, double time_tolerance) {
  CubicContacts out;
  if (axis_apart(motion, 0.0)) return out;
  const Cubic cubic = coplanarity_cubic(patch_frame(motion), 0.0);
  if (cubic.never_near_zero()) return out;
  const MovingPatch patch = make_patch(motion);
  const Suspects suspects = area_suspects(patch, padded(cubic), 1.0, 0.0, time_tolerance);
  for (int i = 0; i < suspects.count(); ++i) out.time[out.count++] = middle(suspects[i]);
  return out;
}

}  // namespace
}  // namespace leaf

LeafResult cubic_vertex_face_ccd(const VertexFaceMotion& motion, const LeafOptions& options) {
  return leaf::decide(motion, options, leaf::RootsAndAreas());
}

LeafResult cubic_edge_edge_ccd(const EdgeEdgeMotion& motion, const LeafOptions& options) {
  return leaf::decide(motion, options, leaf::RootsAndAreas());
}

LeafResult cubic_rest(const VertexFaceMotion& motion, double proved, const LeafOptions& options) {
  return leaf::decide_rest(motion, proved, options, leaf::RootsAndAreas());
}

LeafResult cubic_rest(const EdgeEdgeMotion& motion, double proved, const LeafOptions& options) {
  return leaf::decide_rest(motion, proved, options, leaf::RootsAndAreas());
}

CubicContacts cubic_vertex_face_contacts(const VertexFaceMotion& motion, double time_tolerance) {
  return leaf::contacts(motion, time_tolerance);
}

CubicContacts cubic_edge_edge_contacts(const EdgeEdgeMotion& motion, double time_tolerance) {
  return leaf::contacts(motion, time_tolerance);
}

}  // namespace planner_ccd
