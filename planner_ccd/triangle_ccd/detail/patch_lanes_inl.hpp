// The patch of patch.hpp and its cubic, one query a lane; every operation is that of the scalar code named above it. Included
// once for every instruction set, so the guard is Highway's toggle.
#if defined(PLANNER_CCD_PATCH_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef PLANNER_CCD_PATCH_LANES_INL
#undef PLANNER_CCD_PATCH_LANES_INL
#else
#define PLANNER_CCD_PATCH_LANES_INL
#endif

#include <hwy/highway.h>

#include <limits>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/triangle_ccd/detail/coplanarity.hpp"
#include "planner_ccd/triangle_ccd/detail/lanes_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace planner_ccd::leaf::HWY_NAMESPACE {

/// PatchFrame of patch.hpp.
struct Frame {
  Moving q0, u, v;
};

template <PatchShape shape>
HWY_INLINE Frame frame(const Queries& q) {
  const Moving a = q.point(0), b = q.point(1), c = q.point(2), d = q.point(3);
  if constexpr (shape == PatchShape::Triangle) return {b - a, c - b, d - b};
  return {c - a, a - b, d - c};
}

/// Cubic of coplanarity.hpp.
struct CubicLanes {
  Lanes b0, b1, b2, b3, band;

  HWY_INLINE Mask never_near_zero() const {
    const Lanes lo = least(least(b0, b1), least(b2, b3)), hi = greatest(greatest(b0, b1), greatest(b2, b3));
    return hn::Or(lo > band, hi < hn::Neg(band));
  }
};

HWY_INLINE CubicLanes coplanarity_cubic(const Frame& f, double separation) {
  const Vector n0 = cross(f.u.start, f.v.start), n2 = cross(f.u.end, f.v.end);
  const Vector n1 = cross(f.u.start, f.v.end) + cross(f.u.end, f.v.start);
  const Lanes third = all(1.0 / 3.0);
  CubicLanes p;
  p.b0 = dot(n0, f.q0.start);
  p.b3 = dot(n2, f.q0.end);
  p.b1 = (dot(n0, f.q0.end) + dot(n1, f.q0.start)) * third;
  p.b2 = (dot(n2, f.q0.start) + dot(n1, f.q0.end)) * third;
  const Lanes uv = largest(f.u) * largest(f.v);
  p.band = all(88 * kUnitRoundoff) * uv * largest(f.q0) + all(1e-290);
  if (separation > 0) {
    const Lanes squared = hn::Max(hn::Max(dot(n0, n0), dot(n2, n2)), all(0.25) * dot(n1, n1));
    const Lanes normal = hn::Sqrt(squared) * all(1 + 8 * kUnitRoundoff) + all(32 * kUnitRoundoff) * uv;
    p.band = p.band + all(separation) * normal * all(1 + 8 * kUnitRoundoff);
  }
  p.band = p.band + (zero() * (p.b0 + p.b1) + zero() * (p.b3 + p.b2));
  return p;
}

/// MovingPatch of patch.hpp.
struct Patch {
  Moving corner[4];
  Moving u, v;
  Lanes size;
};

template <PatchShape shape>
HWY_INLINE Patch make_patch(const Queries& q) {
  const Moving a = q.point(0), b = q.point(1), c = q.point(2), d = q.point(3);
  Patch p;
  if constexpr (shape == PatchShape::Triangle) {
    p = {{b - a, c - a, d - a, d - a}, c - b, d - b, zero()};
  } else {
    p = {{c - a, c - b, d - b, d - a}, a - b, d - c, zero()};
  }
  const Moving* k = p.corner;
  p.size = hn::Max(hn::Max(largest(k[0]), largest(k[1])), hn::Max(largest(k[2]), largest(k[3]))) +
           poison((k[0] + k[1]) + (k[2] + k[3]));
  return p;
}

/// PatchPoint of patch.hpp, with the square of the distance.
struct Nearest {
  Vector direction;
  Lanes squared, border, alpha, beta;
};

HWY_INLINE Nearest choose(Mask m, const Nearest& a, const Nearest& b) {
  return {choose(m, a.direction, b.direction), hn::IfThenElse(m, a.squared, b.squared),
          hn::IfThenElse(m, a.border, b.border), hn::IfThenElse(m, a.alpha, b.alpha),
          hn::IfThenElse(m, a.beta, b.beta)};
}

