#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "planner_ccd/geometry/triangle_distance.hpp"

namespace planner_ccd {

enum class Containment : std::uint8_t { Outside, Inside, Unclear };

/// How the segment from p to q crosses a triangle. Against: opposite to the triangle's normal.
enum class Crossing : std::uint8_t { None, Along, Against, Unclear };

/// Exact; Unclear when the segment meets an edge or a corner, or an end lies in the plane.
Crossing segment_crossing(const Eigen::Vector3d& p, const Eigen::Vector3d& q, const Triangle& t);

/// The k-th of a sequence of unit vectors spread over the sphere: after an Unclear crossing the next ray is tried.
Eigen::Vector3d ray_direction(int k);
inline constexpr int kMaxRays = 24;

}  // namespace planner_ccd
