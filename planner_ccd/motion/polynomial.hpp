#pragma once

#include <array>

namespace planner_ccd {

/// A joint's value over one segment: q(t) = sum_i c[i] t^i, t in [0, 1]. Degree 1 for straight lines in joint space, 3
/// and 5 for the splines that trajectory controllers execute.
struct Polynomial {
  static constexpr int kMaxDegree = 5;

  std::array<double, kMaxDegree + 1> c{};
  int degree = 0;

  double value(double t) const;
  double derivative(double t) const;
  Polynomial derived() const;

  /// Upper bound of |q(t)| over [t0, t1]: the largest Bernstein coefficient there, rounded up. Exact for degree 0
  /// and 1.
  double abs_bound(double t0, double t1) const;
};

}  // namespace planner_ccd
