// Highway compiles this file once for every instruction set (foreach_target.h includes it repeatedly).
#include "planner_ccd/triangle_ccd/detail/pair_directions.hpp"

// Vectors of unknown length cannot be struct members, and SSSE3 without SSE4 is not worth its code.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "planner_ccd/triangle_ccd/detail/pair_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <limits>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/triangle_ccd/detail/lanes_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace planner_ccd::leaf::HWY_NAMESPACE {

/// Directions i, i + 1, ... A whole register cannot be loaded quickly right after its halves were stored.
HWY_INLINE Lanes load_pairs(const Double2* pair, std::size_t half) {
#if HWY_CAP_GE256
  const hn::Half<Tag> h;
  const double *low = reinterpret_cast<const double*>(pair), *high = reinterpret_cast<const double*>(pair + 3);
  return hn::Combine(Tag(), hn::LoadU(h, high), hn::LoadU(h, low + half));
#else
  return hn::LoadU(Tag(), reinterpret_cast<const double*>(pair) + half);
#endif
}

/// With the same point in all lanes.
HWY_INLINE Lanes dot(const Vector& n, const Vector3x2& p, int end) {
  return n.x * all(p.x[end]) + n.y * all(p.y[end]) + n.z * all(p.z[end]);
}

/// Certifier::End of pair_two_by_two.hpp: all that (7) needs of one end.
struct End {
  Lanes p[3], q[3];
  Lanes along, against;  ///< The least of (7) for n and for -n, less the pad.

  HWY_INLINE End(const TrianglePairMotion& m, const Vector& n, int end, Lanes pad)
      : p{zero(), dot(n, m.p1, end), dot(n, m.p2, end)}, q{dot(n, m.q0, end), dot(n, m.q1, end), dot(n, m.q2, end)} {
    along = hn::Min(hn::Min(q[0], q[1]), q[2]) - hn::Max(hn::Max(p[1], p[2]), p[0]) - pad;
    against = hn::Min(hn::Min(p[1], p[2]), p[0]) - hn::Max(hn::Max(q[0], q[1]), q[2]) - pad;
  }
};

/// True when one of the directions proves all.
HWY_INLINE bool any_always(const End& start, const End& end) {
  const Lanes along = hn::Min(start.along, end.along), against = hn::Min(start.against, end.against);
  return !hn::AllFalse(Tag(), hn::Max(along, against) > zero());
}

/// Certifier::share where no direction proves all. The first of nine roots, its inverse as the quotient of `over` and `under`.
HWY_INLINE Lanes first_root(const End& start, const End& end, Lanes pad) {
  const Lanes sign = hn::IfThenElse(start.against > start.along, all(-1.0), all(1.0));
  Lanes over = zero(), under = all(1.0);
  for (const Lanes* q = start.q; q < start.q + 3; ++q) {
    const Lanes end_q = end.q[q - start.q];
    for (int i = 0; i < 3; ++i) {
      const Lanes s = sign * (*q - start.p[i]) - pad, e = sign * (end_q - end.p[i]) - pad;
      const Lanes fall = s - e;
      const Mask sooner = fall * under > over * s;
      over = hn::IfThenElse(sooner, fall, over);
      under = hn::IfThenElse(sooner, s, under);
    }
  }
  return hn::Min(under / over * all(kPairRootDown), all(1.0));
}

double proved_share(const TrianglePairMotion& m, const Vector3x2* directions, std::size_t count, double separation) {
  constexpr std::size_t kElements = (kLanes + 1) / 2;
  Lanes best = all(-1.0);
  for (std::size_t k = 0; k < count; k += kElements) {
    for (std::size_t half = 0; half < 2; half += kLanes) {  // SCALAR has one lane
      const Vector3x2& d = directions[k];
      const Vector n{load_pairs(&d.x, half), load_pairs(&d.y, half), load_pairs(&d.z, half)};
      const Lanes scale = (hn::Abs(n.x) + hn::Abs(n.y) + hn::Abs(n.z)) * all(m.size);
      const Lanes rounding = all(kPairPad) * scale + all(1e-300);
      Lanes pad = rounding;
      if (separation > 0) pad = pad + all(separation) * hn::Sqrt(dot(n, n)) * all(1 + 8 * kUnitRoundoff);
      pad = hn::IfThenElse(rounding < all(kHugePad), pad, all(std::numeric_limits<double>::infinity()));
      const End start(m, n, 0, pad), end(m, n, 1, pad);
      if (any_always(start, end)) return 1.0;
      const Mask in_range = hn::And(scale >= all(kLeastScale), scale <= all(kGreatestScale));
      const Mask known = hn::And(hn::Max(start.along, start.against) > zero(), in_range);
      if (hn::AllFalse(Tag(), known)) continue;
      best = hn::Max(best, hn::IfThenElse(known, first_root(start, end, pad), all(-1.0)));
    }
  }
  return hn::GetLane(hn::MaxOfLanes(Tag(), best));
}

}  // namespace planner_ccd::leaf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace planner_ccd::leaf {
namespace {

HWY_EXPORT(proved_share);

}  // namespace

double proved_share(const TrianglePairMotion& pair, std::span<const Vector3x2> directions, double separation) {
  return HWY_DYNAMIC_DISPATCH(proved_share)(pair, directions.data(), directions.size(), separation);
}

}  // namespace planner_ccd::leaf
#endif
