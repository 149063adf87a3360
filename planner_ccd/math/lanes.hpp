#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace planner_ccd::lanes {

/// Vectors of four floats, which GCC and Clang support on every processor.
using Lanes = float __attribute__((vector_size(16)));
using Mask = std::int32_t __attribute__((vector_size(16)));

inline Lanes all(float x) { return Lanes{x, x, x, x}; }
inline Lanes only(Mask mask, Lanes x) { return reinterpret_cast<Lanes>(reinterpret_cast<Mask>(x) & mask); }

// Single instructions that the compiler would not find; the results are the same.
#if defined(__SSE2__)
inline Lanes min(Lanes a, Lanes b) { return _mm_min_ps(a, b); }
inline Lanes max(Lanes a, Lanes b) { return _mm_max_ps(a, b); }
inline Lanes root(Lanes x) { return _mm_sqrt_ps(x); }
inline bool any(Mask m) { return _mm_movemask_ps(reinterpret_cast<Lanes>(m)) != 0; }
#else
inline Lanes min(Lanes a, Lanes b) { return a < b ? a : b; }
inline Lanes max(Lanes a, Lanes b) { return a > b ? a : b; }
inline Lanes root(Lanes x) { return Lanes{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])}; }
inline bool any(Mask m) { return (m[0] | m[1] | m[2] | m[3]) != 0; }
#endif
inline Lanes clamp01(Lanes x) { return min(max(x, Lanes{}), all(1.0f)); }

inline void transpose(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
  const Lanes ab0 = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab1 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Lanes cd0 = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd1 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  a = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
  c = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
  d = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

/// Vectors of two doubles: one plain IEEE operation per lane on any machine.
using Double2 = double __attribute__((vector_size(16)));
using Mask2 = decltype(Double2{} < Double2{});  // of long in GCC, of long long in Clang

inline Double2 both(double x) { return Double2{x, x}; }
inline Double2 only(Mask2 mask, Double2 x) { return reinterpret_cast<Double2>(reinterpret_cast<Mask2>(x) & mask); }
#if defined(__SSE2__)
inline Double2 min(Double2 a, Double2 b) { return _mm_min_pd(a, b); }
inline Double2 max(Double2 a, Double2 b) { return _mm_max_pd(a, b); }
inline Double2 root(Double2 x) { return _mm_sqrt_pd(x); }
inline bool any(Mask2 m) { return _mm_movemask_pd(reinterpret_cast<Double2>(m)) != 0; }
#else
inline Double2 min(Double2 a, Double2 b) { return a < b ? a : b; }
inline Double2 max(Double2 a, Double2 b) { return a > b ? a : b; }
inline Double2 root(Double2 x) { return Double2{std::sqrt(x[0]), std::sqrt(x[1])}; }
inline bool any(Mask2 m) { return (m[0] | m[1]) != 0; }
#endif
inline Double2 clamp01(Double2 x) { return min(max(x, Double2{}), both(1.0)); }
inline Double2 swapped(Double2 a) { return __builtin_shufflevector(a, a, 1, 0); }

/// 3-vectors, one per lane.
template <typename Number>
struct VectorLanes {
  Number x, y, z;

  Eigen::Vector3d first() const { return {x[0], y[0], z[0]}; }
  Eigen::Vector3d second() const { return {x[1], y[1], z[1]}; }

  friend VectorLanes operator+(const VectorLanes& a, const VectorLanes& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend VectorLanes operator-(const VectorLanes& a, const VectorLanes& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend VectorLanes operator*(Number s, const VectorLanes& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend Number dot(const VectorLanes& a, const VectorLanes& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  friend VectorLanes cross(const VectorLanes& a, const VectorLanes& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
};
using Vectors = VectorLanes<Lanes>;
using Vector3x2 = VectorLanes<Double2>;

inline Vector3x2 side_by_side(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return {Double2{a[0], b[0]}, Double2{a[1], b[1]}, Double2{a[2], b[2]}};
}
inline Vector3x2 twice(const Eigen::Vector3d& a) { return {both(a[0]), both(a[1]), both(a[2])}; }
inline Double2 abs_sum(const Vector3x2& v) { return max(v.x, -v.x) + max(v.y, -v.y) + max(v.z, -v.z); }

}  // namespace planner_ccd::lanes
