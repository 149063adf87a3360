#pragma once

#include <Eigen/Core>

namespace planner_ccd::leaf {

/// Two doubles in one register: GCC and clang vector extensions, so that every operation is one plain IEEE operation per lane
/// on any machine (SSE2 and NEON have them in their baseline) and results do not depend on the machine.
using Double2 = double __attribute__((vector_size(16)));
using Bits2 = long long __attribute__((vector_size(16)));

inline Double2 both(double x) { return Double2{x, x}; }
inline Double2 least(Double2 a, Double2 b) { return a < b ? a : b; }
inline Double2 greatest(Double2 a, Double2 b) { return a > b ? a : b; }
inline Double2 absolute(Double2 a) {
  return reinterpret_cast<Double2>(reinterpret_cast<Bits2>(a) & 0x7fffffffffffffffLL);
}
inline Double2 swapped(Double2 a) { return __builtin_shufflevector(a, a, 1, 0); }
inline Double2 firsts(Double2 a, Double2 b) { return __builtin_shufflevector(a, b, 0, 2); }
inline Double2 seconds(Double2 a, Double2 b) { return __builtin_shufflevector(a, b, 1, 3); }

inline double least_lane(Double2 a) { return a[0] < a[1] ? a[0] : a[1]; }
inline double greatest_lane(Double2 a) { return a[0] > a[1] ? a[0] : a[1]; }

/// A vector of pairs: mostly the start and the end of the motion of a vector.
struct Vector3x2 {
  Double2 x, y, z;

  Eigen::Vector3d first() const { return {x[0], y[0], z[0]}; }
  Eigen::Vector3d second() const { return {x[1], y[1], z[1]}; }
};

inline Vector3x2 operator+(const Vector3x2& a, const Vector3x2& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector3x2 operator-(const Vector3x2& a, const Vector3x2& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector3x2 operator*(Double2 s, const Vector3x2& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Double2 dot(const Vector3x2& a, const Vector3x2& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector3x2 cross(const Vector3x2& a, const Vector3x2& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
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
