#pragma once

#include <Eigen/Geometry>
#include <limits>

#include "planner_ccd/geometry/convex.hpp"

namespace planner_ccd {

struct GjkOptions {
  /// [relative] The search ends when gap and upper bound of the cores agree to this, or to rounding. Looser results are
  /// equally certified.
  double tolerance = 1e-10;
  /// [m] The search also ends once this gap is proved.
  double enough = std::numeric_limits<double>::infinity();
  int max_iterations = 64;
};

struct ConvexDistance {
  double gap;    ///< [m] Certified: n.b - n.a >= gap for all points. Not positive when no separation was found.
  double upper;  ///< [m] Never below the true distance; 0 when they overlap.
  Eigen::Vector3d normal;   ///< Unit, from A towards B.
  Eigen::Vector3d point_a;  ///< Witness points (to rounding), in the common frame.
  Eigen::Vector3d point_b;
  int iterations;
};

/// Distance of two bodies given in one frame. `direction` is a guess of the normal, from A towards B; zero for none.
ConvexDistance gjk_distance(const Convex& a, const Convex& b,
                            const Eigen::Vector3d& direction = Eigen::Vector3d::Zero(), const GjkOptions& options = {});

/// The same for bodies placed by poses: the bodies meant are the exact images of their cores under the matrices given
/// (which are rigid only to rounding), with their radii around them. Coordinates within a body should be small beside
/// the distances that matter: the rounding bound is some 2^-48 of them.
ConvexDistance gjk_distance(const Convex& a, const Eigen::Isometry3d& X_WA, const Convex& b,
                            const Eigen::Isometry3d& X_WB, const Eigen::Vector3d& direction = Eigen::Vector3d::Zero(),
                            const GjkOptions& options = {});

}  // namespace planner_ccd
