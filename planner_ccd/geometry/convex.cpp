#include "planner_ccd/geometry/convex.hpp"

#include <cmath>

#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

struct ToConvex {
  Convex operator()(const Sphere& s) const {
    return rounded_triangle({Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero()}, s.radius);
  }
  Convex operator()(const Box& b) const {
    Convex c;
    c.core = Convex::Core::Box;
    c.corners[0] = 0.5 * b.size;
    return c;
  }
  Convex operator()(const Cylinder& c) const {
    const Vector3d half(0.0, 0.0, 0.5 * c.length);
    return cylinder_between(-half, half, c.radius);
  }
  Convex operator()(const Capsule& c) const {
    const Vector3d half(0.0, 0.0, 0.5 * c.length);
    return rounded_triangle({-half, half, half}, c.radius);
  }
  Convex operator()(const ConvexHull& h) const { return convex_hull_of(h.points); }
  Convex operator()(const MeshPtr&) const {
    throw InputError("a mesh is not a convex body: name it a convex hull, or use a hierarchy of triangles");
  }
  Convex operator()(const CloudPtr&) const { throw InputError("a cloud is not a convex body"); }
  Convex operator()(const CellsPtr&) const { throw InputError("a map of cells is not a convex body"); }
};

}  // namespace

Convex rounded_triangle(const Triangle& corners, double radius) {
  Convex c;
  c.corners = corners;
  c.radius = radius;
  return c;
}

Convex cylinder_between(const Vector3d& end0, const Vector3d& end1, double radius) {
  Convex c;
  c.core = Convex::Core::Cylinder;
  c.corners = {end0, end1, end1};
  c.core_radius = radius;
  return c;
}

Convex convex_hull_of(std::span<const Vector3d> points) {
  if (points.empty()) throw InputError("a convex hull needs at least one point");
  Convex c;
  c.core = Convex::Core::Hull;
  c.points = points;
  return c;
}

Convex convex_of(const Shape& shape) { return std::visit(ToConvex{}, shape); }

Vector3d support(const Convex& body, const Vector3d& direction) {
  Vector3d best = Vector3d::Zero();
  switch (body.core) {
    case Convex::Core::Corners:
      best = body.corners[0];
      for (int i = 1; i < 3; ++i) {
        if (direction.dot(body.corners[i] - best) > 0.0) best = body.corners[i];
      }
      break;
    case Convex::Core::Cylinder: {
      const Vector3d axis = (body.corners[1] - body.corners[0]).stableNormalized();
      best = body.corners[direction.dot(axis) > 0.0 ? 1 : 0];
      best += body.core_radius * (direction - axis * axis.dot(direction)).stableNormalized();
      break;
    }
    case Convex::Core::Box:
      for (int i = 0; i < 3; ++i) best[i] = std::copysign(body.corners[0][i], direction[i]);
      break;
    case Convex::Core::Hull:
      best = body.points[0];
      for (const Vector3d& p : body.points) {
        if (direction.dot(p - best) > 0.0) best = p;
      }
  }
  return best + body.radius * direction.stableNormalized();
}

}  // namespace planner_ccd
