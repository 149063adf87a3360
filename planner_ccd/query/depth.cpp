#include "planner_ccd/query/depth.hpp"

#include <limits>
#include <vector>

#include "planner_ccd/hierarchy/inside.hpp"
#include "planner_ccd/hierarchy/primitive_distance.hpp"

namespace planner_ccd {
namespace {

/// Distance from p to the surface of the tree's primitives.
double distance_to_surface(const SsvTree& tree, const Eigen::Vector3d& p) {
  Ssv point;
  point.origin = p;
  const Primitive here{PrimitiveKind::RoundedTriangle, {p, p, p}, 0.0, 0, -1};
  double best = std::numeric_limits<double>::infinity();
  std::vector<int> stack{0};
  while (!stack.empty()) {
    const int node = stack.back();
    stack.pop_back();
    if (ssv_gap(point, tree.volume(node)).gap >= best) continue;
    if (tree.is_leaf(node)) {
      const int first = tree.first_primitive(node);
      for (int i = first; i < first + tree.primitive_count(node); ++i) {
        best = std::min(best, primitive_distance(here, tree.primitive(i)).upper);
      }
      continue;
    }
    stack.push_back(tree.left(node));
    stack.push_back(tree.right(node));
  }
  return best;
}

void look(const SsvTree& vertices, const Eigen::Isometry3d& X_WV, const SsvTree& solid, const Eigen::Isometry3d& X_WS,
          std::optional<Depth>& deepest) {
  if (solid.soup().shells.empty()) return;
  const Eigen::Isometry3d X_SV = X_WS.inverse() * X_WV;
  const Eigen::AlignedBox3d bounds = solid.bounds();
  for (const Eigen::Vector3d& vertex : vertices.soup().vertices) {
    const Eigen::Vector3d p = X_SV * vertex;
    if (!bounds.contains(p) || inside(solid, p) != Containment::Inside) continue;
    const double depth = distance_to_surface(solid, p);
    if (!deepest || depth > deepest->depth) deepest = Depth{depth, X_WS * p};
  }
}

}  // namespace

std::optional<Depth> deepest_vertex(const SsvTree& a, const Eigen::Isometry3d& X_WA, const SsvTree& b,
                                    const Eigen::Isometry3d& X_WB) {
  std::optional<Depth> deepest;
  look(a, X_WA, b, X_WB, deepest);
  look(b, X_WB, a, X_WA, deepest);
  return deepest;
}

}  // namespace planner_ccd
