#pragma once

#include <Eigen/Core>

#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"
#include "planner_ccd/triangle_ccd/plucker.hpp"

namespace planner_ccd {

/// The motion of a body relative to another when a single joint moves between them: about or along a fixed axis.
struct AxisMotion {
  using Kind = plucker::Kind;

  Kind kind = Kind::Rotation;
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< [m] A point of the axis; a translation ignores it.
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();   ///< Any length but 0: the motion is about axis / |axis|.
  double from = 0.0;                                 ///< [rad] or [m] At t = 0, relative to where A is given.
  double to = 0.0;                                   ///< The same at t = 1; any sign, any number of turns.
};

/// First contact of triangle A, which moves by `motion`, with triangle B, which is fixed. t runs linearly from
/// `motion.from` to `motion.to`; everything else is as in leaf_ccd.hpp. No chord, no linearisation. (MATHS.md T10)
///
/// At the first time at which the distance falls to min_separation (15) holds for a pair of features. The spans in which it can are found from
/// quadratics; there planes with exact free spans prove them apart, or the pair is a contact. Coplanar rotation, an axis through a corner or
/// along an edge, zero-length edges and zero angles are left to the planes alone. Contact is reported where these come to a halt: where the
/// distance is min_separation to some 1e-13 of the size of the scene, and never above min_separation + tolerance.
LeafResult axis_triangle_ccd(const Triangle& a, const Triangle& b, const AxisMotion& motion,
                             const LeafOptions& options);

}  // namespace planner_ccd
