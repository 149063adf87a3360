#include "planner_ccd/triangle_ccd/inclusion.hpp"

#include "planner_ccd/triangle_ccd/detail/advance.hpp"
#include "planner_ccd/triangle_ccd/detail/coplanarity.hpp"

namespace planner_ccd {
namespace leaf {
namespace {

/// A time where the cubic is likely to be near zero, from its coefficients alone.
double likely_root(const std::array<double, 4>& b) {
  const double secant = b[0] / (b[0] - b[3]);
  const bool crosses = (b[0] > 0) != (b[3] > 0);
  const double turn = std::abs(b[1] - b[0]) > std::abs(b[2] - b[3]) ? 1.0 / 3.0 : 2.0 / 3.0;
  return crosses ? secant : turn;
}

/// True for each end when the cubic has no near zero between it and `proved`: left of proved.lo, right of proved.hi.
/// By de Casteljau, both ends at once (the right one with the coefficients reversed): three levels of at most 4 u M each.
struct EndsClear {
  bool left, right;
};

EndsClear ends_clear(const Cubic& cubic, const TimeInterval& proved, double t_max) {
  const auto& b = cubic.bernstein;
  const Double2 s{std::max(proved.lo, 0.0), 1 - std::min(proved.hi, 1.0)}, r = both(1) - s;
  const Double2 b0{b[0], b[3]}, b1{b[1], b[2]}, b2{b[2], b[1]}, b3{b[3], b[0]};
  const Double2 c1 = r * b0 + s * b1, m = r * b1 + s * b2, e = r * b2 + s * b3;
  const Double2 c2 = r * c1 + s * m, f = r * m + s * e;
  const Double2 c3 = r * c2 + s * f;
  const Double2 largest = greatest(greatest(absolute(b0), absolute(b1)), greatest(absolute(b2), absolute(b3)));
  const Double2 band = cubic.band + 16 * kUnit * largest;
  const Double2 lo = least(least(b0, c1), least(c2, c3)), hi = greatest(greatest(b0, c1), greatest(c2, c3));
  const auto clear = (lo > band) | (hi < -band);
  return {clear[0] != 0 || proved.lo <= 0, clear[1] != 0 || proved.hi >= t_max};
}

/// One direction, at a time when the primitives are likely coplanar: mostly it proves what the signs of the cubic leave
/// open. True when everything is decided; otherwise result.t_lo may have advanced.
bool one_direction(const MovingPatch& patch, const Cubic& cubic, const LeafOptions& options, LeafResult& result) {
  result.iterations = 1;
  const double t = std::min(likely_root(cubic.bernstein), options.t_max);
  const TimeInterval proved = certified_times(patch, nearest_point(patch, t).direction, options.min_separation);
  if (proved.lo > proved.hi) return false;
  const EndsClear clear = ends_clear(cubic, proved, options.t_max);
  if (clear.left) result.t_lo = std::clamp(proved.hi, 0.0, options.t_max);
  return clear.left && clear.right;
}

/// For primitives that neither an axis nor the signs of the cubic keep apart.
template <class Motion>
[[gnu::noinline]] void examine(const Motion& motion, const Cubic& cubic, const LeafOptions& options,
                               LeafResult& result) {
  const MovingPatch patch = make_patch(motion);
  if (!std::isfinite(patch.size)) return;
  if (!one_direction(patch, cubic, options, result)) {
    const Pieces pieces(padded(cubic), result.t_lo, options.t_max);
    for (int i = 0; i < pieces.count(); ++i) {
      const double from = std::max(pieces.lo(i), result.t_lo);
      if (from > pieces.hi(i)) continue;
      if (!pieces.clear(from, pieces.hi(i))) {
        const TimeInterval suspect = pieces.near_zero(from, pieces.hi(i), 0.1 * options.tolerance / patch.size);
        const Advance found = advance(patch, options, suspect, options.max_iterations - result.iterations);
        result.iterations += found.iterations;
        result.t_lo = found.proved;
        if (found.verdict == LeafVerdict::Contact) set_contact(result, motion, patch, found, options.min_separation);
        if (found.verdict != LeafVerdict::Apart) return;
      }
      result.t_lo = std::max(result.t_lo, pieces.hi(i));
    }
  }
  result.verdict = LeafVerdict::Apart;
  result.t_lo = options.t_max;
}

template <class Motion>
LeafResult inclusion(const Motion& motion, const LeafOptions& options) {
  LeafResult result;
  result.t_hi = options.t_max;
  if (!axis_apart(motion, options.min_separation)) {
    const Cubic cubic = coplanarity_cubic(patch_frame(motion), options.min_separation);
    if (!cubic.never_near_zero()) {
      examine(motion, cubic, options, result);
      return result;
    }
  }
  result.verdict = LeafVerdict::Apart;
  result.t_lo = options.t_max;
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
