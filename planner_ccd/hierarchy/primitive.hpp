#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "planner_ccd/geometry/triangle_distance.hpp"
#include "planner_ccd/math/tolerances.hpp"

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
  double rim_error =
      0.0;  ///< [m] By which the flat ends of a moved cylinder may be off beside their centres: see moved().
};

/// The primitive moved by p -> R p + t. The ends of a cylinder are rounded one by one, which tilts its axis, and a rim goes with it by the
/// radius times as much (MATHS.md 10d): far more than the ends, if the cylinder is thin.
inline Primitive moved(Primitive p, const Eigen::Matrix3d& R, const Eigen::Vector3d& t) {
  if (p.kind == PrimitiveKind::Cube) {
    p.corners = {R * p.corners[0] + t, R * p.corners[1], R * p.corners[2]};
    return p;
  }
  if (p.kind == PrimitiveKind::Cylinder) {
    const double size = std::max(p.corners[0].norm(), p.corners[1].norm()) + t.norm();
    const double tilt = 48.0 * kUnitRoundoff * size / (p.corners[1] - p.corners[0]).norm();
    p.rim_error += p.radius * std::min(2.0, tilt);
  }
  for (Eigen::Vector3d& c : p.corners) c = R * c + t;
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
