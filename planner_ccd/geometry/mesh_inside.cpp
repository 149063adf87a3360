#include "planner_ccd/geometry/mesh_inside.hpp"

#include <cmath>

#include "planner_ccd/geometry/orientation.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

/// Which side of the plane of a, b, c the point d lies on, exactly.
int side(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  const double volume = orientation_3d(a, b, c, d);
  return volume > 0.0 ? 1 : volume < 0.0 ? -1 : 0;
}

}  // namespace

/// The line misses the triangle if it passes two edges on opposite sides; the segment misses it if both ends are on one
/// side of its plane.
Crossing segment_crossing(const Vector3d& p, const Vector3d& q, const Triangle& t) {
  const int side_p = side(t[0], t[1], t[2], p);
  const int side_q = side(t[0], t[1], t[2], q);
  if (side_p * side_q > 0) return Crossing::None;
  const int e0 = side(p, q, t[0], t[1]);
  const int e1 = side(p, q, t[1], t[2]);
  if (e0 * e1 < 0) return Crossing::None;
  const int e2 = side(p, q, t[2], t[0]);
  if (e0 * e2 < 0 || e1 * e2 < 0) return Crossing::None;
  if (e0 == 0 || e1 == 0 || e2 == 0 || side_p == 0 || side_q == 0) return Crossing::Unclear;
  return side_p > 0 ? Crossing::Against : Crossing::Along;
}

Vector3d ray_direction(int k) {
  constexpr double golden = 2.39996322972865332;  // The angle that keeps successive points apart, [rad].
  const double z = std::fmod(0.137 + 0.61803398874989485 * k, 1.0) * 2.0 - 1.0;
  const double r = std::sqrt(1.0 - z * z);
  return {r * std::cos(golden * k + 0.3), r * std::sin(golden * k + 0.3), z};
}

}  // namespace planner_ccd
