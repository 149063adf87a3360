#include "planner_ccd/papers/c2a_hca/taylor_transform.hpp"

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {

TaylorVector operator+(TaylorVector a, const TaylorVector& b) { return a.add_scaled(1.0, b); }
TaylorVector operator-(TaylorVector a, const TaylorVector& b) { return a.add_scaled(-1.0, b); }

TaylorVector operator*(const TaylorModel& k, const TaylorVector& a) {
  TaylorVector r;
  for (int i = 0; i < 3; ++i) r[i] = k * a[i];
  return r;
}

TaylorModel dot(const TaylorVector& a, const TaylorVector& b) {
  TaylorModel r = a[0] * b[0];
  r += a[1] * b[1];
  return r += a[2] * b[2];
}

TaylorModel dot(const Eigen::Vector3d& a, const TaylorVector& b) {
  TaylorModel r = a[0] * b[0];
  r.add_scaled(a[1], b[1]);
  return r.add_scaled(a[2], b[2]);
}

TaylorVector cross(const TaylorVector& a, const TaylorVector& b) {
  TaylorVector r;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    r[i] = a[j] * b[k] - a[k] * b[j];
  }
  return r;
}

IntervalVector box(const TaylorVector& v) { return {v[0].range(), v[1].range(), v[2].range()}; }

TaylorVector operator*(const TaylorRotation& R, const Eigen::Vector3d& v) {
  TaylorVector r;
  for (int j = 0; j < 3; ++j) {
    if (v[j] != 0.0) r.add_scaled(v[j], R.column[j]);
  }
  return r;
}

TaylorVector operator*(const TaylorRotation& R, const TaylorVector& v) {
  return v[0] * R.column[0] + v[1] * R.column[1] + v[2] * R.column[2];
}

TaylorRotation operator*(const TaylorRotation& A, const Eigen::Matrix3d& B) {
  return {{A * Eigen::Vector3d(B.col(0)), A * Eigen::Vector3d(B.col(1)), A * Eigen::Vector3d(B.col(2))}};
}

TaylorRotation operator*(const TaylorRotation& A, const TaylorRotation& B) {
  return {{A * B.column[0], A * B.column[1], A * B.column[2]}};
}

TaylorTransform TaylorTransform::constant(const Eigen::Isometry3d& X) {
  TaylorTransform r;
  for (int j = 0; j < 3; ++j) r.R.column[j] = TaylorVector(Eigen::Vector3d(X.linear().col(j)));
  r.p = TaylorVector(Eigen::Vector3d(X.translation()));
  return r;
}

namespace {

/// Turns the pair of columns (u, v), v a quarter turn ahead of u about the axis: u' = c u + s v, v' = c v - s u.
void turn_columns(TaylorVector& u, TaylorVector& v, const TaylorSinCos& angle, double sign) {
  for (int i = 0; i < 3; ++i) {
    TaylorModel a = angle.cos * u[i];
    TaylorModel b = angle.cos * v[i];
    a.add_scaled(sign, angle.sin * v[i]);
    b.add_scaled(-sign, angle.sin * u[i]);
    u[i] = a.widen(kRotationEntryError);
    v[i] = b.widen(kRotationEntryError);
  }
}

}  // namespace

void TaylorTransform::turn(const Eigen::Vector3d& axis, const TaylorSinCos& angle) {
  for (int k = 0; k < 3; ++k) {
    if (std::abs(axis[k]) == 1.0) {  // along a coordinate axis, as most joints are: only two columns change
      turn_columns(R.column[(k + 1) % 3], R.column[(k + 2) % 3], angle, axis[k]);
      return;
    }
  }
  // In a frame with z along the axis, and back.
  Eigen::Matrix3d Q;
  Q.col(2) = axis.normalized();
  Q.col(0) = Q.col(2).unitOrthogonal();
  Q.col(1) = Q.col(2).cross(Q.col(0));
  TaylorRotation turned = R * Q;
  turn_columns(turned.column[0], turned.column[1], angle, 1.0);
  R = turned * Eigen::Matrix3d(Q.transpose());
  for (TaylorVector& column : R.column) {
    for (TaylorModel& entry : column.e) entry.widen(2.0 * kRotationEntryError);
  }
}

void TaylorTransform::slide(const Eigen::Vector3d& axis, const TaylorModel& distance) {
  const TaylorVector direction = R * axis;
  for (int i = 0; i < 3; ++i) {
    p[i] += distance * direction[i];
    p[i].widen(kRotationEntryError * distance.mag());
  }
}

TaylorTransform operator*(const TaylorTransform& A, const Eigen::Isometry3d& B) {
  return {A.R * Eigen::Matrix3d(B.linear()), A * Eigen::Vector3d(B.translation())};
}

TaylorTransform operator*(const TaylorTransform& A, const TaylorTransform& B) { return {A.R * B.R, A.p + A.R * B.p}; }

TaylorVector operator*(const TaylorTransform& X, const Eigen::Vector3d& p) { return X.R * p + X.p; }

}  // namespace planner_ccd
