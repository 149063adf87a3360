// The look without vectors: the reference for tests of the lanes, and the fallback without Highway.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "planner_ccd/first_look/look_tables.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd::look {
namespace {

#define PLANNER_CCD_INLINE inline

struct Lanes {
  float lane[kInstants];
};

template <typename Of>
Lanes each(Of&& of) {
  Lanes out;
  for (int i = 0; i < kInstants; ++i) out.lane[i] = of(i);
  return out;
}

inline Lanes all(float x) {
  return each([&](int) { return x; });
}
inline Lanes load(const float* x) {
  return each([&](int i) { return x[i]; });
}
inline void store(const Lanes& a, float* x) { std::copy(a.lane, a.lane + kInstants, x); }
inline Lanes operator+(const Lanes& a, const Lanes& b) {
  return each([&](int i) { return a.lane[i] + b.lane[i]; });
}
inline Lanes operator-(const Lanes& a, const Lanes& b) {
  return each([&](int i) { return a.lane[i] - b.lane[i]; });
}
inline Lanes operator*(const Lanes& a, const Lanes& b) {
  return each([&](int i) { return a.lane[i] * b.lane[i]; });
}
inline Lanes operator/(const Lanes& a, const Lanes& b) {
  return each([&](int i) { return a.lane[i] / b.lane[i]; });
}
inline Lanes root(const Lanes& a) {
  return each([&](int i) { return std::sqrt(a.lane[i]); });
}
inline Lanes absolute(const Lanes& a) {
  return each([&](int i) { return std::abs(a.lane[i]); });
}
inline Lanes least(const Lanes& a, const Lanes& b) {
  return each([&](int i) { return std::min(a.lane[i], b.lane[i]); });
}
inline Lanes greatest(const Lanes& a, const Lanes& b) {
  return each([&](int i) { return std::max(a.lane[i], b.lane[i]); });
}
inline Lanes with_sign(const Lanes& a, const Lanes& b) {
  return each([&](int i) { return std::copysign(a.lane[i], b.lane[i]); });
}
inline Lanes where_positive(const Lanes& m, const Lanes& c, const Lanes& d) {
  return each([&](int i) { return m.lane[i] > 0.0f ? c.lane[i] : d.lane[i]; });
}
inline std::uint32_t greater(const Lanes& a, const Lanes& b) {
  std::uint32_t bits = 0;
  for (int i = 0; i < kInstants; ++i) bits |= static_cast<std::uint32_t>(a.lane[i] > b.lane[i]) << i;
  return bits;
}
inline Lanes next(const Lanes& a) {
  return each([&](int i) { return a.lane[std::min(i + 1, kInstants - 1)]; });
}
/// Without its fraction; a >= 0.
inline Lanes whole(const Lanes& a) {
  return each([&](int i) { return std::trunc(a.lane[i]); });
}
/// Bytes of a table of words, by their numbers, which are whole and below 2^24.
inline Lanes bytes_of(const std::uint32_t* table, const Lanes& number) {
  return each([&](int i) {
    const auto n = static_cast<std::uint32_t>(number.lane[i]);
    return static_cast<float>(table[n / 4] >> (8 * (n % 4)) & 0xFFu);
  });
}
inline float least_of(const Lanes& a) { return *std::min_element(a.lane, a.lane + kInstants); }
/// Of neighbours: lane i has the least of the pair i of a, lane i + 8 that of b.
inline Lanes least_of_pairs(const Lanes& a, const Lanes& b) {
  constexpr int kHalf = kInstants / 2;
  return each([&](int i) {
    const float* pair = i < kHalf ? a.lane + 2 * i : b.lane + 2 * (i - kHalf);
    return std::min(pair[0], pair[1]);
  });
}
inline Lanes greatest_of_pairs(const Lanes& a, const Lanes& b) {
  constexpr int kHalf = kInstants / 2;
  return each([&](int i) {
    const float* pair = i < kHalf ? a.lane + 2 * i : b.lane + 2 * (i - kHalf);
    return std::max(pair[0], pair[1]);
  });
}

#include "planner_ccd/first_look/detail/distance_inl.hpp"
#include "planner_ccd/first_look/detail/distance_kept_inl.hpp"
#include "planner_ccd/first_look/detail/edge_places_inl.hpp"
#include "planner_ccd/first_look/detail/look_inl.hpp"

}  // namespace

void look_one_by_one(const Tables& tables, const Edge& edge, Until until, Part part, Findings& findings) {
  Look(tables, edge, until, findings).run(part);
}

}  // namespace planner_ccd::look
