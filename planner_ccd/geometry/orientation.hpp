#pragma once

#include <Eigen/Core>

namespace planner_ccd {

/// Twice the area of the triangle (a, b, c) of the coordinates `i` and `j`, counter-clockwise positive: the sign is
/// exact, the value good to rounding.
double orientation_2d(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, int i, int j);

/// Six times the volume of the tetrahedron (a, b, c, d), positive if d lies on the side of (a, b, c) from which they
/// are counter-clockwise: the sign is exact, the value good to rounding.
///
/// Both are exact for coordinates that are 0 or between 2^-200 and 2^200 in magnitude: the last bit of any product is
/// then above 2^-1074.
double orientation_3d(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                      const Eigen::Vector3d& d);

}  // namespace planner_ccd