HWY_INLINE Nearest nearest_on_border(int border, const Vector& q, const Vector& e) {
  const Lanes inverse = all(1.0) / greatest(dot(e, e), all(1e-300));
  const Lanes share = hn::Neg(dot(q, e)) * inverse;
  const Lanes inside = least(greatest(share, zero()), all(1.0));
  const Vector point = q + inside * e;
  const Lanes along = dot(point, e) * inverse;
  return {point - hn::IfThenElseZero(inside == share, along) * e, dot(point, point), all(border), inside, zero()};
}

/// The second only if it is nearer.
HWY_INLINE Nearest nearer(const Nearest& a, const Nearest& b) { return choose(b.squared < a.squared, b, a); }

/// nearest_point of patch.cpp.
template <PatchShape shape>
HWY_INLINE Nearest nearest_point(const Patch& patch, Lanes t) {
  const Lanes r = all(1.0) - t, s = t;
  const Vector u = patch.u.at(r, s), v = patch.v.at(r, s);
  const Vector q0 = patch.corner[0].at(r, s), q1 = patch.corner[1].at(r, s), q2 = patch.corner[2].at(r, s);
  const Vector n = cross(u, v), w = cross(q0, n);
  const Lanes n2 = dot(n, n), scale = dot(u, u) * dot(v, v);
  const Lanes alpha_n2 = dot(w, v), beta_n2 = hn::Neg(dot(w, u));
  const Lanes beyond = shape == PatchShape::Triangle ? alpha_n2 + beta_n2 : greatest(beta_n2, alpha_n2);
  const Mask inside = hn::And(hn::And(n2 > zero(), least(beta_n2, alpha_n2) >= zero()), beyond <= n2);
  const Lanes alpha = alpha_n2 / n2, beta = beta_n2 / n2;
  const Vector p = q0 + alpha * u + beta * v;
  const Lanes best = dot(p, p);
  const Mask by_point = best * scale > n2 * patch.size * patch.size;
  const Vector turned = choose(dot(n, q0) < zero(), Vector{hn::Neg(n.x), hn::Neg(n.y), hn::Neg(n.z)}, n);
  const Nearest plane{choose(by_point, p, turned), best, all(-1.0), alpha, beta};

  Nearest borders = nearer(nearest_on_border(0, q0, q1 - q0), nearest_on_border(1, q1, q2 - q1));
  if constexpr (shape == PatchShape::Triangle) {
    const Nearest corner{q2, dot(q2, q2), all(2.0), zero(), zero()};
    borders = nearer(borders, nearer(corner, nearest_on_border(3, q2, q0 - q2)));
  } else {
    const Vector q3 = patch.corner[3].at(r, s);
    borders = nearer(borders, nearer(nearest_on_border(2, q2, q3 - q2), nearest_on_border(3, q3, q0 - q3)));
  }
  const Mask finite = best < all(std::numeric_limits<double>::infinity());
  const Mask trusted = hn::And(hn::And(inside, finite), n2 > all(1e-12) * scale);
  return choose(hn::Or(trusted, hn::And(inside, hn::Not(borders.squared < best))), plane, borders);
}

/// An interval of time in every lane, empty when lo > hi.
struct Times {
  Lanes lo, hi;
};

/// certified_times of patch.cpp.
template <PatchShape shape>
HWY_INLINE Times certified_times(const Patch& patch, const Vector& n, double separation) {
  Lanes pad = all(8 * kUnitRoundoff) * (hn::Abs(n.x) + hn::Abs(n.y) + hn::Abs(n.z)) * patch.size + all(1e-300);
  const Mask tame = pad < all(kHugePad);
  if (separation > 0) pad = pad + all(separation) * hn::Sqrt(dot(n, n)) * all(1 + 8 * kUnitRoundoff);
  pad = hn::IfThenElse(tame, pad, all(std::numeric_limits<double>::infinity()));
  Times proved{zero(), all(1.0)};
  const Lanes never = all(2.0);
  for (int k = 0; k < (shape == PatchShape::Triangle ? 3 : 4); ++k) {
    const Lanes s = dot(n, patch.corner[k].start) - pad, e = dot(n, patch.corner[k].end) - pad;
    const Lanes root = s / (s - e);
    const Mask opens = hn::And(s <= zero(), e > zero()), closes = hn::And(e <= zero(), s > zero());
    const Lanes lo = hn::IfThenElse(opens, root * all(1 + 4 * kUnitRoundoff), never);
    const Lanes hi = hn::IfThenElse(closes, root * all(1 - 4 * kUnitRoundoff), hn::Neg(never));
    proved.lo = hn::Max(proved.lo, hn::IfThenElse(s > zero(), zero(), lo));
    proved.hi = hn::Min(proved.hi, hn::IfThenElse(e > zero(), all(1.0), hi));
  }
  return proved;
}

}  // namespace planner_ccd::leaf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
