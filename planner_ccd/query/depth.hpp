#pragma once

#include <Eigen/Geometry>
#include <optional>

#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

struct Depth {
  double depth = 0.0;     ///< [m]
  Eigen::Vector3d point;  ///< The vertex, world frame.
};

/// The deepest vertex of one body inside the other: the greatest distance, to rounding, from such a vertex to the surface
/// of the body it is in. To part, the bodies must be shifted at least that far. Only meshes with an inside count; none
/// when no vertex is inside.
std::optional<Depth> deepest_vertex(const SsvTree& a, const Eigen::Isometry3d& X_WA, const SsvTree& b,
                                    const Eigen::Isometry3d& X_WB);

}  // namespace planner_ccd
