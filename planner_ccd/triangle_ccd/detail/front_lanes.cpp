// Highway compiles this file once for every instruction set (foreach_target.h includes it repeatedly).
#include "planner_ccd/triangle_ccd/detail/front_lanes.hpp"

// Vectors of unknown length cannot be struct members, and SSSE3 without SSE4 is not worth its code.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "planner_ccd/triangle_ccd/detail/front_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/triangle_ccd/detail/patch_lanes_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace planner_ccd::leaf::HWY_NAMESPACE {

/// axis_apart of patch.hpp.
HWY_INLINE Mask axis_apart(const Moving& lo, const Moving& hi, const Moving& sum, double separation) {
  const Vector l = least(lo.start, lo.end), h = greatest(hi.start, hi.end);
  const Lanes x = hn::Max(l.x, hn::Neg(h.x)), y = hn::Max(l.y, hn::Neg(h.y)), z = hn::Max(l.z, hn::Neg(h.z));
  return hn::Max(hn::Max(x, y), z) > all(separation * (1 + 4 * kUnitRoundoff)) + poison(sum);
}

template <PatchShape shape>
HWY_INLINE Mask axis_apart(const Queries& q, double separation) {
  const Moving a = q.point(0), b = q.point(1), c = q.point(2), d = q.point(3);
  if constexpr (shape == PatchShape::Triangle) {
    const Moving q0 = b - a, q1 = c - a, q2 = d - a;
    return axis_apart(least(least(q0, q1), q2), greatest(greatest(q0, q1), q2), q0 + q1 + q2, separation);
  } else {
    return axis_apart(least(c, d) - greatest(a, b), greatest(c, d) - least(a, b), (a + b) + (c + d), separation);
  }
}

/// Steps 1 and 2, as conditions for `sift`.
template <PatchShape shape>
struct AxisApart {
  double separation;
  HWY_INLINE Mask operator()(const Queries& q) const { return axis_apart<shape>(q, separation); }
};

template <PatchShape shape>
struct SignsApart {
  double separation;
  HWY_INLINE Mask operator()(const Queries& q) const {
    return coplanarity_cubic(frame<shape>(q), separation).never_near_zero();
  }
};

/// ends_clear of front.cpp for one end, at share s of [0, 1] from b0.
HWY_INLINE Mask end_clear(Lanes b0, Lanes b1, Lanes b2, Lanes b3, Lanes band, Lanes s) {
  const Lanes r = all(1.0) - s;
  const Lanes c1 = r * b0 + s * b1, m = r * b1 + s * b2, e = r * b2 + s * b3;
  const Lanes c2 = r * c1 + s * m, f = r * m + s * e;
  const Lanes c3 = r * c2 + s * f;
  const Lanes lo = least(least(b0, c1), least(c2, c3)), hi = greatest(greatest(b0, c1), greatest(c2, c3));
  return hn::Or(lo > band, hi < hn::Neg(band));
}

HWY_INLINE Lanes likely_root(const CubicLanes& p) {
  const Lanes secant = p.b0 / (p.b0 - p.b3);
  const Mask crosses = hn::Xor(p.b0 > zero(), p.b3 > zero());
  const Mask early = hn::Abs(p.b1 - p.b0) > hn::Abs(p.b2 - p.b3);
  return hn::IfThenElse(crosses, secant, hn::IfThenElse(early, all(1.0 / 3.0), all(2.0 / 3.0)));
}

struct Proofs {
  Mask apart;
  Lanes until;
};

