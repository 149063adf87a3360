// Highway compiles this file once for every instruction set (foreach_target.h includes it repeatedly).
#include <bit>
#include <cmath>
#include <cstdint>

#include "planner_ccd/first_look/look_tables.hpp"
#include "planner_ccd/math/tolerances.hpp"

// Vectors of unknown length cannot be struct members, and SSSE3 without SSE4 is not worth its code.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "planner_ccd/first_look/detail/look_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace planner_ccd::look::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, kInstants>;
constexpr int kWidth = static_cast<int>(hn::MaxLanes(Tag()));
constexpr int kParts = kInstants / kWidth;

#undef PLANNER_CCD_INLINE
#define PLANNER_CCD_INLINE HWY_INLINE

/// A number for each instant.
struct Lanes {
  hn::Vec<Tag> part[kParts];
};

#define PLANNER_CCD_EACH(expression)                         \
  Lanes out;                                                 \
  for (int i = 0; i < kParts; ++i) out.part[i] = expression; \
  return out

HWY_INLINE Lanes all(float x) { PLANNER_CCD_EACH(hn::Set(Tag(), x)); }
HWY_INLINE Lanes load(const float* x) { PLANNER_CCD_EACH(hn::LoadU(Tag(), x + i * kWidth)); }
HWY_INLINE void store(const Lanes& a, float* x) {
  for (int i = 0; i < kParts; ++i) hn::StoreU(a.part[i], Tag(), x + i * kWidth);
}
HWY_INLINE Lanes operator+(const Lanes& a, const Lanes& b) { PLANNER_CCD_EACH(hn::Add(a.part[i], b.part[i])); }
HWY_INLINE Lanes operator-(const Lanes& a, const Lanes& b) { PLANNER_CCD_EACH(hn::Sub(a.part[i], b.part[i])); }
HWY_INLINE Lanes operator*(const Lanes& a, const Lanes& b) { PLANNER_CCD_EACH(hn::Mul(a.part[i], b.part[i])); }
HWY_INLINE Lanes operator/(const Lanes& a, const Lanes& b) { PLANNER_CCD_EACH(hn::Div(a.part[i], b.part[i])); }
HWY_INLINE Lanes root(const Lanes& a) { PLANNER_CCD_EACH(hn::Sqrt(a.part[i])); }
HWY_INLINE Lanes absolute(const Lanes& a) { PLANNER_CCD_EACH(hn::Abs(a.part[i])); }
HWY_INLINE Lanes least(const Lanes& a, const Lanes& b) { PLANNER_CCD_EACH(hn::Min(a.part[i], b.part[i])); }
HWY_INLINE Lanes greatest(const Lanes& a, const Lanes& b) { PLANNER_CCD_EACH(hn::Max(a.part[i], b.part[i])); }
/// The magnitude of a with the sign of b.
HWY_INLINE Lanes with_sign(const Lanes& a, const Lanes& b) {
  PLANNER_CCD_EACH(hn::CopySignToAbs(a.part[i], b.part[i]));
}
/// c where m > 0, else d.
HWY_INLINE Lanes where_positive(const Lanes& m, const Lanes& c, const Lanes& d) {
  PLANNER_CCD_EACH(hn::IfThenElse(hn::Gt(m.part[i], hn::Zero(Tag())), c.part[i], d.part[i]));
}
/// A bit for each lane where a > b.
HWY_INLINE std::uint32_t greater(const Lanes& a, const Lanes& b) {
  std::uint32_t bits = 0;
  for (int i = 0; i < kParts; ++i) {
    std::uint8_t bytes[8] = {};  // as many as Highway may write
    hn::StoreMaskBits(Tag(), hn::Gt(a.part[i], b.part[i]), bytes);
    bits |= static_cast<std::uint32_t>(bytes[0] | bytes[1] << 8) << (i * kWidth);
  }
  return bits;
}
/// Lane i holds what was in lane i + 1; the last one keeps its own.
HWY_INLINE Lanes next(const Lanes& a) {
  if constexpr (kParts == 1) {
    alignas(64) static constexpr std::int32_t kNext[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15};
    return {{hn::TableLookupLanes(a.part[0], hn::SetTableIndices(Tag(), kNext))}};
  } else {
    alignas(64) float row[kInstants + 1];
    store(a, row);
    row[kInstants] = row[kInstants - 1];
    return load(row + 1);
  }
}
/// Without its fraction; a >= 0.
HWY_INLINE Lanes whole(const Lanes& a) { PLANNER_CCD_EACH(hn::Trunc(a.part[i])); }
/// Bytes of a table of words, by their numbers, which are whole and below 2^24.
HWY_INLINE Lanes bytes_of(const std::uint32_t* table, const Lanes& number) {
  const hn::RebindToSigned<Tag> integer;
  const hn::RebindToUnsigned<Tag> bits;
  Lanes out;
  for (int i = 0; i < kParts; ++i) {
    const auto n = hn::ConvertTo(integer, number.part[i]);
    const auto word = hn::GatherIndex(bits, table, hn::ShiftRight<2>(n));
    const auto shift = hn::ShiftLeft<3>(hn::And(n, hn::Set(integer, 3)));
    const auto byte = hn::And(hn::Shr(word, hn::BitCast(bits, shift)), hn::Set(bits, 0xFFu));
    out.part[i] = hn::ConvertTo(Tag(), hn::BitCast(integer, byte));
  }
  return out;
}
HWY_INLINE float least_of(const Lanes& a) {
  hn::Vec<Tag> m = a.part[0];
  for (int i = 1; i < kParts; ++i) m = hn::Min(m, a.part[i]);
  return hn::GetLane(hn::MinOfLanes(Tag(), m));
}
/// The numbers at even, or odd, places of a and then of b.
template <int odd>
HWY_INLINE Lanes every_other(const Lanes& a, const Lanes& b) {
#if HWY_TARGET == HWY_SCALAR
  PLANNER_CCD_EACH((i < kParts / 2 ? a.part[2 * i + odd] : b.part[2 * i + odd - kParts]));
#else
  const auto pick = [](const hn::Vec<Tag>& x, const hn::Vec<Tag>& y) HWY_ATTR {
    if constexpr (odd == 1) {
      return hn::ConcatOdd(Tag(), y, x);
    } else {
      return hn::ConcatEven(Tag(), y, x);
    }
  };
  if constexpr (kParts == 1) return {{pick(a.part[0], b.part[0])}};
  PLANNER_CCD_EACH((i < kParts / 2 ? pick(a.part[2 * i], a.part[2 * i + 1])
                                   : pick(b.part[2 * i - kParts], b.part[2 * i + 1 - kParts])));
#endif
}
/// Of neighbours: lane i has the least of the pair i of a, lane i + 8 that of b.
HWY_INLINE Lanes least_of_pairs(const Lanes& a, const Lanes& b) {
  return least(every_other<0>(a, b), every_other<1>(a, b));
}
HWY_INLINE Lanes greatest_of_pairs(const Lanes& a, const Lanes& b) {
  return greatest(every_other<0>(a, b), every_other<1>(a, b));
}

#undef PLANNER_CCD_EACH

#include "planner_ccd/first_look/detail/distance_inl.hpp"
#include "planner_ccd/first_look/detail/distance_kept_inl.hpp"
#include "planner_ccd/first_look/detail/edge_places_inl.hpp"
#include "planner_ccd/first_look/detail/look_inl.hpp"

void look_in_lanes(const Tables& tables, const Edge& edge, Until until, Part part, Findings& findings) {
  Look(tables, edge, until, findings).run(part);
}

}  // namespace planner_ccd::look::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace planner_ccd::look {
namespace {

HWY_EXPORT(look_in_lanes);

}  // namespace

void look(const Tables& tables, const Edge& edge, Until until, Part part, Findings& findings) {
  HWY_DYNAMIC_DISPATCH(look_in_lanes)(tables, edge, until, part, findings);
}

}  // namespace planner_ccd::look
#endif
