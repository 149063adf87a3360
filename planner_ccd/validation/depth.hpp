#pragma once

#include <Eigen/Geometry>
#include <optional>

#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

struct Depth {
  double depth = 0.0;     ///< [m]
  Eigen::Vector3d point;  ///< In the world frame.
};

/// How deep two bodies penetrate, to rounding: to separate, they must be shifted at least this far. The greatest of
///   - the distance from a vertex (a cloud's point, the centre of a map's cell) inside a mesh to the surface of that
///     mesh,
///   - r + R - d for two shapes with radii r and R, one of them > 0, whose cores (a ball's centre, a capsule's axis, a
///     triangle of any mesh) are at distance d: a shift by s separates cores by at most |s| more. A cylinder counts as
///     its inscribed capsule, a cell as the capsule in it.
/// Of boxes and hulls of at most 24 triangles it is the least such shift. Empty if none applies: for open meshes alone.
std::optional<Depth> deepest_point(const SsvTree& a, const Eigen::Isometry3d& X_WA, const SsvTree& b,
                                   const Eigen::Isometry3d& X_WB);

}  // namespace planner_ccd
