#pragma once

#include <array>
#include <cstdint>

#include "planner_ccd/geometry/triangle_distance.hpp"

namespace planner_ccd {

/// The content of a leaf. Spheres and capsules are points and segments with a radius; boxes and convex hulls are the
/// triangles of their surface (and solid); cylinders stay cylinders; cells of a map are cubes or columns.
enum class PrimitiveKind : std::uint8_t { RoundedTriangle, Cylinder, Cube };

struct Primitive {
  PrimitiveKind kind;
  /// RoundedTriangle: corners. Cylinder: ends of the axis in [0] and [1] (and [1] again in [2]). Cube: its centre in
  /// [0]; [1] and [2], not longer, are vectors: to the middles of two faces, a square one first.
  Triangle corners;
  double
      radius;  ///< [m] RoundedTriangle: 0 for meshes. Cylinder: its radius. Cube: extends it by this distance all around.
  int geometry;  ///< Index of the Geometry it came from.
  int triangle;  ///< Index of the triangle in that geometry's own mesh, or the number of the point or cell; -1 for spheres,
                 ///< capsules, cylinders.
};

/// The primitive moved by p -> R p + t.
inline Primitive moved(Primitive p, const Eigen::Matrix3d& R, const Eigen::Vector3d& t) {
  if (p.kind == PrimitiveKind::Cube) {
    p.corners = {R * p.corners[0] + t, R * p.corners[1], R * p.corners[2]};
  } else {
    for (Eigen::Vector3d& c : p.corners) c = R * c + t;
  }
  return p;
}

/// To the middles of three faces; the third is as long as the second.
inline std::array<Eigen::Vector3d, 3> half_edges(const Primitive& cube) {
  const Eigen::Vector3d &x = cube.corners[1], &y = cube.corners[2];
  return {x, y, x.cross(y) / x.norm()};
}

/// [m] No point is farther from the centre: 1.7321 is more than the root of 3, and [1] the longest.
inline double reach_of_cube(const Primitive& cube) { return 1.7321 * cube.corners[1].norm() + cube.radius; }

}  // namespace planner_ccd
