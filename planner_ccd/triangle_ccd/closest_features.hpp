#pragma once

#include <Eigen/Core>
#include <array>

#include "planner_ccd/geometry/triangle_distance.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Closest points of two primitives in plain double arithmetic. They only *propose*: a witness, or a direction that the
/// caller verifies itself. The weights are always convex (>= 0, sum 1 to rounding), whatever the input.
struct ClosestFeatures {
  std::array<double, 3> weights_a{};
  std::array<double, 3> weights_b{};
  Eigen::Vector3d point_a;
  Eigen::Vector3d point_b;
};

/// A is the point. (Voronoi regions of the triangle, as in Ericson's "Real-Time Collision Detection", 5.1.5.)
ClosestFeatures closest_point_triangle(const Eigen::Vector3d& point, const Triangle& triangle);

/// (Ericson 5.1.9; degenerate and parallel segments included.)
ClosestFeatures closest_segments(const std::array<Eigen::Vector3d, 2>& a, const std::array<Eigen::Vector3d, 2>& b);

/// The feature on which convex weights lie: which of them are exactly 0 decides.
Feature feature_of(const std::array<double, 3>& weights);

}  // namespace planner_ccd
#pragma GCC visibility pop
