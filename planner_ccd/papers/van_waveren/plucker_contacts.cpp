#include <Eigen/Geometry>
#include <cmath>

#include "planner_ccd/papers/van_waveren/plucker_sides.hpp"
#include "planner_ccd/papers/van_waveren/plucker_sweep.hpp"

namespace planner_ccd::plucker {
namespace {

using Eigen::Vector3d;

/// Vertices of `from` straight above or below faces of `to`.
void list_vertices(const Polyhedron& from, const Polyhedron& to, double distance, PairType type,
                   std::vector<ListedContact>& list) {
  for (std::size_t f = 0; f < to.faces.size(); ++f) {
    const PolyhedronFace& face = to.faces[f];
    if (face.normal.isZero(0.0)) continue;
    const Vector3d& corner = to.vertices[face.vertices[0]];
    for (std::size_t i = 0; i < from.vertices.size(); ++i) {
      const double alpha = face.normal.dot(from.vertices[i] - corner);
      if (from.vertex_internal[i] || std::abs(alpha) > distance) continue;
      const Line line = ray(from.vertices[i], -face.normal);
      bool inside = true;
      for (int e = 0; e < 3 && inside; ++e) {
        inside = (side(line, line_of(to, to.edges[face.edges[e]])) < 0.0) == face.forward[e];
      }
      if (!inside) continue;
      const int vertex = static_cast<int>(i);
      const int polygon = static_cast<int>(f);
      if (type == PairType::VertexFace) {
        list.push_back({{type, vertex, polygon, from.vertices[i], -face.normal}, alpha});
      } else {
        list.push_back({{type, polygon, vertex, from.vertices[i], face.normal}, alpha});
      }
    }
  }
}

void list_edges(const Polyhedron& a, const Polyhedron& b, double distance, std::vector<ListedContact>& list) {
  for (std::size_t j = 0; j < b.edges.size(); ++j) {
    const PolyhedronEdge& edge_b = b.edges[j];
    const Vector3d out = outward_at(b, edge_b);
    if (edge_b.internal || out.isZero(0.0)) continue;
    const Line q = line_of(b, edge_b);
    const Vector3d& b0 = b.vertices[edge_b.vertices[0]];
    const Vector3d& b1 = b.vertices[edge_b.vertices[1]];
    for (std::size_t i = 0; i < a.edges.size(); ++i) {
      const PolyhedronEdge& edge_a = a.edges[i];
      if (edge_a.internal) continue;
      const Line p = line_of(a, edge_a);
      Vector3d n = p.direction.cross(q.direction);
      if (n.norm() <= 1e-12 * p.direction.norm() * q.direction.norm())
        continue;  // parallel: contacts of their vertices
      n.normalize();
      if (n.dot(out) > 0.0) n = -n;
      const Vector3d& a0 = a.vertices[edge_a.vertices[0]];
      const Vector3d& a1 = a.vertices[edge_a.vertices[1]];
      const double separation = n.dot(b0 - a0);
      if (std::abs(separation) > distance) continue;
      const bool a_ends_differ = (side(ray(a0, n), q) < 0.0) != (side(ray(a1, n), q) < 0.0);
      const bool b_ends_differ = (side(ray(b0, n), p) < 0.0) != (side(ray(b1, n), p) < 0.0);
      if (!a_ends_differ || !b_ends_differ) continue;
      const ClosestFeatures closest = closest_segments({a0, a1}, {b0, b1});
      list.push_back({{PairType::EdgeEdge, static_cast<int>(i), static_cast<int>(j), closest.point_b, n}, separation});
    }
  }
}

}  // namespace

std::vector<ListedContact> contacts_within(const Polyhedron& a, const Polyhedron& b, double distance) {
  std::vector<ListedContact> list;
  list_vertices(a, b, distance, PairType::VertexFace, list);
  list_vertices(b, a, distance, PairType::FaceVertex, list);
  list_edges(a, b, distance, list);
  return list;
}

}  // namespace planner_ccd::plucker
