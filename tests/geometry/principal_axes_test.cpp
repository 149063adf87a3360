#include "planner_ccd/geometry/principal_axes.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "support/scale.hpp"

namespace planner_ccd {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Expects a right-handed orthonormal frame in which A is diagonal: to rounding where A's eigenvalues are `apart`.
void expect_eigenvectors(const Matrix3d& A, const char* what, bool apart = false) {
  const Matrix3d axes = principal_axes(A);
  EXPECT_LT((axes.transpose() * axes - Matrix3d::Identity()).norm(), 1e-14) << what;
  EXPECT_GT(axes.determinant(), 0.0) << what;
  const Matrix3d D = axes.transpose() * A * axes;
  const double error = (apart ? 1e-12 : 1e-7) * A.cwiseAbs().maxCoeff();
  EXPECT_LE(std::abs(D(0, 1)) + std::abs(D(1, 2)) + std::abs(D(2, 0)), error) << what << "\n" << A;
  EXPECT_GE(D(0, 0), D(1, 1) - error) << what << "\n" << A;
  EXPECT_GE(D(1, 1), D(2, 2) - error) << what << "\n" << A;
}

bool apart(const Vector3d& d) {
  const double least = std::min({std::abs(d[0] - d[1]), std::abs(d[1] - d[2]), std::abs(d[2] - d[0])});
  return least > 0.01 * d.cwiseAbs().maxCoeff();
}

TEST(PrincipalAxes, DiagonaliseAnyCovariance) {
  std::mt19937 random(11);
  std::normal_distribution<double> n;
  std::uniform_int_distribution<int> kind(0, 5);
  const int draws = testing::scaled(100000, 100);
  int separated = 0;
  for (int i = 0; i < draws; ++i) {
    const Matrix3d R = Eigen::Quaterniond(n(random), n(random), n(random), n(random)).normalized().toRotationMatrix();
    Vector3d d(n(random), n(random), n(random));
    switch (kind(random)) {
      case 0: d[1] = d[0]; break;
      case 1: d[1] = d[0] * (1.0 + std::pow(10.0, -16.0 * std::abs(n(random)))); break;
      case 2: d[2] = d[1] = 0.0; break;
      case 3: d = d.cwiseAbs() + Vector3d::Constant(1e3); break;
      case 4: d *= std::pow(10.0, 40.0 * n(random)); break;
      default: break;
    }
    Matrix3d A = R * d.asDiagonal() * R.transpose();
    A = 0.5 * (A + A.transpose()).eval();
    separated += apart(d);
    expect_eigenvectors(A, "random", apart(d));
    if (HasFailure()) FAIL() << "draw " << i << " of seed 11";
  }
  EXPECT_GT(separated, draws / 3);
}

TEST(PrincipalAxes, AnyFrameWhereThereAreNone) {
  expect_eigenvectors(Matrix3d::Zero(), "zero");
  expect_eigenvectors(Matrix3d::Identity(), "identity");
  expect_eigenvectors(Vector3d(2, 2, 1).asDiagonal(), "oblate");
  expect_eigenvectors(Vector3d(1, 2, 1).asDiagonal(), "prolate");
  expect_eigenvectors(Vector3d(3, 2, 1).asDiagonal(), "diagonal");
  expect_eigenvectors(Matrix3d::Ones(), "rank one");
  EXPECT_EQ(principal_axes(Matrix3d::Constant(std::numeric_limits<double>::quiet_NaN())), Matrix3d::Identity());
  EXPECT_EQ(principal_axes(Matrix3d::Constant(std::numeric_limits<double>::infinity())), Matrix3d::Identity());
}

}  // namespace
}  // namespace planner_ccd
