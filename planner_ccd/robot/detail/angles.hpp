#pragma once

namespace planner_ccd::detail {

/// [rad] Sines and cosines of angles up to here are the project's own (forward_pass_inl.hpp), the same bits on every machine and
/// in every lane; beyond, the C library's.
inline constexpr double kAnglesInLanes = 1024.0;

/// Each within 2 ulp of 1 of the truth, and the same bits as in lanes.
void sine_cosine_of(double x, double& sine, double& cosine);

}  // namespace planner_ccd::detail
