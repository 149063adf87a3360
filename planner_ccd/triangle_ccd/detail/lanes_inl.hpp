// One query per lane: vectors, moving points, and the transfer of queries into lanes and answers out. Included once for
// every instruction set, so the guard is Highway's toggle.
#if defined(PLANNER_CCD_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef PLANNER_CCD_LANES_INL
#undef PLANNER_CCD_LANES_INL
#else
#define PLANNER_CCD_LANES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "planner_ccd/triangle_ccd/detail/front_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace planner_ccd::leaf::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 4>;
using Lanes = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;
constexpr std::size_t kLanes = hn::MaxLanes(Tag());
constexpr std::size_t kNumbers = 24;  ///< Of one query: four points of six.

HWY_INLINE Lanes all(double x) { return hn::Set(Tag(), x); }
HWY_INLINE Lanes zero() { return hn::Zero(Tag()); }
HWY_INLINE Lanes least(Lanes a, Lanes b) { return hn::IfThenElse(a < b, a, b); }
HWY_INLINE Lanes greatest(Lanes a, Lanes b) { return hn::IfThenElse(a > b, a, b); }
HWY_INLINE Lanes larger(Lanes a, Lanes b) { return hn::Max(hn::Abs(a), hn::Abs(b)); }

struct Vector {
  Lanes x, y, z;
};

HWY_INLINE Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
HWY_INLINE Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
HWY_INLINE Vector operator*(Lanes s, const Vector& a) { return {s * a.x, s * a.y, s * a.z}; }
HWY_INLINE Lanes dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
HWY_INLINE Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
HWY_INLINE Vector choose(Mask m, const Vector& a, const Vector& b) {
  return {hn::IfThenElse(m, a.x, b.x), hn::IfThenElse(m, a.y, b.y), hn::IfThenElse(m, a.z, b.z)};
}
HWY_INLINE Lanes largest(const Vector& a) { return hn::Max(larger(a.x, a.y), hn::Abs(a.z)); }

/// A point, or a difference of two, at the start and at the end.
struct Moving {
  Vector start, end;

  HWY_INLINE Vector at(Lanes r, Lanes s) const { return r * start + s * end; }
};

HWY_INLINE Moving operator+(const Moving& a, const Moving& b) { return {a.start + b.start, a.end + b.end}; }
HWY_INLINE Moving operator-(const Moving& a, const Moving& b) { return {a.start - b.start, a.end - b.end}; }
HWY_INLINE Vector least(const Vector& a, const Vector& b) {
  return {hn::Min(a.x, b.x), hn::Min(a.y, b.y), hn::Min(a.z, b.z)};
}
HWY_INLINE Vector greatest(const Vector& a, const Vector& b) {
  return {hn::Max(a.x, b.x), hn::Max(a.y, b.y), hn::Max(a.z, b.z)};
}
HWY_INLINE Moving least(const Moving& a, const Moving& b) { return {least(a.start, b.start), least(a.end, b.end)}; }
HWY_INLINE Moving greatest(const Moving& a, const Moving& b) {
  return {greatest(a.start, b.start), greatest(a.end, b.end)};
}
HWY_INLINE Lanes largest(const Moving& a) { return hn::Max(largest(a.start), largest(a.end)); }

/// 0, or NaN in lanes that are not finite.
HWY_INLINE Lanes poison(const Moving& sum) {
  return zero() * (sum.start.x + sum.start.y + sum.start.z) + zero() * (sum.end.x + sum.end.y + sum.end.z);
}

/// Point k of every lane's query.
struct Queries {
  const double* row[kLanes];

  HWY_INLINE Moving point(int k) const {
#if HWY_CAP_GE256
    const Tag d;
    const hn::Half<Tag> h;
    const double *p0 = row[0] + 6 * k, *p1 = row[1] + 6 * k, *p2 = row[2] + 6 * k, *p3 = row[3] + 6 * k;
    const Lanes r0 = hn::LoadU(d, p0), r1 = hn::LoadU(d, p1), r2 = hn::LoadU(d, p2), r3 = hn::LoadU(d, p3);
    const Lanes a = hn::InterleaveLower(d, r0, r1), b = hn::InterleaveUpper(d, r0, r1);
    const Lanes c = hn::InterleaveLower(d, r2, r3), e = hn::InterleaveUpper(d, r2, r3);
    const Lanes f = hn::Combine(d, hn::LoadU(h, p2 + 4), hn::LoadU(h, p0 + 4));
    const Lanes g = hn::Combine(d, hn::LoadU(h, p3 + 4), hn::LoadU(h, p1 + 4));
    return {{hn::ConcatLowerLower(d, c, a), hn::ConcatLowerLower(d, e, b), hn::ConcatUpperUpper(d, c, a)},
            {hn::ConcatUpperUpper(d, e, b), hn::InterleaveLower(d, f, g), hn::InterleaveUpper(d, f, g)}};
#else
    alignas(64) double n[6][kLanes];
    for (std::size_t l = 0; l < kLanes; ++l) {
      for (int c = 0; c < 6; ++c) n[c][l] = row[l][6 * k + c];
    }
    const Tag d;
    return {{hn::Load(d, n[0]), hn::Load(d, n[1]), hn::Load(d, n[2])},
            {hn::Load(d, n[3]), hn::Load(d, n[4]), hn::Load(d, n[5])}};
#endif
  }
};

/// The queries of a block that are still open.
struct Open {
  const double* first;
  std::uint32_t index[kFrontBlock];
  std::size_t count = 0;

  /// Queries i, i + 1, ... in the lanes; missing ones repeat the last.
  HWY_INLINE Queries at(std::size_t i) const {
    Queries q;
    for (std::size_t l = 0; l < kLanes; ++l) q.row[l] = first + kNumbers * index[std::min(i + l, count - 1)];
    return q;
  }
};

HWY_INLINE std::size_t bits(Mask m) {
  std::uint8_t byte[8] = {};
  hn::StoreMaskBits(Tag(), m, byte);
  return byte[0];
}

/// The numbers of the lanes.
struct Stored {
  alignas(64) double lane[kLanes];

  HWY_INLINE explicit Stored(Lanes x) { hn::Store(x, Tag(), lane); }
  HWY_INLINE double operator[](std::size_t l) const { return lane[l]; }
};

}  // namespace planner_ccd::leaf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
