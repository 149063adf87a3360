#include "planner_ccd/geometry/mesh_inside.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/geometry/mesh_prepare.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

/// Sign of the volume of the tetrahedron (a, b, c, d): positive when d sees a, b, c clockwise. 0 when rounding hides
/// it.
///
/// Shewchuk's stage A: with the differences rounded once each and the permanent P (the same expression with all terms
/// made positive), the error is below (7 + 56 u) u P, u = 2^-53. 8u P covers the rounding of P as well.
int orientation(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  const Vector3d u = a - d, v = b - d, w = c - d;
  const double vw = v[0] * w[1], wv = w[0] * v[1], wu = w[0] * u[1], uw = u[0] * w[1], uv = u[0] * v[1],
               vu = v[0] * u[1];
  const double determinant = u[2] * (vw - wv) + v[2] * (wu - uw) + w[2] * (uv - vu);
  const double permanent = std::abs(u[2]) * (std::abs(vw) + std::abs(wv)) +
                           std::abs(v[2]) * (std::abs(wu) + std::abs(uw)) +
                           std::abs(w[2]) * (std::abs(uv) + std::abs(vu));
  // 1e-290 covers products that underflow; coordinates are below 1e7, so nothing overflows.
  const double bound = 8.0 * 0x1p-53 * permanent + 1e-290;
  return determinant > bound ? 1 : determinant < -bound ? -1 : 0;
}

}  // namespace

/// The line misses the triangle if it passes two edges on opposite sides; the segment misses it if both ends are on one
/// side of its plane.
Crossing segment_crossing(const Vector3d& p, const Vector3d& q, const Triangle& t) {
  const int side_p = orientation(t[0], t[1], t[2], p);
  const int side_q = orientation(t[0], t[1], t[2], q);
  if (side_p * side_q > 0) return Crossing::None;
  const int e0 = orientation(p, q, t[0], t[1]);
  const int e1 = orientation(p, q, t[1], t[2]);
  if (e0 * e1 < 0) return Crossing::None;
  const int e2 = orientation(p, q, t[2], t[0]);
  if (e0 * e2 < 0 || e1 * e2 < 0) return Crossing::None;
  if (e0 == 0 || e1 == 0 || e2 == 0 || side_p == 0 || side_q == 0) return Crossing::Unclear;
  return side_p > 0 ? Crossing::Along : Crossing::Against;
}

Vector3d ray_direction(int k) {
  constexpr double golden = 2.39996322972865332;  // The angle that keeps successive points apart, [rad].
  const double z = std::fmod(0.137 + 0.61803398874989485 * k, 1.0) * 2.0 - 1.0;
  const double r = std::sqrt(1.0 - z * z);
  return {r * std::cos(golden * k + 0.3), r * std::sin(golden * k + 0.3), z};
}

Containment mesh_inside(const TriangleMesh& given, const Vector3d& p) {
  if (given.triangles.empty()) return Containment::Outside;
  const PreparedMesh prepared = prepare(given, "mesh");
  bool oriented = true;
  for (const MeshComponent& c : prepared.components) oriented = oriented && (c.oriented || !c.closed);
  double reach = 0.0;
  for (const Vector3d& v : given.vertices) reach = std::max(reach, (v - p).norm());
  for (int k = 0; k < kMaxRays; ++k) {
    const Vector3d q = p + 1.01 * reach * ray_direction(k);
    CrossingCount count;
    bool clear = true;
    for (std::size_t i = 0; i < given.triangles.size(); ++i) {
      if (!prepared.components[prepared.component[i]].closed) continue;
      const Eigen::Vector3i& t = given.triangles[i];
      const Crossing c = segment_crossing(p, q, {given.vertices[t[0]], given.vertices[t[1]], given.vertices[t[2]]});
      clear = clear && c != Crossing::Unclear;
      if (c == Crossing::Along || c == Crossing::Against) count.add(c);
    }
    if (clear) return count.encloses(oriented) ? Containment::Inside : Containment::Outside;
  }
  return Containment::Unclear;
}

}  // namespace planner_ccd
