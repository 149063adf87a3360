#include "planner_ccd/geometry/known_mesh.hpp"

#include <utility>

namespace planner_ccd {
namespace {

/// Facts are kept in what deletes the mesh: whoever holds the mesh has them, and nobody else can make them up.
struct Known {
  MeshFacts facts;
  void operator()(const TriangleMesh* mesh) const { delete mesh; }
};

}  // namespace

MeshPtr share_valid(TriangleMesh mesh, const std::string& name, bool distinct) {
  validate(mesh, name);
  return {new TriangleMesh(std::move(mesh)), Known{{true, distinct}}};
}

MeshFacts facts_of(const MeshPtr& mesh) {
  const auto* known = std::get_deleter<Known>(mesh);
  return known == nullptr ? MeshFacts{} : known->facts;
}

}  // namespace planner_ccd
