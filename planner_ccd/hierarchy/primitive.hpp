#pragma once

#include <cstdint>

#include "planner_ccd/geometry/triangle_distance.hpp"

namespace planner_ccd {

/// What a leaf holds. Spheres and capsules are points and segments with a radius; boxes and convex hulls are the
/// triangles of their surface (and solid); cylinders stay cylinders.
enum class PrimitiveKind : std::uint8_t { RoundedTriangle, Cylinder };

struct Primitive {
  PrimitiveKind kind;
  Triangle corners;  ///< RoundedTriangle: corners. Cylinder: ends of the axis in [0] and [1] (and [1] again in [2]).
  double radius;     ///< [m] RoundedTriangle: 0 for meshes. Cylinder: its radius.
  int geometry;      ///< Index of the Geometry it came from.
  int triangle;      ///< Index of the triangle in that geometry's own mesh; -1 for spheres, capsules, cylinders.
};

}  // namespace planner_ccd
