#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/math/rounding.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Closed interval [lo, hi] of reals, every operation rounded outwards: x in X, y in Y implies x o y in X o Y.
///
/// An infinite end means "unbounded on this side"; 0 times such an end is 0. Results that cannot be bounded (division
/// by an interval containing 0, NaN from the user, overflow on the wrong side) become entire(). There is no empty
/// interval: intersect() of disjoint intervals is a caller's error (assert), because two enclosures of one number
/// always meet.
struct Interval {
  double lo = 0.0;
  double hi = 0.0;

  Interval() = default;
  Interval(double x) : lo(x), hi(x) {}  // NOLINT: a number is an interval
  Interval(double lower, double upper) : lo(lower), hi(upper) {}

  static Interval entire() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  /// [-r, r], r >= 0.
  static Interval ball(double r) { return {-r, r}; }

  bool is_finite() const { return std::isfinite(lo) && std::isfinite(hi); }
  bool contains(double x) const { return lo <= x && x <= hi; }
  bool contains(const Interval& x) const { return lo <= x.lo && x.hi <= hi; }
  double mid() const { return 0.5 * lo + 0.5 * hi; }
  double width() const { return sub_up(hi, lo); }                        ///< Rounded up.
  double mag() const { return std::max(std::abs(lo), std::abs(hi)); }    ///< Greatest absolute value.
  double mig() const { return lo > 0.0 ? lo : (hi < 0.0 ? -hi : 0.0); }  ///< Least absolute value.

  Interval operator-() const { return {-hi, -lo}; }
};

/// For operands with an infinity or a NaN; slow and complete.
Interval multiply_unbounded(const Interval& a, const Interval& b);
/// For a divisor that contains 0, or ends that are not finite.
Interval divide_unbounded(const Interval& a, const Interval& b);
/// Replaces an end that is NaN by an infinity.
Interval repair(const Interval& a);

inline Interval operator+(const Interval& a, const Interval& b) {
  const Interval r(add_down(a.lo, b.lo), add_up(a.hi, b.hi));
  return r.lo <= r.hi ? r : repair(r);
}
inline Interval operator-(const Interval& a, const Interval& b) {
  const Interval r(sub_down(a.lo, b.hi), sub_up(a.hi, b.lo));
  return r.lo <= r.hi ? r : repair(r);
}
inline Interval operator*(const Interval& a, const Interval& b) {
  const double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  if (!(std::abs(p) + std::abs(q) + std::abs(r) + std::abs(s) <= std::numeric_limits<double>::max())) {
    return multiply_unbounded(a, b);
  }
  return {next_down(std::min(std::min(p, q), std::min(r, s))), next_up(std::max(std::max(p, q), std::max(r, s)))};
}
inline Interval operator/(const Interval& a, const Interval& b) {
  if (!((b.lo > 0.0 || b.hi < 0.0) && a.is_finite() && b.is_finite())) return divide_unbounded(a, b);
  const double p = a.lo / b.lo, q = a.lo / b.hi, r = a.hi / b.lo, s = a.hi / b.hi;
  const Interval quotient(next_down(std::min(std::min(p, q), std::min(r, s))),
                          next_up(std::max(std::max(p, q), std::max(r, s))));
  return quotient.is_finite() ? quotient : repair(quotient);
}
inline Interval& operator+=(Interval& a, const Interval& b) { return a = a + b; }
inline Interval& operator-=(Interval& a, const Interval& b) { return a = a - b; }
inline Interval& operator*=(Interval& a, const Interval& b) { return a = a * b; }

/// The least interval that contains both.
inline Interval hull(const Interval& a, const Interval& b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }
/// Requires both to enclose one number, so that they meet.
Interval intersect(const Interval& a, const Interval& b);

Interval abs(const Interval& a);
/// Of the non-negative part of `a`; entire() if there is none.
Interval sqrt(const Interval& a);
Interval sin(const Interval& a);  ///< Within [-1, 1]; needs |kLibmUlps| of the C library's sine.
Interval cos(const Interval& a);

}  // namespace planner_ccd
#pragma GCC visibility pop
