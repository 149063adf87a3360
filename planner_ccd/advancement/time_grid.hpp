#pragma once

namespace planner_ccd {

/// A dyadic time (k / 2^L, L as small as can be) in the middle half of [t0, t1], or an end point when the interval is
/// too short for that. All pairs sample at few distinct times this way, so that poses computed once serve many of them.
double sample_time(double t0, double t1);

}  // namespace planner_ccd
