#include "planner_ccd/papers/fastccd/cubic.hpp"

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/papers/fastccd/detail/area_test.hpp"
#include "planner_ccd/papers/fastccd/detail/isolate_by_areas.hpp"
#include "planner_ccd/papers/fastccd/detail/reduction.hpp"
#include "planner_ccd/triangle_ccd/detail/advance.hpp"
#include "planner_ccd/triangle_ccd/detail/batch.hpp"
#include "planner_ccd/triangle_ccd/detail/front.hpp"

namespace planner_ccd {
namespace leaf {
namespace {

double middle(const TimeInterval& i) { return 0.5 * (i.lo + i.hi); }
double half_width(const TimeInterval& i) { return 0.5 * (i.hi - i.lo) * (1 + 8 * kUnitRoundoff) + kUnitRoundoff; }

/// Confirms what the area test or the reduction accepted. True when all of it is proved apart.
template <class Motion>
bool confirm(const Motion& motion, const MovingPatch& patch, TimeInterval suspect, const LeafOptions& options,
             LeafResult& result) {
  const TimeInterval on{std::max(suspect.lo, result.t_lo), suspect.hi};
  if (on.lo > on.hi) return true;
  const PatchAdvance found = advance(patch, options, on, options.max_iterations - result.iterations);
  result.iterations += found.iterations;
  result.t_lo = found.proved;
  if (found.verdict == Verdict::Contact) set_contact(result, motion, patch, found, options.min_separation);
  return found.verdict == Verdict::Free;
}

/// What the front leaves open: around the roots that pass the area test, from the left, or where the reduction says.
struct RootsAndAreas {
  template <class Motion>
  bool operator()(const Motion& motion, const MovingPatch& patch, const Cubic& exact, const LeafOptions& options,
                  LeafResult& result) const {
    const Cubic cubic = padded(exact);
    Suspects suspects;
    if (options.min_separation > 0 || !always_near_zero(cubic) || !reduce(patch, cubic, options, suspects))
      return roots(motion, patch, cubic, options, result);
    suspects.sort();
    for (int i = 0; i < suspects.count(); ++i) {
      if (!confirm(motion, patch, suspects[i], options, result)) return false;
    }
    return true;
  }

 private:
  template <class Motion>
  static bool roots(const Motion& motion, const MovingPatch& patch, const Cubic& cubic, const LeafOptions& options,
                    LeafResult& result) {
    const double resolution = 0.1 * options.tolerance / patch.size;
    const Pieces pieces(cubic, result.t_lo, options.t_max);
    for (int i = 0; i < pieces.count(); ++i) {
      const double from = std::max(pieces.lo(i), result.t_lo);
      if (from > pieces.hi(i)) continue;
      if (!pieces.clear(from, pieces.hi(i))) {
        const TimeInterval around = pieces.near_zero(from, pieces.hi(i), resolution);
        if (area_test(patch, middle(around), half_width(around), options.min_separation) &&
            !confirm(motion, patch, around, options, result))
          return false;
      }
      result.t_lo = std::max(result.t_lo, pieces.hi(i));
    }
    return true;
  }
};

template <class Motion>
std::vector<LeafHit> blocks(std::span<const Motion> motions, const LeafOptions& options) {
  return decide_blocks(
      motions, options, [](auto... arguments) { isolate_by_areas_lanes(arguments...); },
      [](const Motion& motion, double proved, const LeafOptions& with) {
        return decide_rest(motion, proved, with, RootsAndAreas());
      });
}

template <class Motion>
CubicContacts contacts(const Motion& motion, double time_tolerance) {
  CubicContacts out;
  if (axis_apart(motion, 0.0)) return out;
  const Cubic cubic = coplanarity_cubic(patch_frame(motion), 0.0);
  if (cubic.never_near_zero()) return out;
  const MovingPatch patch = make_patch(motion);
  const Pieces pieces(padded(cubic), 0.0, 1.0);
  for (int i = 0; i < pieces.count(); ++i) {
    if (pieces.clear(pieces.lo(i), pieces.hi(i))) continue;
    const TimeInterval around = pieces.near_zero(pieces.lo(i), pieces.hi(i), time_tolerance);
    if (area_test(patch, middle(around), half_width(around), 0.0)) out.time[out.count++] = middle(around);
  }
  return out;
}

}  // namespace
}  // namespace leaf

LeafResult CubicKernel::decide(const VertexFaceMotion& motion, const LeafOptions& options) const {
  return leaf::decide(motion, options, leaf::RootsAndAreas());
}

LeafResult CubicKernel::decide(const EdgeEdgeMotion& motion, const LeafOptions& options) const {
  return leaf::decide(motion, options, leaf::RootsAndAreas());
}

std::vector<LeafHit> CubicKernel::decide_all(std::span<const VertexFaceMotion> motions,
                                             const LeafOptions& options) const {
  return leaf::blocks(motions, options);
}

std::vector<LeafHit> CubicKernel::decide_all(std::span<const EdgeEdgeMotion> motions,
                                             const LeafOptions& options) const {
  return leaf::blocks(motions, options);
}

CubicContacts cubic_vertex_face_contacts(const VertexFaceMotion& motion, double time_tolerance) {
  return leaf::contacts(motion, time_tolerance);
}

}  // namespace planner_ccd
