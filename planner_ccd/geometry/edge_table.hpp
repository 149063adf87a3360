#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "planner_ccd/geometry/triangle_mesh.hpp"

namespace planner_ccd {

/// A triangle's side along an edge.
struct HalfEdge {
  int lower, upper;  ///< The edge's vertices.
  int triangle;
  int direction;  ///< +1 from the lower to the upper vertex, else -1.
};

/// True if the corners are three different vertices; only such triangles have edges.
inline bool has_three_corners(const Eigen::Vector3i& t) { return t[0] != t[1] && t[1] != t[2] && t[2] != t[0]; }

/// The half edges of a mesh whose equal vertices are merged.
class EdgeTable {
 public:
  explicit EdgeTable(const TriangleMesh& mesh) : begin_(mesh.vertices.size() + 2, 0) {
    const auto each = [&](auto&& use) {
      for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
        const Eigen::Vector3i& corner = mesh.triangles[t];
        if (!has_three_corners(corner)) continue;
        for (int k = 0; k < 3; ++k) {
          const int a = corner[k], b = corner[(k + 1) % 3];
          use(HalfEdge{std::min(a, b), std::max(a, b), t, a < b ? 1 : -1});
        }
      }
    };
    each([&](const HalfEdge& e) { ++begin_[e.lower + 2]; });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    edges_.resize(begin_.back());
    each([&](const HalfEdge& e) { edges_[begin_[e.lower + 1]++] = e; });
    for (std::size_t lower = 0; lower + 2 < begin_.size(); ++lower) {
      std::sort(edges_.begin() + begin_[lower], edges_.begin() + begin_[lower + 1],
                [](const HalfEdge& x, const HalfEdge& y) {
                  return x.upper != y.upper ? x.upper < y.upper : x.triangle < y.triangle;
                });
    }
  }

  /// Calls use(half edges) for every edge, in the order of the triangles.
  template <typename Use>
  void for_each_edge(Use&& use) const {
    for (auto first = edges_.begin(), next = first; first != edges_.end(); first = next) {
      while (next != edges_.end() && next->lower == first->lower && next->upper == first->upper) ++next;
      use(std::span<const HalfEdge>(first, next));
    }
  }

 private:
  std::vector<int> begin_;  ///< Of the half edges of each lower vertex.
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

}  // namespace planner_ccd
