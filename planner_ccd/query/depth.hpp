#pragma once

#include <Eigen/Geometry>
#include <optional>

#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

struct Depth {
  double depth = 0.0;     ///< [m]
  Eigen::Vector3d point;  ///< In the world frame.
};

/// How deep two bodies are seen in one another, to rounding: to part, they must be shifted at least that far. The greatest of
///   - the distance from a vertex (of a cloud a point, of a map the middle of a cell) that is inside of a mesh to the surface of that,
///   - r + R - d of two shapes with radii r and R, one of them > 0, whose cores (a ball's centre, a capsule's axis, a triangle of any
///     mesh) are at distance d: a shift by s brings cores farther apart by no more than |s|. Of a cylinder that is the capsule in it, of
///     a cell the ball in it.
/// None where neither says anything: open meshes alone, say.
std::optional<Depth> deepest_point(const SsvTree& a, const Eigen::Isometry3d& X_WA, const SsvTree& b,
                                   const Eigen::Isometry3d& X_WB);

}  // namespace planner_ccd
