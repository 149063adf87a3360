#pragma once

#include "planner_ccd/math/lanes.hpp"

namespace planner_ccd::leaf {

// Additions to math/lanes.hpp for the leaf kernels. A Vector3x2 is mostly a vector at the start and the end of a
// motion.
using lanes::both;
using lanes::Double2;
using lanes::swapped;
using lanes::Vector3x2;
using Bits2 = long long __attribute__((vector_size(16)));

inline Double2 least(Double2 a, Double2 b) { return lanes::min(a, b); }
inline Double2 greatest(Double2 a, Double2 b) { return lanes::max(a, b); }
inline Double2 absolute(Double2 a) {
  return reinterpret_cast<Double2>(reinterpret_cast<Bits2>(a) & 0x7fffffffffffffffLL);
}
inline Double2 firsts(Double2 a, Double2 b) { return __builtin_shufflevector(a, b, 0, 2); }
inline Double2 seconds(Double2 a, Double2 b) { return __builtin_shufflevector(a, b, 1, 3); }

inline double least_lane(Double2 a) { return a[0] < a[1] ? a[0] : a[1]; }
inline double greatest_lane(Double2 a) { return a[0] > a[1] ? a[0] : a[1]; }

inline Vector3x2 least(const Vector3x2& a, const Vector3x2& b) {
  return {least(a.x, b.x), least(a.y, b.y), least(a.z, b.z)};
}
inline Vector3x2 greatest(const Vector3x2& a, const Vector3x2& b) {
  return {greatest(a.x, b.x), greatest(a.y, b.y), greatest(a.z, b.z)};
}
inline Vector3x2 absolute(const Vector3x2& a) { return {absolute(a.x), absolute(a.y), absolute(a.z)}; }
inline Vector3x2 swapped(const Vector3x2& a) { return {swapped(a.x), swapped(a.y), swapped(a.z)}; }
inline Vector3x2 firsts(const Vector3x2& a, const Vector3x2& b) {
  return {firsts(a.x, b.x), firsts(a.y, b.y), firsts(a.z, b.z)};
}
inline Vector3x2 seconds(const Vector3x2& a, const Vector3x2& b) {
  return {seconds(a.x, b.x), seconds(a.y, b.y), seconds(a.z, b.z)};
}
/// The second of a and the first of b.
inline Vector3x2 joined(const Vector3x2& a, const Vector3x2& b) {
  return {__builtin_shufflevector(a.x, b.x, 1, 2), __builtin_shufflevector(a.y, b.y, 1, 2),
          __builtin_shufflevector(a.z, b.z, 1, 2)};
}
inline Double2 greatest_coordinate(const Vector3x2& a) {
  const Vector3x2 b = absolute(a);
  return greatest(greatest(b.x, b.y), b.z);
}

}  // namespace planner_ccd::leaf
