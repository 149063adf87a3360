#pragma once

#include <cstddef>

#include "planner_ccd/geometry/triangle_mesh.hpp"
#include "planner_ccd/geometry/vertex_table.hpp"

namespace planner_ccd {

/// Joins corners that files repeat for every triangle that uses them. Exactly equal ones are merged, so that the surface is
/// connected.
class VertexJoiner {
 public:
  explicit VertexJoiner(TriangleMesh& mesh) : mesh_(mesh) {}

  int index_of(const Eigen::Vector3d& point) {
    const int next = static_cast<int>(mesh_.vertices.size());
    const int found = table_.put(point, next, [&](int i) { return mesh_.vertices[static_cast<std::size_t>(i)]; });
    if (found == next) mesh_.vertices.emplace_back(point.array() + 0.0);  // -0 becomes 0
    return found;
  }

 private:
  TriangleMesh& mesh_;
  VertexTable table_;
};

}  // namespace planner_ccd
