#pragma once

#include <string>
#include <vector>

#include "planner_ccd/geometry/mesh_shells.hpp"
#include "planner_ccd/geometry/triangle_mesh.hpp"

namespace planner_ccd {

/// A mesh with exact duplicate vertices merged, and its connectivity.
struct PreparedMesh {
  TriangleMesh mesh;  ///< Triangles in the input order.
  std::vector<int>
      representatives;  ///< A vertex of every piece connected through edges: among disjoint surfaces it represents the whole piece.
  MeshShells shells;
};

/// Throws InputError, naming `name`, for a mesh that validate() rejects.
PreparedMesh prepare(const TriangleMesh& mesh, const std::string& name);

}  // namespace planner_ccd
