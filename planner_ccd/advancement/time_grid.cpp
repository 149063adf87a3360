#include "planner_ccd/advancement/time_grid.hpp"

#include <cmath>

namespace planner_ccd {

double sample_time(double t0, double t1) {
  const double length = t1 - t0;
  if (!(length > 0x1p-48)) return t0;
  const double lo = t0 + 0.25 * length;
  const double hi = t1 - 0.25 * length;
  // A step of at most hi - lo has a multiple in [lo, hi]; try coarser ones first.
  int exponent = 0;
  std::frexp(hi - lo, &exponent);  // hi - lo = f 2^exponent, f in [1/2, 1)
  for (int e = exponent + 1; e >= exponent - 1; --e) {
    const double step = std::ldexp(1.0, e);
    const double t = std::ceil(lo / step) * step;
    if (t <= hi) return t;
  }
  return t0 + 0.5 * length;
}

}  // namespace planner_ccd
