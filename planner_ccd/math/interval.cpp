#include "planner_ccd/math/interval.hpp"

#include <cassert>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

bool has_nan(const Interval& a) { return std::isnan(a.lo) || std::isnan(a.hi); }

/// Product of two ends, with 0 * infinity = 0.
double end_product(double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : a * b; }

/// pi / 2 lies strictly between this double and its successor (its next 53 bits are 6.1e-17).
constexpr double kHalfPiDown = 0x1.921fb54442d18p+0;
constexpr double kHalfPiUp = 0x1.921fb54442d19p+0;

/// [rad] Beyond it quadrants are not distinguished and [-1, 1] is returned.
constexpr double kMaxAngle = 0x1p+30;

/// The enclosure of the exact value for the library's result `v`.
Interval widened(double v) {
  const double pad = kLibmRelative * std::abs(v) + std::numeric_limits<double>::min();
  return {std::max(-1.0, next_down(v - pad)), std::min(1.0, next_up(v + pad))};
}

/// Could an integer k with (k - 1/4) * 4 = quarters modulo 4, i.e. an angle (quarters + 4 k) pi / 2, lie in `a`? Errs
/// on yes.
bool may_hold_angle(const Interval& a, double quarters) {
  const Interval turn = Interval(kHalfPiDown, kHalfPiUp) * 4.0;
  const Interval k = (a - Interval(kHalfPiDown, kHalfPiUp) * quarters) / turn;
  return std::floor(k.hi) >= std::ceil(k.lo);
}

/// Monotone between its extremes, which are +1 at (top + 4 k) pi / 2 and -1 at (top + 2 + 4 k) pi / 2.
template <class F>
Interval circular(const Interval& a, double top, F f) {
  if (!(a.mag() <= kMaxAngle)) return has_nan(a) ? Interval::entire() : Interval(-1.0, 1.0);
  Interval range = hull(widened(f(a.lo)), widened(f(a.hi)));
  if (may_hold_angle(a, top)) range.hi = 1.0;
  if (may_hold_angle(a, top + 2.0)) range.lo = -1.0;
  return range;
}

}  // namespace

Interval repair(const Interval& a) { return {std::isnan(a.lo) ? -kInf : a.lo, std::isnan(a.hi) ? kInf : a.hi}; }

Interval multiply_unbounded(const Interval& a, const Interval& b) {
  if (has_nan(a) || has_nan(b)) return Interval::entire();
  const double p = end_product(a.lo, b.lo), q = end_product(a.lo, b.hi);
  const double r = end_product(a.hi, b.lo), s = end_product(a.hi, b.hi);
  return repair({next_down(std::min({p, q, r, s})), next_up(std::max({p, q, r, s}))});
}

Interval divide_unbounded(const Interval& a, const Interval& b) {
  if (has_nan(a) || has_nan(b) || (b.lo <= 0.0 && b.hi >= 0.0)) return Interval::entire();
  // b is away from 0, an end of a or b is infinite. 1 / b is then bounded, and it holds 0 as the limit of an infinite
  // end.
  const Interval inverse(std::isinf(b.hi) ? 0.0 : div_down(1.0, b.hi), std::isinf(b.lo) ? 0.0 : div_up(1.0, b.lo));
  return multiply_unbounded(a, inverse);
}

Interval intersect(const Interval& a, const Interval& b) {
  const Interval r(std::max(a.lo, b.lo), std::min(a.hi, b.hi));
  assert(!(r.lo > r.hi));
  return r;
}

Interval abs(const Interval& a) { return has_nan(a) ? Interval(0.0, kInf) : Interval(a.mig(), a.mag()); }

Interval sqrt(const Interval& a) {
  if (!(a.hi >= 0.0)) return Interval::entire();
  return {a.lo > 0.0 ? sqrt_down(a.lo) : 0.0, sqrt_up(a.hi)};
}

Interval sin(const Interval& a) {
  return circular(a, 1.0, [](double x) { return std::sin(x); });
}
Interval cos(const Interval& a) {
  return circular(a, 0.0, [](double x) { return std::cos(x); });
}

}  // namespace planner_ccd
