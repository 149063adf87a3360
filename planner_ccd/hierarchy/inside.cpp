#include "planner_ccd/hierarchy/inside.hpp"

#include <vector>

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

/// Counts crossings of the segment pq with the closed meshes below the tree. False when one of them is unclear.
bool count_crossings(const SsvTree& tree, const Vector3d& p, const Vector3d& q, std::vector<CrossingCount>& counts) {
  counts.assign(tree.soup().sources.size(), CrossingCount());
  Ssv ray;
  ray.origin = p;
  ray.edge0 = q - p;
  // The segment's end as computed from origin and edge differs from q by rounding.
  ray.radius = 0x1p-50 * (p.lpNorm<1>() + q.lpNorm<1>());
  ray.type = SsvType::Line;
  std::vector<int> stack{0};
  while (!stack.empty()) {
    const int node = stack.back();
    stack.pop_back();
    if (ssv_gap(ray, tree.volume(node)).gap > 0.0) continue;
    if (!tree.is_leaf(node)) {
      stack.push_back(tree.left(node));
      stack.push_back(tree.right(node));
      continue;
    }
    for (int i = tree.first_primitive(node); i < tree.first_primitive(node) + tree.primitive_count(node); ++i) {
      const PrimitiveRecord& record = tree.soup().primitives[i];
      if (!record.encloses()) continue;
      const Crossing c = segment_crossing(p, q, tree.triangle(i));
      if (c == Crossing::Unclear) return false;
      if (c != Crossing::None) counts[tree.soup().source_index(record)].add(c);
    }
  }
  return true;
}

/// Points of A's components, placed by `to_b`, tried in B.
template <typename Place>
bool some_component_inside(const SsvTree& a, const SsvTree& b, double pad, Place&& to_b) {
  if (!b.is_solid()) return false;
  Eigen::AlignedBox3d bounds = b.bounds();
  bounds.min().array() -= pad;
  bounds.max().array() += pad;
  for (const SurfaceComponent& c : a.soup().components) {
    const Vector3d p = to_b(a.soup().vertices[c.vertex]);
    if (bounds.contains(p) && inside(b, p) != Containment::Outside) return true;
  }
  return false;
}

}  // namespace

Containment inside(const SsvTree& tree, const Vector3d& p) {
  if (!tree.is_solid() || !tree.bounds().contains(p)) return Containment::Outside;
  std::vector<CrossingCount> counts;
  const double length = 2.0 * tree.bounding_radius() + (p - tree.bounding_center()).norm();
  for (int k = 0; k < kMaxRays; ++k) {
    if (!count_crossings(tree, p, p + length * ray_direction(k), counts)) continue;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i].encloses(tree.soup().sources[i].oriented)) return Containment::Inside;
    }
    return Containment::Outside;
  }
  return Containment::Unclear;
}

bool one_contains_other(const SsvTree& a, const SsvTree& b, const PairFrame& frame) {
  return some_component_inside(a, b, frame.pad, [&](const Vector3d& p) { return frame.place(p); }) ||
         some_component_inside(b, a, frame.pad,
                               [&](const Vector3d& p) -> Vector3d { return frame.R.transpose() * (p - frame.t); });
}

}  // namespace planner_ccd
