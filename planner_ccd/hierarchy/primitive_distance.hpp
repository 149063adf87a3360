#pragma once

#include "planner_ccd/hierarchy/primitive.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Distance of two primitives in one frame, taken as solids where they have a radius.
struct PrimitiveDistance {
  double lower;             ///< [m] Certified; 0 when they touch or may touch.
  double upper;             ///< [m] Certified.
  Eigen::Vector3d point_a;  ///< Witness points (to rounding).
  Eigen::Vector3d point_b;
  Eigen::Vector3d normal;  ///< Unit, from A towards B; n.b - n.a >= lower for all points.
};

PrimitiveDistance primitive_distance(const Primitive& a, const Primitive& b);

/// True only if they are proved farther apart than `threshold` [m] >= 0.
bool primitive_gap_exceeds(const Primitive& a, const Primitive& b, double threshold);

}  // namespace planner_ccd
#pragma GCC visibility pop
