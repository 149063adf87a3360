#pragma once

#include <Eigen/Core>

#include "planner_ccd/geometry/mesh_inside.hpp"
#include "planner_ccd/hierarchy/pair_frame.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// Whether one of the meshes in the tree encloses p (in the tree's frame): p is in a shell and not in a cavity of it.
/// Counts the crossings of a ray with each shell, through the tree. Unclear only for a point on a surface or within
/// rounding of one.
[[gnu::visibility("default")]] Containment inside(const SsvTree& tree, const Eigen::Vector3d& p);

/// For bodies whose surfaces are proved disjoint: whether a part of one lies, or may lie, inside the other. (MATHS.md T6)
bool one_contains_other(const SsvTree& a, const SsvTree& b, const PairFrame& frame);

}  // namespace planner_ccd
