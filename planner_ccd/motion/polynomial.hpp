#pragma once

#include <array>

#pragma GCC visibility push(default)
namespace planner_ccd {

struct Interval;

/// A joint's value over one segment: q(t) = sum_i c[i] t^i, t in [0, 1]. Degree 1 for straight lines in joint space, 3
/// and 5 for the splines that trajectory controllers execute.
struct Polynomial {
  static constexpr int kMaxDegree = 5;

  std::array<double, kMaxDegree + 1> c{};
  int degree = 0;

  double value(double t) const;
  double derivative(double t) const;
  double second_derivative(double t) const;
  Polynomial derived() const;
  /// The same curve over [a, b] of [0, 1], as a polynomial in (t - a) / (b - a). Rounding moves it by at most
  /// kRestrictedError * abs_sum().
  Polynomial restricted(double a, double b) const;
  static const double kRestrictedError;

  /// sum |c[i]|, rounded up: bounds |q(t)| on [0, 1], and is what rounding errors are relative to.
  double abs_sum() const;

  /// Contains q(t) for all t in [t0, t1] (both in [0, 1]): the hull of the Bernstein coefficients there, rounded
  /// outwards.
  Interval range(double t0, double t1) const;
  /// Upper bound of |q(t)| over [t0, t1]. Exact for degree 0.
  double abs_bound(double t0, double t1) const;
};

}  // namespace planner_ccd
#pragma GCC visibility pop
