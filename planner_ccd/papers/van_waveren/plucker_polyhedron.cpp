#include "planner_ccd/papers/van_waveren/plucker_polyhedron.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <utility>

namespace planner_ccd::plucker {
namespace {

using Eigen::Vector3d;

/// A corner of the one face has to be in front of the other by this part of the size of both: far above rounding.
constexpr double kClearlyInFront = 1e-12;

int opposite_vertex(const PolyhedronFace& face, const PolyhedronEdge& edge) {
  for (int v : face.vertices) {
    if (v != edge.vertices[0] && v != edge.vertices[1]) return v;
  }
  return edge.vertices[0];
}

bool is_valley(const Polyhedron& p, const PolyhedronEdge& edge) {
  const PolyhedronFace& one = p.faces[edge.faces[0]];
  const PolyhedronFace& two = p.faces[edge.faces[1]];
  const Vector3d& origin = p.vertices[edge.vertices[0]];
  const Vector3d to_one = p.vertices[opposite_vertex(one, edge)] - origin;
  const Vector3d to_two = p.vertices[opposite_vertex(two, edge)] - origin;
  const double size =
      p.vertices[edge.vertices[1]].cwiseAbs().maxCoeff() + origin.cwiseAbs().maxCoeff() + to_one.norm() + to_two.norm();
  return one.normal.dot(to_two) > kClearlyInFront * size && two.normal.dot(to_one) > kClearlyInFront * size;
}

class Builder {
 public:
  explicit Builder(const TriangleMesh& mesh) {
    result_.vertices = mesh.vertices;
    for (const auto& triangle : mesh.triangles) add_face(triangle);
  }

  Polyhedron finish() {
    std::vector<bool> touched(result_.vertices.size(), false);
    result_.vertex_internal.assign(result_.vertices.size(), true);
    for (std::size_t e = 0; e < result_.edges.size(); ++e) {
      PolyhedronEdge& edge = result_.edges[e];
      edge.internal = face_count_[e] == 2 && is_valley(result_, edge);
      for (int v : edge.vertices) {
        touched[v] = true;
        if (!edge.internal) result_.vertex_internal[v] = false;
      }
    }
    for (std::size_t v = 0; v < touched.size(); ++v) {
      if (!touched[v]) result_.vertex_internal[v] = true;  // no face uses it
    }
    return std::move(result_);
  }

 private:
  void add_face(const Eigen::Vector3i& corners) {
    PolyhedronFace face;
    const int index = static_cast<int>(result_.faces.size());
    for (int i = 0; i < 3; ++i) {
      face.vertices[i] = corners[i];
      const int from = corners[i];
      const int to = corners[(i + 1) % 3];
      face.forward[i] = from <= to;
      const auto [found, added] = index_.try_emplace(std::minmax(from, to), static_cast<int>(result_.edges.size()));
      if (added) {
        result_.edges.push_back({{std::min(from, to), std::max(from, to)}});
        face_count_.push_back(0);
      }
      face.edges[i] = found->second;
      const int count = face_count_[found->second]++;
      if (count < 2) result_.edges[found->second].faces[count] = index;
    }
    const Vector3d& a = result_.vertices[corners[0]];
    face.normal = (result_.vertices[corners[1]] - a).cross(result_.vertices[corners[2]] - a).stableNormalized();
    result_.faces.push_back(face);
  }

  Polyhedron result_;
  std::map<std::pair<int, int>, int> index_;
  std::vector<int> face_count_;
};

}  // namespace

Polyhedron polyhedron_of(const TriangleMesh& mesh) { return Builder(mesh).finish(); }

Vector3d outward_at(const Polyhedron& p, const PolyhedronEdge& edge) {
  Vector3d sum = Vector3d::Zero();
  int count = 0;
  for (int f : edge.faces) {
    if (f < 0 || p.faces[f].normal.isZero(0.0)) continue;
    sum += p.faces[f].normal;
    ++count;
  }
  if (count == 0) return sum;
  if (count == 1) {
    const PolyhedronFace& face =
        p.faces[edge.faces[0] >= 0 && !p.faces[edge.faces[0]].normal.isZero(0.0) ? edge.faces[0] : edge.faces[1]];
    const Vector3d along = p.vertices[edge.vertices[1]] - p.vertices[edge.vertices[0]];
    const Vector3d inwards = p.vertices[opposite_vertex(face, edge)] - p.vertices[edge.vertices[0]];
    const Vector3d out = along.cross(face.normal).stableNormalized();
    return out.dot(inwards) > 0.0 ? Vector3d(-out) : out;
  }
  // |n1 + n2|^2 = 2 (1 + n1 . n2), so n . w = 1 for w = 2 (n1 + n2) / |n1 + n2|^2, of length 2 / |n1 + n2|.
  const double length = sum.norm();
  if (!(length > 0.0)) return sum;
  return sum / length * std::min(2.0 / length, kLongestExpansion);
}

}  // namespace planner_ccd::plucker
