#include "planner_ccd/hierarchy/primitive_distance.hpp"

#include <algorithm>

#include "planner_ccd/geometry/convex.hpp"
#include "planner_ccd/geometry/gjk.hpp"
#include "planner_ccd/math/rounding.hpp"

namespace planner_ccd {

namespace {

bool has_cylinder(const Primitive& a, const Primitive& b) {
  return a.kind == PrimitiveKind::Cylinder || b.kind == PrimitiveKind::Cylinder;
}

Convex convex(const Primitive& p) {
  return p.kind == PrimitiveKind::Cylinder ? cylinder_between(p.corners[0], p.corners[1], p.radius)
                                           : rounded_triangle(p.corners, p.radius);
}

}  // namespace

/// A rounded triangle is all points within its radius of the triangle: distances are those of the triangles less radii.
PrimitiveDistance primitive_distance(const Primitive& a, const Primitive& b) {
  if (has_cylinder(a, b)) {
    const ConvexDistance d = gjk_distance(convex(a), convex(b));
    return {std::max(0.0, d.gap), d.upper, d.point_a, d.point_b, d.normal};
  }
  const TriangleDistance d = triangle_distance(a.corners, b.corners);
  PrimitiveDistance r{d.distance, d.upper, d.point_a, d.point_b, d.normal};
  if (a.radius + b.radius > 0.0) {
    r.lower = std::max(0.0, sub_down(sub_down(d.distance, a.radius), b.radius));
    r.upper = std::max(0.0, sub_up(sub_up(d.upper, a.radius), b.radius));
    r.point_a += a.radius * d.normal;
    r.point_b -= b.radius * d.normal;
  }
  return r;
}

bool primitive_gap_exceeds(const Primitive& a, const Primitive& b, double threshold) {
  if (has_cylinder(a, b)) {
    GjkOptions options;
    options.enough = next_up(threshold);
    return gjk_distance(convex(a), convex(b), Eigen::Vector3d::Zero(), options).gap > threshold;
  }
  return triangle_gap_exceeds(a.corners, b.corners, add_up(add_up(a.radius, b.radius), threshold));
}

}  // namespace planner_ccd
