#include "planner_ccd/motion/polynomial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/math/interval.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

/// Binomial coefficients up to degree 5.
constexpr double kBinomial[6][6] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}, {1, 5, 10, 10, 5, 1}};

}  // namespace

const double Polynomial::kRestrictedError = 128.0 * kUnitRoundoff;

double Polynomial::value(double t) const {
  double sum = c[degree];
  for (int i = degree - 1; i >= 0; --i) sum = sum * t + c[i];
  return sum;
}

double Polynomial::derivative(double t) const {
  double sum = 0.0;
  for (int i = degree; i >= 1; --i) sum = sum * t + i * c[i];
  return sum;
}

double Polynomial::second_derivative(double t) const {
  double sum = 0.0;
  for (int i = degree; i >= 2; --i) sum = sum * t + i * (i - 1) * c[i];
  return sum;
}

Polynomial Polynomial::derived() const {
  Polynomial d;
  d.degree = std::max(0, degree - 1);
  for (int i = 1; i <= degree; ++i) d.c[i - 1] = i * c[i];
  return d;
}

Polynomial Polynomial::restricted(double a, double b) const {
  // Rounding: MATHS.md 11.
  Polynomial p;
  p.degree = degree;
  const double h = b - a;
  double power = 1.0;
  for (int i = 0; i <= degree; ++i) {
    double sum = 0.0;
    for (int k = degree; k >= i; --k) sum = sum * a + kBinomial[k][i] * c[k];
    p.c[i] = sum * power;
    power *= h;
  }
  return p;
}

double Polynomial::abs_sum() const {
  double sum = 0.0;
  for (int i = 0; i <= degree; ++i) sum += std::abs(c[i]);
  return inflate(sum);
}

namespace {

using Shares = std::array<std::array<std::array<double, Polynomial::kMaxDegree + 1>, Polynomial::kMaxDegree + 1>,
                          Polynomial::kMaxDegree + 1>;

/// C(j, i) / C(n, i), by n, j and i <= j <= n.
constexpr Shares kBernstein = [] {
  Shares out{};
  for (int n = 0; n <= Polynomial::kMaxDegree; ++n) {
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= j; ++i) out[n][j][i] = kBinomial[j][i] / kBinomial[n][i];
    }
  }
  return out;
}();

}  // namespace

Interval Polynomial::range(double t0, double t1) const {
  if (degree == 0) return c[0];
  // Taylor coefficients of u -> q(t0 + u (t1 - t0)), then the change to Bernstein coefficients
  // b_j = sum_{i<=j} C(j,i)/C(n,i) a_i, whose hull contains the values for u in [0, 1].
  const double h = t1 - t0;
  std::array<double, kMaxDegree + 1> a{};
  double magnitude = 0.0;  // bounds every intermediate result, for the rounding pad
  double power = 1.0;
  for (int i = 0; i <= degree; ++i) {
    if (t0 == 0.0) {  // the coefficients themselves
      a[i] = c[i] * power;
      magnitude += std::abs(c[i]);
      power *= h;
      continue;
    }
    double sum = 0.0;
    for (int k = degree; k >= i; --k) {
      sum = sum * t0 + kBinomial[k][i] * c[k];
      magnitude += std::abs(kBinomial[k][i] * c[k]);
    }
    a[i] = sum * power;
    power *= h;
  }
  Interval hull(std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity());
  for (int j = 0; j <= degree; ++j) {
    double b = 0.0;
    for (int i = 0; i <= j; ++i) b += kBernstein[degree][j][i] * a[i];
    hull.lo = std::min(hull.lo, b);
    hull.hi = std::max(hull.hi, b);
    if (!std::isfinite(b)) return Interval::entire();
  }
  // Fewer than 40 roundings, none on a quantity above `magnitude` (t in [0, 1]).
  const double pad = 40.0 * kUnitRoundoff * magnitude;
  return {next_down(hull.lo - pad), next_up(hull.hi + pad)};
}

double Polynomial::abs_bound(double t0, double t1) const { return range(t0, t1).mag(); }

}  // namespace planner_ccd
