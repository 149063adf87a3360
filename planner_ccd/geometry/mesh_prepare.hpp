#pragma once

#include <optional>
#include <vector>

#include "planner_ccd/geometry/mesh_shells.hpp"
#include "planner_ccd/geometry/triangle_mesh.hpp"

namespace planner_ccd {

/// A valid mesh with equal vertices merged, and its connectivity. It refers to the mesh that was given, and copies it only where
/// there is something to merge.
class PreparedMesh {
  std::optional<TriangleMesh> own_;

 public:
  /// `distinct`: no two vertices are equal, and no coordinate is -0 (MeshFacts).
  explicit PreparedMesh(const TriangleMesh& given, bool distinct = false);
  PreparedMesh(const PreparedMesh&) = delete;
  PreparedMesh& operator=(const PreparedMesh&) = delete;

  const TriangleMesh& mesh;  ///< Triangles in the input order.
  /// A vertex of every piece connected through edges: among disjoint surfaces it represents the whole piece.
  std::vector<int> representatives;
  MeshShells shells;
};

}  // namespace planner_ccd
