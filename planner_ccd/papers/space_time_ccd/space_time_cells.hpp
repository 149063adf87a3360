#pragma once

#include <Eigen/Core>
#include <array>

#include "planner_ccd/papers/space_time_ccd/space_time_simplex.hpp"
#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd::space_time {

/// The corners of A, then those of B: 1 + 3 or 2 + 2.
using Corners = std::array<Eigen::Vector3d, 4>;

/// A primitive pair with the corners of each feature in the global order of space_time.hpp.
struct Primitive {
  std::array<MovingPoint, 4> corners;
  int count_a = 1;
  std::array<int, 4> source;  ///< corners[k] is corner source[k] of the query, A's before B's.
};

Primitive ordered(const VertexFaceMotion& motion);
Primitive ordered(const EdgeEdgeMotion& motion);

struct Cells {
  std::array<Simplex, 6> simplices;
  int count = 0;
};

/// The sets (2) of all pairs of simplices (1), for a part of the motion that starts and ends there.
Cells cells_between(const Corners& start, const Corners& end, int count_a);

}  // namespace planner_ccd::space_time
