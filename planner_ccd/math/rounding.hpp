#pragma once

#include <cmath>
#include <limits>

/// Outward rounding without touching the processor's rounding mode: the next double on either side of a result is a bound. (MATHS.md 8, (29))
///
/// Assumed of the machine: IEEE 754 binary64, round to nearest, no flush of subnormals, no contraction of a * b + c (the build passes
/// -ffp-contract=off), and a correctly rounded sqrt. next_up() and next_down() give a neighbour or what is beyond it, for every finite x.
/// Infinities: next_up(+inf) and next_down(-inf) stay; next_up(-inf) and next_down(+inf) are NaN, so an overflow on the
/// wrong side is detected as "not finite" and never used as a bound.
namespace planner_ccd {

/// Half the distance from 1 to the next double: the greatest relative error of one operation.
inline constexpr double kUnitRoundoff = 0x1p-53;

inline double next_up(double x) {
  constexpr double phi = kUnitRoundoff * (1.0 + 2.0 * kUnitRoundoff);
  return x + (phi * std::abs(x) + std::numeric_limits<double>::denorm_min());
}
inline double next_down(double x) {
  constexpr double phi = kUnitRoundoff * (1.0 + 2.0 * kUnitRoundoff);
  return x - (phi * std::abs(x) + std::numeric_limits<double>::denorm_min());
}

inline double add_up(double a, double b) { return next_up(a + b); }
inline double add_down(double a, double b) { return next_down(a + b); }
inline double sub_up(double a, double b) { return next_up(a - b); }
inline double sub_down(double a, double b) { return next_down(a - b); }
inline double mul_up(double a, double b) { return next_up(a * b); }
inline double mul_down(double a, double b) { return next_down(a * b); }
inline double div_up(double a, double b) { return next_up(a / b); }
inline double div_down(double a, double b) { return next_down(a / b); }
inline double sqrt_up(double a) { return next_up(std::sqrt(a)); }
inline double sqrt_down(double a) { return std::fmax(0.0, next_down(std::sqrt(a))); }

/// Upper bound of an expression that was computed to nearest as `x` from non-negative numbers by + * / sqrt alone, when
/// no term of it went through more than 32 roundings, and fewer than 2^40 operations underflowed. (MATHS.md 8)
inline double inflate(double x) { return x * (1.0 + 64.0 * kUnitRoundoff) + std::numeric_limits<double>::min(); }

}  // namespace planner_ccd
