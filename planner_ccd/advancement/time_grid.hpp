#pragma once

namespace planner_ccd {

/// A dyadic time (k / 2^L with the smallest possible L) in the middle half of [t0, t1], or an end point when the
/// interval is too short for that. So all pairs sample at few distinct times, and poses computed once serve many of
/// them.
[[gnu::visibility("default")]] double sample_time(double t0, double t1);

}  // namespace planner_ccd
