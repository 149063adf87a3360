#include "planner_ccd/geometry/mesh_prepare.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/geometry/edge_table.hpp"
#include "planner_ccd/geometry/vertex_table.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

bool has_negative_zero(const Vector3d& p) {
  return std::any_of(p.data(), p.data() + 3, [](double x) { return x == 0.0 && std::signbit(x); });
}

/// The mesh with equal vertices merged; empty when there are none.
std::optional<TriangleMesh> welded(const TriangleMesh& given) {
  const std::size_t count = given.vertices.size();
  VertexTable table(count);
  std::vector<int> index(count);  // of a vertex in the result
  TriangleMesh out;
  bool as_given = true;
  int distinct = 0;
  const auto at = [&](int i) -> const Vector3d& { return given.vertices[i]; };
  for (std::size_t i = 0; i < count; ++i) {
    const int first = table.put(given.vertices[i], static_cast<int>(i), at);
    as_given = as_given && first == static_cast<int>(i) && !has_negative_zero(given.vertices[i]);
    index[i] = first == static_cast<int>(i) ? distinct++ : index[first];
  }
  if (as_given) return std::nullopt;
  out.vertices.resize(distinct);
  for (std::size_t i = 0; i < count; ++i) out.vertices[index[i]] = given.vertices[i].array() + 0.0;
  out.triangles.reserve(given.triangles.size());
  for (const Vector3i& t : given.triangles) out.triangles.emplace_back(index[t[0]], index[t[1]], index[t[2]]);
  return out;
}

}  // namespace

PreparedMesh::PreparedMesh(const TriangleMesh& given, bool distinct)
    : own_(distinct ? std::nullopt : welded(given)), mesh(own_ ? *own_ : given) {
  const EdgeTable edges(mesh);
  const std::size_t count = mesh.triangles.size();
  DisjointSets sets(count);
  edges.for_each_edge([&](std::span<const HalfEdge> edge) {
    for (const HalfEdge& other : edge.subspan(1)) sets.unite(edge[0].triangle, other.triangle);
  });
  std::vector<bool> known(count, false);
  for (std::size_t t = 0; t < count; ++t) {
    const int root = sets.find(static_cast<int>(t));
    if (!known[root]) representatives.push_back(mesh.triangles[root][0]);
    known[root] = true;
  }
  shells = find_shells(mesh, edges);
}

}  // namespace planner_ccd
