#include "planner_ccd/geometry/mesh_prepare.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

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

/// The half edges of a mesh, in buckets by their lower vertex.
class EdgeTable {
 public:
  struct HalfEdge {
    int upper;  ///< The higher vertex.
    int triangle;
    int direction;  ///< +1 from the lower to the higher vertex, else -1.
  };

  explicit EdgeTable(const TriangleMesh& mesh) : begin_(mesh.vertices.size() + 2, 0) {
    const auto each = [&](auto&& use) {
      for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
        for (int k = 0; k < 3; ++k) {
          const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
          if (a != b) use(std::min(a, b), HalfEdge{std::max(a, b), t, a < b ? 1 : -1});
        }
      }
    };
    each([&](int lower, const HalfEdge&) { ++begin_[lower + 2]; });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    edges_.resize(begin_.back());
    each([&](int lower, const HalfEdge& e) { edges_[begin_[lower + 1]++] = e; });
  }

  /// Calls use(first, last) for the half edges of every edge.
  template <typename Use>
  void for_each_edge(Use&& use) {
    for (std::size_t lower = 0; lower + 2 < begin_.size(); ++lower) {
      HalfEdge* const first = edges_.data() + begin_[lower];
      HalfEdge* const last = edges_.data() + begin_[lower + 1];
      std::sort(first, last, [](const HalfEdge& x, const HalfEdge& y) { return x.upper < y.upper; });
      for (HalfEdge *e = first, *next; e != last; e = next) {
        for (next = e; next != last && next->upper == e->upper;) ++next;
        use(e, next);
      }
    }
  }

 private:
  std::vector<int> begin_;
  std::vector<HalfEdge> edges_;
};

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(int i, int j) { parent_[find(i)] = find(j); }

 private:
  std::vector<int> parent_;
};

}  // namespace

PreparedMesh prepare(const TriangleMesh& given, const std::string& name) {
  validate(given, name);
  PreparedMesh p;
  weld(given, p.mesh);
  EdgeTable edges(p.mesh);
  const std::size_t count = p.mesh.triangles.size();
  DisjointSets sets(count);
  edges.for_each_edge([&](const auto* e, const auto* last) {
    for (const auto* other = e + 1; other != last; ++other) sets.unite(e->triangle, other->triangle);
  });
  p.component.assign(count, -1);
  for (std::size_t t = 0; t < count; ++t) {
    const int root = sets.find(static_cast<int>(t));
    if (p.component[root] < 0) {
      p.component[root] = static_cast<int>(p.components.size());
      p.components.push_back({.vertex = p.mesh.triangles[root][0]});
    }
    p.component[t] = p.component[root];
    ++p.components[p.component[t]].triangles;
  }
  edges.for_each_edge([&](const auto* e, const auto* last) {
    MeshComponent& c = p.components[p.component[e->triangle]];
    int balance = 0;
    for (const auto* h = e; h != last; ++h) balance += h->direction;
    if ((last - e) % 2 != 0) c.closed = false;
    if (balance != 0) c.oriented = false;
  });
  // A triangle whose corners coincide in one point has no edge at all and encloses nothing.
  for (std::size_t t = 0; t < count; ++t) {
    const Vector3i& v = p.mesh.triangles[t];
    if (v[0] == v[1] && v[1] == v[2]) p.components[p.component[t]].closed = false;
  }
  return p;
}

MeshReport report(const TriangleMesh& given, const PreparedMesh& p) {
  MeshReport r;
  r.vertices = static_cast<int>(given.vertices.size());
  r.distinct_vertices = static_cast<int>(p.mesh.vertices.size());
  r.triangles = static_cast<int>(p.mesh.triangles.size());
  r.components = static_cast<int>(p.components.size());
  for (const MeshComponent& c : p.components) r.closed_components += c.closed;
  EdgeTable(p.mesh).for_each_edge([&](const auto* e, const auto* last) { r.open_edges += (last - e) % 2 != 0; });
  std::vector<bool> used(p.mesh.vertices.size(), false);
  for (int t = 0; t < r.triangles; ++t) {
    const Vector3i& v = p.mesh.triangles[t];
    for (int k = 0; k < 3; ++k) used[v[k]] = true;
    const Vector3d &a = p.mesh.vertices[v[0]], &b = p.mesh.vertices[v[1]], &c = p.mesh.vertices[v[2]];
    const Vector3d n = (b - a).cross(c - a);
    // The cross product of two edges errs by less than 4u of the product of their lengths.
    if (n.norm() <= 0x1p-51 * (b - a).norm() * (c - a).norm()) ++r.zero_area;
    r.area += 0.5 * n.norm();
    const Vector3d& origin = p.mesh.vertices[0];
    if (p.components[p.component[t]].closed) r.volume += (a - origin).dot((b - origin).cross(c - origin)) / 6.0;
  }
  r.unused_vertices = static_cast<int>(std::count(used.begin(), used.end(), false));
  return r;
}

std::string MeshReport::text() const {
  std::string s = std::to_string(triangles) + " triangles, " + std::to_string(distinct_vertices) + " vertices";
  if (vertices != distinct_vertices) s += " (" + std::to_string(vertices) + " before welding)";
  s += ", " + std::to_string(components) + (components == 1 ? " component" : " components");
  s += closed() ? ", closed" : ", " + std::to_string(components - closed_components) + " of them open";
  if (open_edges > 0) s += " (" + std::to_string(open_edges) + " open edges)";
  if (zero_area > 0) s += ", " + std::to_string(zero_area) + " without area";
  if (unused_vertices > 0) s += ", " + std::to_string(unused_vertices) + " vertices unused";
  return s;
}

}  // namespace planner_ccd
