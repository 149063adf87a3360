#include "planner_ccd/geometry/mesh_prepare.hpp"

#include <bit>
#include <cstdint>

#include "planner_ccd/geometry/edge_table.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

std::uint64_t hash(const Vector3d& p) {
  std::uint64_t h = 0;
  for (int k = 0; k < 3; ++k) {
    h = (h ^ std::bit_cast<std::uint64_t>(p[k])) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
  }
  return h;
}

/// Vertices by exact position, in an open hash table; -0 and 0 are the same position.
void weld(const TriangleMesh& given, TriangleMesh& welded) {
  const std::size_t count = given.vertices.size();
  const std::size_t slots = std::bit_ceil(2 * count + 1);
  std::vector<int> table(slots, -1);
  std::vector<int> index(count);
  welded.vertices.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Vector3d p = given.vertices[i].array() + 0.0;
    std::size_t slot = hash(p) & (slots - 1);
    while (table[slot] >= 0 && welded.vertices[table[slot]] != p) slot = (slot + 1) & (slots - 1);
    if (table[slot] < 0) {
      table[slot] = static_cast<int>(welded.vertices.size());
      welded.vertices.push_back(p);
    }
    index[i] = table[slot];
  }
  welded.triangles.reserve(given.triangles.size());
  for (const Vector3i& t : given.triangles) welded.triangles.emplace_back(index[t[0]], index[t[1]], index[t[2]]);
}

}  // namespace

PreparedMesh prepare(const TriangleMesh& given, const std::string& name) {
  validate(given, name);
  PreparedMesh p;
  weld(given, p.mesh);
  const EdgeTable edges(p.mesh);
  const std::size_t count = p.mesh.triangles.size();
  DisjointSets sets(count);
  edges.for_each_edge([&](std::span<const HalfEdge> edge) {
    for (const HalfEdge& other : edge.subspan(1)) sets.unite(edge[0].triangle, other.triangle);
  });
  std::vector<bool> known(count, false);
  for (std::size_t t = 0; t < count; ++t) {
    const int root = sets.find(static_cast<int>(t));
    if (!known[root]) p.representatives.push_back(p.mesh.triangles[root][0]);
    known[root] = true;
  }
  p.shells = find_shells(p.mesh, edges);
  return p;
}

}  // namespace planner_ccd
