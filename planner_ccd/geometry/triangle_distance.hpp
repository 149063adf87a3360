#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Three corners. Equal or collinear corners make it a segment or a point, which every routine here accepts.
using Triangle = std::array<Eigen::Vector3d, 3>;

/// The feature of a triangle that a witness point lies on.
enum class Feature : std::uint8_t { Vertex0, Vertex1, Vertex2, Edge01, Edge12, Edge20, Face };

struct TriangleDistance {
  double distance;          ///< [m] Certified: never above the true distance; 0 when they touch or may touch.
  double upper;             ///< [m] Distance of the two witness points, rounded up: never below the true distance.
  Eigen::Vector3d point_a;  ///< Witness points (to rounding).
  Eigen::Vector3d point_b;
  Eigen::Vector3d
      normal;  ///< Unit, from A towards B; n.b - n.a >= distance for all points. Any unit vector when they touch.
  Feature feature_a;
  Feature feature_b;
};

TriangleDistance triangle_distance(const Triangle& a, const Triangle& b);

/// True only if the triangles are proved farther apart than `threshold` [m] >= 0; false if they are closer, or within
/// rounding of it. Cheaper than the distance when they are clearly on one side.
bool triangle_gap_exceeds(const Triangle& a, const Triangle& b, double threshold);

}  // namespace planner_ccd
#pragma GCC visibility pop
