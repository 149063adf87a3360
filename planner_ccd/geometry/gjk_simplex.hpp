#pragma once

#include <Eigen/Geometry>

namespace planner_ccd::gjk_detail {

/// Up to four points w = b - a of the difference of two bodies, with the a and b they come from, and weights that make
/// the point of their hull closest to the origin.
struct Simplex {
  Eigen::Vector3d a[4], b[4], w[4];
  double weight[4] = {0.0, 0.0, 0.0, 0.0};  ///< >= 0, sum 1 to rounding.
  int size = 0;

  void add(const Eigen::Vector3d& point_a, const Eigen::Vector3d& point_b) {
    a[size] = point_a;
    b[size] = point_b;
    w[size] = point_b - point_a;
    weight[size] = 0.0;
    ++size;
  }

  Eigen::Vector3d point_a() const { return combined(a); }
  Eigen::Vector3d point_b() const { return combined(b); }

  /// Finds the weights, given that the point added last belongs to the closest face, and drops the points without
  /// weight.
  ///
  /// All faces that contain the new point (one vertex, three edges, three triangles, the solid) are asked, and the
  /// nearest whose foot is inside is taken. A foot missed by rounding at a border is found on the neighbouring face.
  void reduce();

 private:
  Eigen::Vector3d combined(const Eigen::Vector3d* points) const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (int i = 0; i < size; ++i) sum += weight[i] * points[i];
    return sum;
  }
};

}  // namespace planner_ccd::gjk_detail