/// Step 3: one_direction of front.cpp.
template <PatchShape shape>
HWY_INLINE Proofs one_direction(const Queries& q, double separation, double t_max) {
  const CubicLanes p = coplanarity_cubic(frame<shape>(q), separation);
  const Patch patch = make_patch<shape>(q);
  const Lanes root = likely_root(p), end = all(t_max);
  const Lanes t = hn::IfThenElse(end < root, end, root);
  const Times proved = certified_times<shape>(patch, nearest_point<shape>(patch, t).direction, separation);
  const Mask some = proved.lo <= proved.hi;
  const Lanes band = p.band + all(16 * kUnitRoundoff) * hn::Max(larger(p.b0, p.b1), larger(p.b2, p.b3));
  const Lanes from = hn::Max(proved.lo, zero()), back = all(1.0) - hn::Min(proved.hi, all(1.0));
  const Mask left = hn::Or(end_clear(p.b0, p.b1, p.b2, p.b3, band, from), proved.lo <= zero());
  const Mask right = hn::Or(end_clear(p.b3, p.b2, p.b1, p.b0, band, back), proved.hi >= end);
  const Lanes until = hn::Min(hn::Max(proved.hi, zero()), end);
  return {hn::And(some, hn::And(left, right)), hn::IfThenElseZero(hn::And(some, left), until)};
}

/// Keeps the queries for which `dismissed` does not hold.
template <class Condition>
HWY_INLINE void sift(Open& open, const Condition& dismissed) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < open.count; i += kLanes) {
    const std::size_t gone = bits(dismissed(open.at(i)));
    const std::size_t lanes = std::min(kLanes, open.count - i);
    for (std::size_t l = 0; l < lanes; ++l) {
      open.index[kept] = open.index[i + l];
      kept += ~(gone >> l) & 1;
    }
  }
  open.count = kept;
}

template <PatchShape shape>
HWY_INLINE std::size_t front(const double* first, std::size_t count, double separation, double t_max,
                             FrontAnswer* answers) {
  Open open;
  open.first = first;
  open.count = count;
  for (std::size_t i = 0; i < count; ++i) open.index[i] = static_cast<std::uint32_t>(i);
  sift(open, AxisApart<shape>{separation});
  sift(open, SignsApart<shape>{separation});
  for (std::size_t i = 0; i < open.count; i += kLanes) {
    const Proofs proofs = one_direction<shape>(open.at(i), separation, t_max);
    const std::size_t apart = bits(proofs.apart), lanes = std::min(kLanes, open.count - i);
    const Stored until(proofs.until);
    for (std::size_t l = 0; l < lanes; ++l) answers[i + l] = {open.index[i + l], ((apart >> l) & 1) != 0, until[l]};
  }
  return open.count;
}

std::size_t front_vf(const double* first, std::size_t count, double separation, double t_max, FrontAnswer* answers) {
  return front<PatchShape::Triangle>(first, count, separation, t_max, answers);
}

std::size_t front_ee(const double* first, std::size_t count, double separation, double t_max, FrontAnswer* answers) {
  return front<PatchShape::Parallelogram>(first, count, separation, t_max, answers);
}

}  // namespace planner_ccd::leaf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace planner_ccd::leaf {
namespace {

HWY_EXPORT(front_vf);
HWY_EXPORT(front_ee);

}  // namespace

std::size_t front_lanes(std::span<const VertexFaceMotion> queries, double separation, double t_max,
                        std::span<FrontAnswer, kFrontBlock> answers) {
  return HWY_DYNAMIC_DISPATCH(front_vf)(numbers(queries), queries.size(), separation, t_max, answers.data());
}

std::size_t front_lanes(std::span<const EdgeEdgeMotion> queries, double separation, double t_max,
                        std::span<FrontAnswer, kFrontBlock> answers) {
  return HWY_DYNAMIC_DISPATCH(front_ee)(numbers(queries), queries.size(), separation, t_max, answers.data());
}

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) names.emplace_back(hwy::TargetName(target));
  return names;
}

void use_instruction_set(const std::string& name) {
  hwy::SetSupportedTargetsForTest(0);
  if (name.empty()) return;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (name == hwy::TargetName(target)) return hwy::SetSupportedTargetsForTest(target);
  }
}

}  // namespace planner_ccd::leaf
#endif
