#pragma once

#include <Eigen/Geometry>

#include "planner_ccd/geometry/triangle_mesh.hpp"
#include "tests/geometry/exact_triangle_distance.hpp"

namespace planner_ccd::bench {

/// The exact squared distance of A's triangle i, placed by the pose's own doubles without any rounding, and B's
/// triangle j: decides when two libraries differ.
exact::SquaredDistance exact_squared_distance(const TriangleMesh& a, int i, const Eigen::Isometry3d& X_BA,
                                              const TriangleMesh& b, int j);

}  // namespace planner_ccd::bench
