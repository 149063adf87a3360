#include "planner_ccd/advancement/time_grid.hpp"

#include <bit>
#include <cstdint>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

/// The largest power of two not above x > 0 (a normal number).
double power_of_two_below(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0x7ff0000000000000ULL);
}

}  // namespace

double sample_time(double t0, double t1) {
  const double length = t1 - t0;
  if (!(length > 256.0 * kUnitRoundoff)) return t0;
  const double lo = t0 + 0.25 * length;
  const double hi = t1 - 0.25 * length;
  // A step of at most hi - lo has a multiple in [lo, hi]; try coarser ones first. lo / step < 2^47, so the cast is exact.
  double step = 4.0 * power_of_two_below(hi - lo);
  for (int i = 0; i < 4; ++i, step *= 0.5) {
    auto k = static_cast<std::int64_t>(lo / step);
    if (static_cast<double>(k) * step < lo) ++k;
    const double t = static_cast<double>(k) * step;
    if (t <= hi) return t;
  }
  return t0 + 0.5 * length;
}

}  // namespace planner_ccd
