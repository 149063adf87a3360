#include "planner_ccd/hierarchy/primitive_distance.hpp"

#include <algorithm>

#include "planner_ccd/geometry/convex.hpp"
#include "planner_ccd/geometry/gjk.hpp"
#include "planner_ccd/math/rounding.hpp"

namespace planner_ccd {

namespace {

bool are_triangles(const Primitive& a, const Primitive& b) {
  return a.kind == PrimitiveKind::RoundedTriangle && b.kind == PrimitiveKind::RoundedTriangle;
}

/// A convex body and its pose.
struct Placed {
  Convex body;
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();

  explicit Placed(const Primitive& p) {
    switch (p.kind) {
      case PrimitiveKind::RoundedTriangle: body = rounded_triangle(p.corners, p.radius); return;
      case PrimitiveKind::Cylinder:
        body = cylinder_between(p.corners[0], p.corners[1], p.radius);
        body.radius = p.rim_error;
        return;
      case PrimitiveKind::Cube: break;
    }
    const std::array<Eigen::Vector3d, 3> half = half_edges(p);
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d& edge = half[k];
      body.corners[0][k] = edge.norm();
      X.linear().col(k) = edge / body.corners[0][k];
    }
    X.translation() = p.corners[0];
    body.core = Convex::Core::Box;
    body.radius = p.radius;
  }
};

/// Where rims may be off, bodies are that much thicker, and by as much again their distance may be greater than that of the thicker ones.
ConvexDistance convex_distance(const Primitive& a, const Primitive& b, const GjkOptions& options = {}) {
  const Placed x(a), y(b);
  const bool plain = a.kind != PrimitiveKind::Cube && b.kind != PrimitiveKind::Cube;
  ConvexDistance d = plain ? gjk_distance(x.body, y.body, Eigen::Vector3d::Zero(), options)
                           : gjk_distance(x.body, x.X, y.body, y.X, Eigen::Vector3d::Zero(), options);
  if (const double off = a.rim_error + b.rim_error; off > 0.0) d.upper = add_up(d.upper, 3.0 * off);
  return d;
}

}  // namespace

/// A rounded triangle is all points within its radius of the triangle: distances are those of the triangles less radii.
PrimitiveDistance primitive_distance(const Primitive& a, const Primitive& b) {
  if (!are_triangles(a, b)) {
    const ConvexDistance d = convex_distance(a, b);
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
  if (!are_triangles(a, b)) {
    GjkOptions options;
    options.enough = next_up(threshold);
    return convex_distance(a, b, options).gap > threshold;
  }
  return triangle_gap_exceeds(a.corners, b.corners, add_up(add_up(a.radius, b.radius), threshold));
}

}  // namespace planner_ccd
