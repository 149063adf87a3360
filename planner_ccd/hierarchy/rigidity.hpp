#pragma once

#include <Eigen/Geometry>

#include "planner_ccd/math/lanes.hpp"

/// How far two poses are from rigid motions, one pose per lane. Private to this folder.
namespace planner_ccd::detail {

/// The rotations of two poses, by columns.
struct Rotations {
  lanes::Vector3x2 x, y, z;

  Rotations(const Eigen::Isometry3d& X_WA, const Eigen::Isometry3d& X_WB)
      : x(column(X_WA, X_WB, 0)), y(column(X_WA, X_WB, 4)), z(column(X_WA, X_WB, 8)) {}

  /// Squares of ||R^T R - I||, Frobenius.
  lanes::Double2 squared_defects() const {
    const lanes::Double2 xx = dot(x, x) - 1.0, yy = dot(y, y) - 1.0, zz = dot(z, z) - 1.0;
    const lanes::Double2 xy = dot(x, y), yz = dot(y, z), zx = dot(z, x);
    return xx * xx + yy * yy + zz * zz + 2.0 * (xy * xy + yz * yz + zx * zx);
  }
  /// Neither mirrors.
  bool are_proper() const {
    const lanes::Double2 turn = dot(cross(x, y), z);
    return turn[0] > 0.0 && turn[1] > 0.0;
  }

  lanes::Vector3x2 operator*(const lanes::Vector3x2& v) const { return v.x * x + v.y * y + v.z * z; }
  lanes::Vector3x2 transposed_times(const lanes::Vector3x2& v) const { return {dot(x, v), dot(y, v), dot(z, v)}; }

 private:
  static lanes::Vector3x2 column(const Eigen::Isometry3d& a, const Eigen::Isometry3d& b, int first) {
    static_assert(Eigen::Isometry3d::MatrixType::RowsAtCompileTime == 4 && !Eigen::Isometry3d::MatrixType::IsRowMajor);
    const double *p = a.data() + first, *q = b.data() + first;
    return {lanes::Double2{p[0], q[0]}, lanes::Double2{p[1], q[1]}, lanes::Double2{p[2], q[2]}};
  }
};

}  // namespace planner_ccd::detail
