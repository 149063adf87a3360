#pragma once

#include <Eigen/Core>

#include "planner_ccd/geometry/mesh_inside.hpp"
#include "planner_ccd/hierarchy/pair_frame.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// Whether one of the meshes below the tree encloses p (in the tree's frame): in a shell of it, and not in a cavity of that.
/// The crossings of a ray are counted for each shell, through the tree. Unclear only for a point on a surface or within
/// rounding of one.
Containment inside(const SsvTree& tree, const Eigen::Vector3d& p);

/// For bodies whose surfaces are proved disjoint: whether a part of one lies inside the other (or may lie there).
bool one_contains_other(const SsvTree& a, const SsvTree& b, const PairFrame& frame);

}  // namespace planner_ccd
