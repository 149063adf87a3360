#include "planner_ccd/hierarchy/inside.hpp"

#include <optional>
#include <vector>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

/// The winding number of each shell about p, from the crossings of the segment pq; q is outside of all. Empty when a
/// crossing is unclear.
std::optional<std::vector<int>> windings(const SsvTree& tree, const Vector3d& p, const Vector3d& q) {
  const PrimitiveSoup& soup = tree.soup();
  std::vector<int> winding(soup.shells.size(), 0);
  Ssv ray;
  ray.origin = p;
  ray.edge0 = q - p;
  // The segment's end as computed from origin and edge differs from q by rounding.
  ray.radius = 8.0 * kUnitRoundoff * (p.lpNorm<1>() + q.lpNorm<1>());
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
      const PrimitiveRecord& record = soup.primitives[i];
      if (!record.encloses()) continue;
      const Crossing c = segment_crossing(p, q, tree.triangle(i));
      if (c == Crossing::Unclear) return std::nullopt;
      if (c != Crossing::None) winding[soup.shell(record)] += (c == Crossing::Along) == record.turned() ? -1 : 1;
    }
  }
  return winding;
}

/// True if p is in more solids of one mesh than cavities of it. (A cavity lies in a solid, so elsewhere only solids
/// count.)
bool enclosed(const std::vector<SoupShell>& shells, const std::vector<int>& winding) {
  for (std::size_t i = 0, next = 0; i < shells.size(); i = next) {
    int depth = 0;
    for (; next < shells.size() && shells[next].source == shells[i].source; ++next) {
      if (winding[next] != 0) depth += shells[next].cavity ? -1 : 1;
    }
    if (depth > 0) return true;
  }
  return false;
}

/// True if the volume is proved apart from all triangles of B.
bool apart_from_surface(const Ssv& volume, const SsvTree& b, double pad) {
  std::vector<int> stack{0};
  while (!stack.empty()) {
    const int node = stack.back();
    stack.pop_back();
    if (ssv_gap(volume, b.volume(node)).gap > pad) continue;
    if (b.is_leaf(node)) return false;
    stack.push_back(b.left(node));
    stack.push_back(b.right(node));
  }
  return true;
}

/// Tests the centres of A's grains, placed by `to_b`, in B; one stands for a whole volume that is apart from B's
/// surface.
template <typename Place>
bool some_grain_inside(const SsvTree& a, const SsvTree& b, double pad, Place&& to_b) {
  std::vector<int> stack{0};
  while (!stack.empty()) {
    const int node = stack.back();
    stack.pop_back();
    Ssv volume = a.volume(node);
    const Vector3d origin = to_b(volume.origin);
    volume.edge0 = to_b(volume.origin + volume.edge0) - origin;
    volume.edge1 = to_b(volume.origin + volume.edge1) - origin;
    volume.origin = origin;
    if (ssv_gap(volume, b.volume(0)).gap > 4.0 * pad) continue;
    const bool one_for_all = apart_from_surface(volume, b, 4.0 * pad);
    if (!one_for_all && !a.is_leaf(node)) {
      stack.push_back(a.left(node));
      stack.push_back(a.right(node));
      continue;
    }
    int leaf = node;
    while (!a.is_leaf(leaf)) leaf = a.left(leaf);
    const int first = a.first_primitive(leaf), count = one_for_all ? 1 : a.primitive_count(leaf);
    for (int i = first; i < first + count; ++i) {
      if (inside(b, to_b(a.primitive(i).corners[0])) != Containment::Outside) return true;
    }
  }
  return false;
}

/// Tests a point of each of A's components, placed by `to_b`, in B.
template <typename Place>
bool some_component_inside(const SsvTree& a, const SsvTree& b, double pad, Place&& to_b) {
  if (b.soup().shells.empty()) return false;
  if (a.soup().grains) return some_grain_inside(a, b, pad, to_b);
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
  if (tree.soup().shells.empty() || !tree.bounds().contains(p)) return Containment::Outside;
  const double length = 2.0 * tree.bounding_radius() + (p - tree.bounding_center()).norm();
  for (int k = 0; k < kMaxRays; ++k) {
    const std::optional<std::vector<int>> winding = windings(tree, p, p + length * ray_direction(k));
    if (winding) return enclosed(tree.soup().shells, *winding) ? Containment::Inside : Containment::Outside;
  }
  return Containment::Unclear;
}

bool one_contains_other(const SsvTree& a, const SsvTree& b, const PairFrame& frame) {
  return some_component_inside(a, b, frame.pad, [&](const Vector3d& p) { return frame.place(p); }) ||
         some_component_inside(
             b, a, frame.pad, [&](const Vector3d& p) -> Vector3d { return frame.R_BA.transpose() * (p - frame.p_BA); });
}

}  // namespace planner_ccd
