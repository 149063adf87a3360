#include "planner_ccd/geometry/mesh_topology.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

namespace planner_ccd {
namespace {

// For each vertex the first one, in the order of their coordinates, at the same point.
std::vector<int> joined_vertices(const std::vector<Eigen::Vector3d>& vertices) {
  std::vector<int> order(vertices.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int i) {
    const Eigen::Vector3d& p = vertices[static_cast<std::size_t>(i)];
    return std::array<double, 3>{p.x(), p.y(), p.z()};
  };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  std::vector<int> joined(vertices.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && key(order[i]) == key(order[i - 1]);
    joined[static_cast<std::size_t>(order[i])] = same ? joined[static_cast<std::size_t>(order[i - 1])] : order[i];
  }
  return joined;
}

struct Edge {
  int low, high;
  int direction;  // +1 from low to high
};

}  // namespace

MeshTopology topology(const TriangleMesh& mesh) {
  const std::vector<int> joined = joined_vertices(mesh.vertices);
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const Eigen::Vector3i& t : mesh.triangles) {
    std::array<int, 3> corner{};
    for (std::size_t k = 0; k < 3; ++k) corner[k] = joined[static_cast<std::size_t>(t[static_cast<int>(k)])];
    if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = corner[k], b = corner[(k + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
    }
  }
  std::sort(edges.begin(), edges.end(),
            [](const Edge& a, const Edge& b) { return a.low != b.low ? a.low < b.low : a.high < b.high; });
  MeshTopology result;
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    int balance = 0;
    for (; end < edges.size() && edges[end].low == edges[begin].low && edges[end].high == edges[begin].high; ++end) {
      balance += edges[end].direction;
    }
    if ((end - begin) % 2 == 1) {
      ++result.open_edges;
    } else if (balance != 0) {
      ++result.turned_edges;
    }
  }
  return result;
}

}  // namespace planner_ccd
