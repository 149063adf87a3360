#pragma once

#include <Eigen/Core>
#include <array>

namespace planner_ccd::space_time {

/// One corner of the set (2) of space_time.hpp: p - q, known by its rounded value and, exactly, by p and q.
struct Difference {
  Eigen::Vector3d value;
  Eigen::Vector3d p;
  Eigen::Vector3d q;
  double time = 0.0;  ///< 0 or 1: the common time of p and q.
};

Difference difference(const Eigen::Vector3d& p, const Eigen::Vector3d& q, double time);

struct Containment {
  bool inside = false;
  bool degenerate = false;
  double time = 0.0;
  int exact_determinants = 0;
};

using Simplex = std::array<Difference, 4>;

/// Does the closed tetrahedron, flat or not, hold the origin? Exact; coordinates must be in the range of
/// `products_are_exact`.
Containment contains_origin(const Simplex& simplex);

/// A nonzero coordinate in [2^-280, 2^330] is a multiple of 2^-332 and so are differences of such; products of three of
/// them are multiples of 2^-996 below 2^993: no product, no rounding error and no expansion term over- or underflows.
bool products_are_exact(const Eigen::Vector3d& point);

}  // namespace planner_ccd::space_time
