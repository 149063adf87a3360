#include "planner_ccd/hierarchy/cavities.hpp"

#include <algorithm>

#include "planner_ccd/hierarchy/inside.hpp"
#include "planner_ccd/hierarchy/queries.hpp"

namespace planner_ccd {
namespace {

/// The shells of a mesh that have a volume, each as its own body.
class Nesting {
 public:
  explicit Nesting(const PreparedMesh& mesh) {
    std::vector<TriangleMesh> surfaces(mesh.shells.shells.size());
    for (std::size_t t = 0; t < mesh.mesh.triangles.size(); ++t) {
      if (mesh.shells.shell[t] < 0) continue;
      TriangleMesh& surface = surfaces[mesh.shells.shell[t]];
      const int first = static_cast<int>(surface.vertices.size());
      for (const int vertex : mesh.mesh.triangles[t]) surface.vertices.push_back(mesh.mesh.vertices[vertex]);
      surface.triangles.emplace_back(first, first + 1, first + 2);
    }
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
      const MeshShell& shell = mesh.shells.shells[i];
      if (shell.facing == Facing::Flat) continue;
      Geometry geometry;
      geometry.shape = std::make_shared<const TriangleMesh>(std::move(surfaces[i]));
      bodies_.push_back(
          {static_cast<int>(i), shell, mesh.mesh.vertices[shell.vertex], SsvTree::build({geometry}, "shell")});
    }
    for (Body& body : bodies_) body.within = smallest_around(body);
  }

  /// The shells that are cavities; none if the mesh is not consistent.
  std::vector<int> cavities() const {
    const auto outermost = [](const Body& b) { return b.within == nullptr; };
    const auto first = std::find_if(bodies_.begin(), bodies_.end(), outermost);
    if (first == bodies_.end()) return {};
    std::vector<int> found;
    for (const Body& body : bodies_) {
      if (body.shell.facing == first->shell.facing) continue;
      if (outermost(body) || body.within->shell.facing != first->shell.facing || touches_another(body)) return {};
      found.push_back(body.index);
    }
    return found;
  }

 private:
  struct Body {
    int index;  ///< Of the shell.
    MeshShell shell;
    Eigen::Vector3d vertex;
    SsvTree tree;
    const Body* within = nullptr;  ///< The smallest body around this one's vertex.
  };

  const Body* smallest_around(const Body& body) const {
    const Body* smallest = nullptr;
    for (const Body& other : bodies_) {
      if (&other == &body || !other.tree.bounds().contains(body.vertex)) continue;
      if (smallest != nullptr && other.shell.volume >= smallest->shell.volume) continue;
      if (inside(other.tree, body.vertex) != Containment::Outside) smallest = &other;
    }
    return smallest;
  }

  bool touches_another(const Body& body) const {
    const Eigen::Isometry3d here = Eigen::Isometry3d::Identity();
    return std::any_of(bodies_.begin(), bodies_.end(), [&](const Body& other) {
      return &other != &body && other.tree.bounds().intersects(body.tree.bounds()) &&
             collide(body.tree, here, other.tree, here, {.containment = false}).collide;
    });
  }

  std::vector<Body> bodies_;
};

}  // namespace

std::vector<bool> find_cavities(const PreparedMesh& mesh) {
  const std::vector<MeshShell>& shells = mesh.shells.shells;
  std::vector<bool> cavity(shells.size(), false);
  const auto some = [&](Facing facing) {
    return std::any_of(shells.begin(), shells.end(), [&](const MeshShell& s) { return s.facing == facing; });
  };
  if (some(Facing::Mixed) || !some(Facing::Outwards) || !some(Facing::Inwards)) return cavity;
  for (const int i : Nesting(mesh).cavities()) cavity[i] = true;
  return cavity;
}

}  // namespace planner_ccd
