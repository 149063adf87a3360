#include "planner_ccd/io/detail/polygon.hpp"

#include <Eigen/Geometry>

namespace planner_ccd {
namespace {

// Cutting ears takes cubic time at worst; larger outlines than this become fans.
constexpr std::size_t kMaxEarCorners = 500;

Eigen::Vector3d newell_normal(const TriangleMesh& mesh, const std::vector<int>& corners) {
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  const Eigen::Vector3d& origin = mesh.vertices[static_cast<std::size_t>(corners[0])];
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    normal += (mesh.vertices[static_cast<std::size_t>(corners[i])] - origin)
                  .cross(mesh.vertices[static_cast<std::size_t>(corners[i + 1])] - origin);
  }
  return normal;
}

// Twice the signed area of three corners, seen against the normal.
double turn(const TriangleMesh& mesh, const Eigen::Vector3d& normal, int a, int b, int c) {
  const Eigen::Vector3d& p = mesh.vertices[static_cast<std::size_t>(a)];
  return normal.dot(
      (mesh.vertices[static_cast<std::size_t>(b)] - p).cross(mesh.vertices[static_cast<std::size_t>(c)] - p));
}

bool is_convex(const TriangleMesh& mesh, const Eigen::Vector3d& normal, const std::vector<int>& corners) {
  const std::size_t n = corners.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (!(turn(mesh, normal, corners[i], corners[(i + 1) % n], corners[(i + 2) % n]) >= 0.0)) return false;
  }
  return true;
}

bool is_ear(const TriangleMesh& mesh, const Eigen::Vector3d& normal, const std::vector<int>& corners, std::size_t i) {
  const std::size_t n = corners.size();
  const int a = corners[(i + n - 1) % n], b = corners[i], c = corners[(i + 1) % n];
  if (!(turn(mesh, normal, a, b, c) > 0.0)) return false;
  for (const int p : corners) {
    if (p == a || p == b || p == c) continue;
    if (turn(mesh, normal, a, b, p) >= 0.0 && turn(mesh, normal, b, c, p) >= 0.0 &&
        turn(mesh, normal, c, a, p) >= 0.0) {
      return false;
    }
  }
  return true;
}

}  // namespace

void append_polygon(TriangleMesh& mesh, std::vector<int> corners) {
  if (corners.size() > 3 && corners.size() <= kMaxEarCorners) {
    const Eigen::Vector3d normal = newell_normal(mesh, corners);
    if (!is_convex(mesh, normal, corners)) {
      for (std::size_t i = 0; i < corners.size() && corners.size() > 3;) {
        if (!is_ear(mesh, normal, corners, i)) {
          ++i;
          continue;
        }
        const std::size_t n = corners.size();
        mesh.triangles.emplace_back(corners[(i + n - 1) % n], corners[i], corners[(i + 1) % n]);
        corners.erase(corners.begin() + static_cast<std::ptrdiff_t>(i));
        i = 0;
      }
    }
  }
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    mesh.triangles.emplace_back(corners[0], corners[i], corners[i + 1]);
}

void append_polyline(TriangleMesh& mesh, const std::vector<int>& corners) {
  for (std::size_t i = 0; i + 1 < corners.size(); ++i)
    mesh.triangles.emplace_back(corners[i], corners[i + 1], corners[i + 1]);
}

}  // namespace planner_ccd
