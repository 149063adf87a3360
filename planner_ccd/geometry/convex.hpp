#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>

#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/geometry/triangle_distance.hpp"

namespace planner_ccd {

/// A solid convex body in its own frame: all points within `radius` of a core. A value of fixed size; only a hull
/// refers to points stored elsewhere.
struct Convex {
  enum class Core : std::uint8_t {
    Corners,   ///< The hull of the three corners; equal ones make it a segment or a point.
    Cylinder,  ///< Flat ends of radius `core_radius` around corners[0] and corners[1].
    Box,       ///< Centred at the origin, along the axes; corners[0] is half its size.
    Hull,      ///< The hull of `points`.
  };
  Core core = Core::Corners;
  std::array<Eigen::Vector3d, 3> corners{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  double core_radius = 0.0;                 ///< [m] Of a cylinder.
  std::span<const Eigen::Vector3d> points;  ///< Of a hull, not empty; must outlive this.
  double radius = 0.0;                      ///< [m] >= 0
};

Convex rounded_triangle(const Triangle& corners, double radius);
Convex cylinder_between(const Eigen::Vector3d& end0, const Eigen::Vector3d& end1, double radius);
Convex convex_hull_of(std::span<const Eigen::Vector3d> points);

/// The body a shape describes. A hull refers to the shape's own points. Throws InputError for a mesh, which need not be
/// convex.
Convex convex_of(const Shape& shape);

/// The point of the body farthest along `direction`, which is not 0 (to rounding).
Eigen::Vector3d support(const Convex& body, const Eigen::Vector3d& direction);

}  // namespace planner_ccd
