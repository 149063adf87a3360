#pragma once

#include <string>
#include <vector>

#include "planner_ccd/geometry/mesh_shells.hpp"
#include "planner_ccd/geometry/triangle_mesh.hpp"

namespace planner_ccd {

/// A mesh whose exact duplicate vertices are one vertex, and how it hangs together.
struct PreparedMesh {
  TriangleMesh mesh;  ///< Triangles in the order given.
  std::vector<int>
      representatives;  ///< A vertex of every piece that is connected through edges: among disjoint surfaces, it
                        ///< stands for the whole piece.
  MeshShells shells;
};

/// Throws InputError, naming `name`, for a mesh that validate() rejects.
PreparedMesh prepare(const TriangleMesh& mesh, const std::string& name);

}  // namespace planner_ccd
