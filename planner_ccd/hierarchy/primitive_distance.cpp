#include "planner_ccd/hierarchy/primitive_distance.hpp"

#include <algorithm>

#include "planner_ccd/math/rounding.hpp"

namespace planner_ccd {

/// A rounded triangle is all points within its radius of the triangle: distances are those of the triangles less radii.
/// A cylinder lies between its axis and the capsule about it, so its distance does too.
PrimitiveDistance primitive_distance(const Primitive& a, const Primitive& b) {
  const TriangleDistance d = triangle_distance(a.corners, b.corners);
  const double inner_a = a.kind == PrimitiveKind::Cylinder ? 0.0 : a.radius;
  const double inner_b = b.kind == PrimitiveKind::Cylinder ? 0.0 : b.radius;
  PrimitiveDistance r;
  r.lower = d.distance;
  r.upper = d.upper;
  if (a.radius + b.radius > 0.0) {
    r.lower = std::max(0.0, sub_down(sub_down(d.distance, a.radius), b.radius));
    r.upper = std::max(0.0, sub_up(sub_up(d.upper, inner_a), inner_b));
  }
  r.normal = d.normal;
  r.point_a = d.point_a + inner_a * d.normal;
  r.point_b = d.point_b - inner_b * d.normal;
  return r;
}

bool primitive_gap_exceeds(const Primitive& a, const Primitive& b, double threshold) {
  return triangle_gap_exceeds(a.corners, b.corners, add_up(add_up(a.radius, b.radius), threshold));
}

}  // namespace planner_ccd
