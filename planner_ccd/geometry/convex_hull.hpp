#pragma once

#include <Eigen/Core>
#include <span>

#include "planner_ccd/geometry/triangle_mesh.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// The convex hull of points, as a closed mesh of some of them, counter-clockwise seen from outside.
///
/// It contains every point exactly (coordinates below 2^-200 m count as 0): no padding is needed. Points in one plane
/// give the two sides of a polygon, points on one line a triangle and its reverse with two equal corners each, a single
/// point a triangle of three equal corners. Throws InputError without points, or for one that is not finite or lies
/// beyond kMaxCoordinate.
TriangleMesh convex_hull(std::span<const Eigen::Vector3d> points);

}  // namespace planner_ccd
#pragma GCC visibility pop
