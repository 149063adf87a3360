#pragma once

namespace planner_ccd::detail {

/// [rad] Up to here sines and cosines are the project's own (forward_pass_inl.hpp), bit-identical on every machine and
/// in every lane; beyond, the C library's.
inline constexpr double kAnglesInLanes = 1024.0;

/// Each within 2 ulp of 1 of the true value, with the same bits as in lanes.
void sine_cosine_of(double x, double& sine, double& cosine);

}  // namespace planner_ccd::detail
