#include "planner_ccd/validation/depth.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "planner_ccd/hierarchy/inside.hpp"
#include "planner_ccd/hierarchy/pair_frame.hpp"
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
  const auto look_at = [&](const Eigen::Vector3d& vertex) {
    const Eigen::Vector3d p = X_SV * vertex;
    if (!bounds.contains(p) || inside(solid, p) != Containment::Inside) return;
    const double depth = distance_to_surface(solid, p);
    if (!deepest || depth > deepest->depth) deepest = Depth{depth, X_WS * p};
  };
  const PrimitiveSoup& soup = vertices.soup();
  for (const Eigen::Vector3d& vertex : soup.vertices) look_at(vertex);
  for (int i = 0; soup.grains && i < soup.count(); ++i) look_at(soup.grains[i].corners[0]);
}

/// A convex solid: a closed part of a mesh.
struct Polyhedron {
  std::vector<Eigen::Vector3d> vertices, normals, edges;
};

void add_direction(std::vector<Eigen::Vector3d>& all, const Eigen::Vector3d& d) {
  constexpr double kSame = 1e-9;
  const double length = d.norm();
  if (!(length > 0.0)) return;
  const Eigen::Vector3d unit = d / length;
  const auto same = [&](const Eigen::Vector3d& other) { return other.cross(unit).norm() < kSame; };
  if (std::none_of(all.begin(), all.end(), same)) all.push_back(unit);
}

/// The parts of a body's meshes that are convex and have few triangles, in the world.
std::vector<Polyhedron> polyhedra(const SsvTree& tree, const Eigen::Isometry3d& X_WT) {
  constexpr std::size_t kMostTriangles = 24;
  constexpr double kFlat = 1e-9;  // of the size
  const PrimitiveSoup& soup = tree.soup();
  std::vector<std::vector<std::array<Eigen::Vector3d, 3>>> shells(soup.shells.size());
  for (const PrimitiveRecord& r : soup.primitives) {
    if (!r.encloses()) continue;
    auto& triangles = shells[static_cast<std::size_t>(soup.shell(r))];
    if (triangles.size() > kMostTriangles) continue;
    const auto corner = [&](int k) { return X_WT * soup.vertices[static_cast<std::size_t>(r.vertex[k])]; };
    triangles.push_back({corner(0), corner(r.turned() ? 2 : 1), corner(r.turned() ? 1 : 2)});
  }
  std::vector<Polyhedron> out;
  for (std::size_t i = 0; i < shells.size(); ++i) {
    if (soup.shells[i].cavity || shells[i].size() > kMostTriangles) continue;
    Polyhedron p;
    for (const auto& t : shells[i]) p.vertices.insert(p.vertices.end(), t.begin(), t.end());
    bool convex = true;
    for (const auto& [u, v, w] : shells[i]) {
      const Eigen::Vector3d normal = (v - u).cross(w - u).normalized();
      const double reach = kFlat * ((v - u).norm() + (w - u).norm());
      for (const Eigen::Vector3d& q : p.vertices) convex = convex && normal.dot(q - u) <= reach;
      add_direction(p.normals, normal);
      add_direction(p.edges, v - u);
      add_direction(p.edges, w - v);
      add_direction(p.edges, u - w);
    }
    if (convex) out.push_back(std::move(p));
  }
  return out;
}

/// The interval that a polyhedron covers along a direction.
std::pair<double, double> extent(const Polyhedron& p, const Eigen::Vector3d& n) {
  std::pair<double, double> range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Eigen::Vector3d& v : p.vertices) {
    range.first = std::min(range.first, n.dot(v));
    range.second = std::max(range.second, n.dot(v));
  }
  return range;
}

/// The faces of {x - y : x in A, y in B} have normals of A's or B's faces or of an edge of each; the nearest face to the
/// origin within is as far away as the two must be shifted.
double least_shift(const Polyhedron& a, const Polyhedron& b) {
  std::vector<Eigen::Vector3d> normals = a.normals;
  for (const Eigen::Vector3d& n : b.normals) add_direction(normals, n);
  for (const Eigen::Vector3d& e : a.edges) {
    for (const Eigen::Vector3d& f : b.edges) {
      if (const Eigen::Vector3d n = e.cross(f); n.norm() > 1e-6) normals.push_back(n.normalized());
    }
  }
  double least = std::numeric_limits<double>::infinity();
  for (const Eigen::Vector3d& n : normals) {
    const auto [from, to] = extent(a, n);
    const auto [begin, end] = extent(b, n);
    least = std::min({least, to - begin, end - from});
  }
  return least;
}

