#pragma once

#include <vector>

#include "planner_ccd/geometry/mesh_prepare.hpp"

namespace planner_ccd {

/// For every shell of a mesh, whether it bounds a hollow rather than a solid.
///
/// A shell that faces the other way than the rest may be a cavity, or a part that was mirrored or turned inside out;
/// taking the second for the first would lose its inside. So cavities are accepted only in a consistent mesh: all its
/// outermost shells face one way (either way: all of a mesh may be inside out), and every shell facing the other way
/// lies directly within one that faces the first way and touches no other shell. In any other mesh all shells are
/// solids. That errs towards contact: a body in a hollow of such a mesh is in contact with it.
std::vector<bool> find_cavities(const PreparedMesh& mesh);

}  // namespace planner_ccd
