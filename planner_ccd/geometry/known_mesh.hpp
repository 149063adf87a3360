#pragma once

#include <string>

#include "planner_ccd/geometry/shape.hpp"

namespace planner_ccd {

/// What is known of a shared mesh, which nobody can change: it need not be found out again.
struct MeshFacts {
  bool valid = false;     ///< validate() has accepted it.
  bool distinct = false;  ///< No two of its vertices are equal, and no coordinate is -0.
};

/// Validates a mesh and shares it. `distinct`: see MeshFacts.
[[gnu::visibility("default")]] MeshPtr share_valid(TriangleMesh mesh, const std::string& name, bool distinct = false);

/// Of a mesh that was not shared by these functions nothing is known.
MeshFacts facts_of(const MeshPtr& mesh);

}  // namespace planner_ccd
