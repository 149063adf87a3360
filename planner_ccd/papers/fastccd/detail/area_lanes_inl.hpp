// The area test of area_test.cpp, one query a lane; every operation is that of the scalar code named above it. Included
// once for every instruction set, so the guard is Highway's toggle.
#if defined(PLANNER_CCD_AREA_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef PLANNER_CCD_AREA_LANES_INL
#undef PLANNER_CCD_AREA_LANES_INL
#else
#define PLANNER_CCD_AREA_LANES_INL
#endif

#include <hwy/highway.h>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/triangle_ccd/detail/patch_lanes_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace planner_ccd::leaf::HWY_NAMESPACE {

constexpr double kAreaUp = 1 + 16 * kUnitRoundoff;

HWY_INLINE Lanes norm(const Vector& a) { return hn::Sqrt(dot(a, a)); }

/// Side of area_test.cpp.
struct SideLanes {
  Lanes length, speed;

  HWY_INLINE explicit SideLanes(const Moving& q)
      : length(norm(q.start) * all(kAreaUp)), speed(norm(q.end - q.start) * all(kAreaUp)) {}
};

HWY_INLINE Lanes allowance(const SideLanes& a, const SideLanes& b, const SideLanes& c, Lanes half_width,
                           double separation) {
  const Lanes c2 = hn::Max(hn::Max(a.speed, b.speed), c.speed);
  const Lanes c1 = hn::Max(hn::Max(a.length, b.length), c.length) + c2;
  return half_width * c2 * (all(2.0) * c1 + half_width * c2) + (all(128 * kUnitRoundoff) * c1 + all(separation)) * c1;
}

/// area_test: false is a proof.
template <PatchShape shape>
HWY_INLINE Mask area_test(const Patch& patch, Lanes t, Lanes half_width, double separation) {
  constexpr bool kTriangle = shape == PatchShape::Triangle;
  constexpr int kCorners = kTriangle ? 3 : 4;
  const Lanes r = all(1.0) - t;
  const Moving* k = patch.corner;
  const SideLanes u(patch.u), v(patch.v), w(patch.v - patch.u);
  const SideLanes corner[4] = {SideLanes(k[0]), SideLanes(k[1]), SideLanes(k[2]), SideLanes(k[3])};
  const SideLanes border[4] = {u, kTriangle ? w : v, kTriangle ? v : u, v};
  const Vector q[4] = {k[0].at(r, t), k[1].at(r, t), k[2].at(r, t), k[3].at(r, t)};
  Lanes excess = zero(), allowed = zero();
  for (int i = 0; i < kCorners; ++i) {
    const int next = (i + 1) % kCorners;
    excess = excess + norm(cross(q[i], q[next]));
    allowed = allowed + allowance(corner[i], corner[next], border[i], half_width, separation);
  }
  const Lanes copies = all(kTriangle ? 1.0 : 2.0);
  excess = excess - copies * norm(cross(patch.u.at(r, t), patch.v.at(r, t)));
  allowed = allowed + copies * allowance(u, v, w, half_width, 0.0);
  return hn::Not(excess > allowed * all(kAreaUp) + all(1e-290));
}

}  // namespace planner_ccd::leaf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
