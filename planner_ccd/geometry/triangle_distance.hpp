#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

namespace planner_ccd {

/// Three corners. Equal or collinear corners make it a segment or a point, which every routine here accepts.
using Triangle = std::array<Eigen::Vector3d, 3>;

/// What of a triangle a witness point lies on.
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

/// The same, trying first the features of an earlier result for these triangles in a similar pose. The answer is as
/// tight and as certain with a wrong guess, only later.
TriangleDistance triangle_distance(const Triangle& a, const Triangle& b, Feature guess_a, Feature guess_b);

/// Certified lower bound of the distance [m] from the direction n alone, of any length; not positive if n does not
/// separate them. For |n| = 1 (up to rounding) it is also one of min n.b - max n.a. Six dot products: the way to try a
/// remembered direction again.
double triangle_gap_along(const Triangle& a, const Triangle& b, const Eigen::Vector3d& n);

/// True only if the triangles are proved farther apart than `threshold` [m] >= 0; false if they are closer, or within
/// rounding of it. Cheaper than the distance when they are clearly on one side.
bool triangle_gap_exceeds(const Triangle& a, const Triangle& b, double threshold);

/// True when the triangles share a point, or when rounding leaves it open.
bool triangles_may_touch(const Triangle& a, const Triangle& b);

}  // namespace planner_ccd
