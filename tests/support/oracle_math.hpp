#pragma once

#include <Eigen/Geometry>
#include <cmath>

/// The oracle's own arithmetic: extended precision, plain vectors and explicit 4x4 matrices. It shares no code with the
/// checker it judges; Eigen appears only where the checker's input is copied.
namespace planner_ccd::truth {

using Real = long double;

template <typename T>
struct Vector {
  T x = 0, y = 0, z = 0;

  friend Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vector operator*(T s, const Vector& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend T dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  friend Vector cross(const Vector& a, const Vector& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  friend T squared(const Vector& a) { return dot(a, a); }
};
using Vec = Vector<Real>;

inline Real norm(const Vec& a) { return std::sqrt(squared(a)); }
inline Vec from(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
inline Eigen::Vector3d to_eigen(const Vec& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

/// A homogeneous matrix; the last row is 0 0 0 1 for every transform here.
struct Mat4 {
  Real m[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
};

inline Mat4 operator*(const Mat4& a, const Mat4& b) {
  Mat4 c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    }
    c.m[i][3] += a.m[i][3];
  }
  return c;
}

inline Vec operator*(const Mat4& a, const Vec& p) {
  return {a.m[0][0] * p.x + a.m[0][1] * p.y + a.m[0][2] * p.z + a.m[0][3],
          a.m[1][0] * p.x + a.m[1][1] * p.y + a.m[1][2] * p.z + a.m[1][3],
          a.m[2][0] * p.x + a.m[2][1] * p.y + a.m[2][2] * p.z + a.m[2][3]};
}

/// The inverse of a rigid transform.
inline Mat4 inverse(const Mat4& a) {
  Mat4 r;
  for (int i = 0; i < 3; ++i) {
    r.m[i][3] = 0;
    for (int j = 0; j < 3; ++j) {
      r.m[i][j] = a.m[j][i];
      r.m[i][3] -= a.m[j][i] * a.m[j][3];
    }
  }
  return r;
}

inline Mat4 from(const Eigen::Isometry3d& X) {
  Mat4 a;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) a.m[i][j] = X.matrix()(i, j);
  }
  return a;
}

inline Mat4 translation(const Vec& p) {
  Mat4 a;
  a.m[0][3] = p.x, a.m[1][3] = p.y, a.m[2][3] = p.z;
  return a;
}

/// Rotation of a quaternion (w, v) that need not be of unit length.
inline Mat4 rotation(Real w, const Vec& v) {
  const Real s = 2 / (w * w + squared(v));
  Mat4 a;
  a.m[0][0] = 1 - s * (v.y * v.y + v.z * v.z), a.m[0][1] = s * (v.x * v.y - w * v.z);
  a.m[0][2] = s * (v.x * v.z + w * v.y), a.m[1][0] = s * (v.x * v.y + w * v.z);
  a.m[1][1] = 1 - s * (v.x * v.x + v.z * v.z), a.m[1][2] = s * (v.y * v.z - w * v.x);
  a.m[2][0] = s * (v.x * v.z - w * v.y), a.m[2][1] = s * (v.y * v.z + w * v.x);
  a.m[2][2] = 1 - s * (v.x * v.x + v.y * v.y);
  return a;
}

inline Mat4 turn(const Vec& unit_axis, Real angle) {
  return rotation(std::cos(angle / 2), std::sin(angle / 2) * unit_axis);
}

}  // namespace planner_ccd::truth
