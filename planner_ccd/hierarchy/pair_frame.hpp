#pragma once

#include <Eigen/Geometry>

#include "planner_ccd/hierarchy/ssv_tree.hpp"
#include "planner_ccd/math/lanes.hpp"

namespace planner_ccd::detail {

/// The rotations of two poses by columns, a pose per lane, and how far they are from rigid motions.
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

namespace planner_ccd {

/// Two bodies with their poses, and how far these are from rigid motions.
struct PosedPair {
  const SsvTree& a;
  const Eigen::Isometry3d& X_WA;
  const SsvTree& b;
  const Eigen::Isometry3d& X_WB;
  detail::Rotations rotations{X_WA, X_WB};
  lanes::Double2 squared_defects = rotations.squared_defects();
  bool proper = rotations.are_proper();
};

/// [m] How far a distance computed in a PairFrame may be from the true one, from rounding and from poses that are rigid only to rounding:
/// (39) of MATHS.md 10e. Throws InputError, naming the body, for a pose that is not finite, mirrors, or is not orthonormal to 1e-6.
double pose_pad(const PosedPair& p);

/// True only if the roots' volumes are proved more than `margin` apart, along the line through their middles or one
/// between near points, and the poses are rigid to rounding. A first test for bodies that may be far apart, cheaper
/// than a PairFrame and a batch of nodes.
bool roots_apart(const PosedPair& p, double margin);

/// The frame of a query: B at rest, A moved by X_BA.
struct PairFrame {
  Eigen::Matrix3d R_BA;
  Eigen::Vector3d p_BA;
  double pad;  ///< [m] pose_pad()

  [[gnu::visibility("default")]] explicit PairFrame(const PosedPair& p);
  PairFrame(const SsvTree& a, const Eigen::Isometry3d& X_WA, const SsvTree& b, const Eigen::Isometry3d& X_WB)
      : PairFrame(PosedPair{a, X_WA, b, X_WB}) {}

  Eigen::Vector3d place(const Eigen::Vector3d& p) const { return R_BA * p + p_BA; }
  Triangle place(const Triangle& c) const { return {place(c[0]), place(c[1]), place(c[2])}; }
  /// A volume of A in the frame of B. The pad covers its rounding; the radius is unchanged.
  Ssv place(const Ssv& v) const {
    Ssv r;
    r.origin = place(v.origin);
    r.edge0 = R_BA * v.edge0;
    r.edge1 = R_BA * v.edge1;
    r.radius = v.radius;
    r.type = v.type;
    return r;
  }
};

}  // namespace planner_ccd
