#pragma once

#include <cstddef>

#include "planner_ccd/geometry/triangle_mesh.hpp"

namespace planner_ccd {

/// How the triangles of a mesh hang together, vertices at exactly the same point being one, triangles without three
/// different corners left out.
struct MeshTopology {
  std::size_t open_edges = 0;    ///< Edges with an odd number of triangles: the rims of holes.
  std::size_t turned_edges = 0;  ///< Edges with an even number, not half of them in each direction: some face wrongly.

  /// The surface divides space: every point away from it is inside or outside.
  bool is_closed() const { return open_edges == 0; }
  /// Closed, and all triangles agree on which side is outside.
  bool is_oriented() const { return open_edges == 0 && turned_edges == 0; }
};

MeshTopology topology(const TriangleMesh& mesh);

}  // namespace planner_ccd
