#include "planner_ccd/triangle_ccd/detail/front.hpp"

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd::leaf {
namespace {

/// A time where the cubic is likely to be near zero, from its coefficients alone.
double likely_root(const std::array<double, 4>& b) {
  const double secant = b[0] / (b[0] - b[3]);
  const bool crosses = (b[0] > 0) != (b[3] > 0);
  const double turn = std::abs(b[1] - b[0]) > std::abs(b[2] - b[3]) ? 1.0 / 3.0 : 2.0 / 3.0;
  return crosses ? secant : turn;
}

/// True for each end when the cubic has no near zero between it and `proved`: left of proved.lo, right of proved.hi.
/// By de Casteljau, both ends at once (the right one with the coefficients reversed): three levels of at most 4 u M each.
struct EndsClear {
  bool left, right;
};

EndsClear ends_clear(const Cubic& cubic, const TimeInterval& proved, double t_max) {
  const auto& b = cubic.bernstein;
  const Double2 s{std::max(proved.lo, 0.0), 1 - std::min(proved.hi, 1.0)}, r = both(1) - s;
  const Double2 b0{b[0], b[3]}, b1{b[1], b[2]}, b2{b[2], b[1]}, b3{b[3], b[0]};
  const Double2 c1 = r * b0 + s * b1, m = r * b1 + s * b2, e = r * b2 + s * b3;
  const Double2 c2 = r * c1 + s * m, f = r * m + s * e;
  const Double2 c3 = r * c2 + s * f;
  const Double2 largest = greatest(greatest(absolute(b0), absolute(b1)), greatest(absolute(b2), absolute(b3)));
  const Double2 band = cubic.band + 16 * kUnitRoundoff * largest;
  const Double2 lo = least(least(b0, c1), least(c2, c3)), hi = greatest(greatest(b0, c1), greatest(c2, c3));
  const auto clear = (lo > band) | (hi < -band);
  return {clear[0] != 0 || proved.lo <= 0, clear[1] != 0 || proved.hi >= t_max};
}

}  // namespace

FrontProof one_direction(const MovingPatch& patch, const Cubic& cubic, double separation, double t_max) {
  const double t = std::min(likely_root(cubic.bernstein), t_max);
  const TimeInterval proved = certified_times(patch, nearest_point(patch, t).direction, separation);
  if (proved.lo > proved.hi) return {false, 0.0};
  const EndsClear clear = ends_clear(cubic, proved, t_max);
  return {clear.left && clear.right, clear.left ? std::clamp(proved.hi, 0.0, t_max) : 0.0};
}

}  // namespace planner_ccd::leaf
