// What eq. (2) is told about a primitive: corners, and a spread about them, that hold everything that moves.
#include "planner_ccd/advancement/posed_nodes.hpp"

#include <gtest/gtest.h>

#include "support/random_robot.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

/// How far the primitive reaches along d, without the radius of a rounded triangle (which the gap has taken off).
double reach_along(const Primitive& p, const Vector3d& d) {
  if (p.kind == PrimitiveKind::Cube) {
    double half = p.radius;
    for (const Vector3d& h : half_edges(p)) half += std::abs(d.dot(h));
    return d.dot(p.corners[0]) + half;
  }
  double most = -std::numeric_limits<double>::infinity();
  for (const Vector3d& c : p.corners) most = std::max(most, d.dot(c));
  if (p.kind != PrimitiveKind::Cylinder) return most;
  const Vector3d axis = (p.corners[1] - p.corners[0]).normalized();
  return most + p.radius * (d - d.dot(axis) * axis).norm();
}

TEST(PosedPrimitive, CornersAndSpreadHoldAllOfIt) {
  testing::Draw draw(981);
  double tightest[3] = {1e9, 1e9, 1e9};
  for (int i = 0; i < 600; ++i) {
    Primitive p{static_cast<PrimitiveKind>(i % 3), {}, 0.0, 0, -1};
    for (Vector3d& c : p.corners) c = draw.vector(1.0);
    if (p.kind == PrimitiveKind::Cylinder) {
      p.corners[2] = p.corners[1];
      p.radius = draw.uniform(0.0, 0.5);
    } else if (p.kind == PrimitiveKind::Cube) {
      p.corners[2] = p.corners[1].cross(p.corners[2]).normalized() * p.corners[1].norm();
      p.radius = 1e-3;
    }
    const PosedGap posed = posed_primitive(p, {1.0, Vector3d::UnitX()});
    for (int k = 0; k < 200; ++k) {
      const Vector3d d = draw.direction();
      double bound = -std::numeric_limits<double>::infinity();
      for (int j = 0; j < posed.count; ++j) bound = std::max(bound, d.dot(posed.corners[j]));
      bound += posed.spread;
      ASSERT_LE(reach_along(p, d), bound + 1e-12) << i;
      tightest[i % 3] = std::min(tightest[i % 3], bound - reach_along(p, d));
    }
  }
  for (const double t : tightest) EXPECT_LT(t, 1e-2) << "tight";
}

}  // namespace
}  // namespace planner_ccd
