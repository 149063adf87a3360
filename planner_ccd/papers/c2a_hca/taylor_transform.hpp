#pragma once

#include <Eigen/Geometry>
#include <array>

#include "planner_ccd/papers/c2a_hca/taylor_model.hpp"

namespace planner_ccd {

/// Three models over one domain: a moving point or direction.
struct TaylorVector {
  std::array<TaylorModel, 3> e;

  TaylorVector() = default;
  explicit TaylorVector(const Eigen::Vector3d& v) : e{v.x(), v.y(), v.z()} {}
  TaylorModel& operator[](int i) { return e[i]; }
  const TaylorModel& operator[](int i) const { return e[i]; }
  TaylorVector& add_scaled(double k, const TaylorVector& b) {
    for (int i = 0; i < 3; ++i) e[i].add_scaled(k, b[i]);
    return *this;
  }
};

using IntervalVector = std::array<Interval, 3>;

TaylorVector operator+(TaylorVector a, const TaylorVector& b);
TaylorVector operator-(TaylorVector a, const TaylorVector& b);
TaylorVector operator*(const TaylorModel& k, const TaylorVector& a);
TaylorModel dot(const TaylorVector& a, const TaylorVector& b);
TaylorModel dot(const Eigen::Vector3d& a, const TaylorVector& b);
TaylorVector cross(const TaylorVector& a, const TaylorVector& b);
/// The box the vector stays in: range() of each component.
IntervalVector box(const TaylorVector& v);

/// A rotation matrix whose entries are models, by columns: the images of the axes.
struct TaylorRotation {
  std::array<TaylorVector, 3> column;
};

TaylorVector operator*(const TaylorRotation& R, const Eigen::Vector3d& v);
TaylorVector operator*(const TaylorRotation& R, const TaylorVector& v);
TaylorRotation operator*(const TaylorRotation& A, const Eigen::Matrix3d& B);
TaylorRotation operator*(const TaylorRotation& A, const TaylorRotation& B);

/// The pose X_FB(t) of a body B in a frame F over a time domain. Poses along a kinematic chain are built from the root
/// outwards:
///
///   TaylorTransform X = TaylorTransform::identity();
///   X = X * X_ParentJoint;                        // fixed offset
///   X.turn(axis, TaylorModel::linear(domain, q0, q1 - q0, order));   // revolute
///   X.slide(axis, distance);                      // prismatic
///
/// What the model encloses is the motion of the exactly normalised axis; how far the given doubles are from it is part
/// of the remainder (kRotationEntryError).
struct TaylorTransform {
  TaylorRotation R;
  TaylorVector p;

  static TaylorTransform identity() { return constant(Eigen::Isometry3d::Identity()); }
  static TaylorTransform constant(const Eigen::Isometry3d& X);

  /// Followed by a rotation about a unit axis given in B.
  void turn(const Eigen::Vector3d& axis, const TaylorModel& angle) { turn(axis, sin_cos(angle)); }
  void turn(const Eigen::Vector3d& axis, const TaylorSinCos& angle);
  /// Followed by a translation along a unit axis given in B.
  void slide(const Eigen::Vector3d& axis, const TaylorModel& distance);
};

TaylorTransform operator*(const TaylorTransform& A, const Eigen::Isometry3d& B);
TaylorTransform operator*(const TaylorTransform& A, const TaylorTransform& B);
/// Where a point of B is in F.
TaylorVector operator*(const TaylorTransform& X, const Eigen::Vector3d& p);

}  // namespace planner_ccd
