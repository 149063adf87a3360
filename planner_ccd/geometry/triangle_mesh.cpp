#include "planner_ccd/geometry/triangle_mesh.hpp"

#include "planner_ccd/math/error.hpp"

namespace planner_ccd {

void validate(const TriangleMesh& mesh, const std::string& name) {
  if (mesh.triangles.empty()) throw InputError(name + ": the mesh has no triangles");
  const auto count = static_cast<int>(mesh.vertices.size());
  for (int i = 0; i < count; ++i) {
    if (!mesh.vertices[i].allFinite() || mesh.vertices[i].cwiseAbs().maxCoeff() > kMaxCoordinate) {
      throw InputError(name + ": vertex " + std::to_string(i) +
                       " is not finite or lies beyond 1e7 m; check the file and its unit");
    }
  }
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (mesh.triangles[i].minCoeff() < 0 || mesh.triangles[i].maxCoeff() >= count) {
      throw InputError(name + ": triangle " + std::to_string(i) + " refers to a vertex that does not exist (" +
                       std::to_string(count) + " vertices)");
    }
  }
}

}  // namespace planner_ccd