void look_at_polyhedra(const SsvTree& a, const Eigen::Isometry3d& X_WA, const SsvTree& b, const Eigen::Isometry3d& X_WB,
                       std::optional<Depth>& deepest) {
  if (a.soup().shells.empty() || b.soup().shells.empty()) return;
  const std::vector<Polyhedron> those = polyhedra(b, X_WB);
  if (those.empty()) return;
  for (const Polyhedron& p : polyhedra(a, X_WA)) {
    for (const Polyhedron& q : those) {
      const double depth = least_shift(p, q);
      if (!(depth > 0.0) || (deepest && depth <= deepest->depth)) continue;
      Eigen::AlignedBox3d here, there;  // the middle of what they share, about
      for (const Eigen::Vector3d& v : p.vertices) here.extend(v);
      for (const Eigen::Vector3d& v : q.vertices) there.extend(v);
      deepest = Depth{depth, here.intersection(there).center()};
    }
  }
}

/// A primitive as core and radius: returns the core.
Primitive core_of(const Primitive& p, double& radius) {
  Primitive core = p;
  radius = p.radius;
  core.radius = 0.0;
  if (p.kind == PrimitiveKind::Cube) {  // the ball in it, or the capsule in a column
    radius = p.corners[2].norm();
    const Eigen::Vector3d half = std::max(0.0, 1.0 - radius / p.corners[1].norm()) * p.corners[1];
    core.kind = PrimitiveKind::RoundedTriangle;
    core.corners = {p.corners[0] - half, p.corners[0] + half, p.corners[0] + half};
  }
  if (p.kind != PrimitiveKind::Cylinder) return core;
  core.kind = PrimitiveKind::RoundedTriangle;
  const Eigen::Vector3d axis = p.corners[1] - p.corners[0], middle = 0.5 * (p.corners[0] + p.corners[1]);
  const double length = axis.norm();
  radius = std::min(p.radius, 0.5 * length);
  const Eigen::Vector3d half = length > 0.0 ? Eigen::Vector3d((0.5 - radius / length) * axis) : Eigen::Vector3d::Zero();
  core.corners = {middle - half, middle + half, middle + half};
  return core;
}

bool has_rounds(const SsvTree& tree) {
  const std::vector<PrimitiveSource>& sources = tree.soup().sources;
  return tree.soup().grains ||
         std::any_of(sources.begin(), sources.end(), [](const PrimitiveSource& s) { return s.radius > 0.0; });
}

void look_at_rounds(const SsvTree& a, const Eigen::Isometry3d& X_WA, const SsvTree& b, const Eigen::Isometry3d& X_WB,
                    std::optional<Depth>& deepest) {
  const PairFrame frame(a, X_WA, b, X_WB);
  std::vector<std::pair<int, int>> stack{{0, 0}};
  while (!stack.empty()) {
    const auto [i, k] = stack.back();
    stack.pop_back();
    if (ssv_gap(frame.place(a.volume(i)), b.volume(k)).gap > 0.0) continue;
    if (!a.is_leaf(i) && (b.is_leaf(k) || a.size(i) >= b.size(k))) {
      stack.insert(stack.end(), {{a.left(i), k}, {a.right(i), k}});
      continue;
    }
    if (!b.is_leaf(k)) {
      stack.insert(stack.end(), {{i, b.left(k)}, {i, b.right(k)}});
      continue;
    }
    for (int m = 0; m < a.primitive_count(i); ++m) {
      double r = 0.0;
      Primitive core_a = core_of(a.primitive(a.first_primitive(i) + m), r);
      core_a.corners = frame.place(core_a.corners);
      for (int n = 0; n < b.primitive_count(k); ++n) {
        double R = 0.0;
        const Primitive core_b = core_of(b.primitive(b.first_primitive(k) + n), R);
        if (!(r + R > 0.0)) continue;
        const PrimitiveDistance d = primitive_distance(core_a, core_b);
        const double depth = r + R - d.upper;
        if (depth > 0.0 && (!deepest || depth > deepest->depth)) deepest = Depth{depth, X_WB * d.point_a};
      }
    }
  }
}

}  // namespace

std::optional<Depth> deepest_point(const SsvTree& a, const Eigen::Isometry3d& X_WA, const SsvTree& b,
                                   const Eigen::Isometry3d& X_WB) {
  std::optional<Depth> deepest;
  look(a, X_WA, b, X_WB, deepest);
  look(b, X_WB, a, X_WA, deepest);
  look_at_polyhedra(a, X_WA, b, X_WB, deepest);
  if (has_rounds(a) || has_rounds(b)) look_at_rounds(a, X_WA, b, X_WB, deepest);
  return deepest;
}

}  // namespace planner_ccd
