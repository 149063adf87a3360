#include "planner_ccd/motion/polynomial.hpp"

#include <algorithm>
#include <cmath>

namespace planner_ccd {
namespace {

/// Binomial coefficients up to degree 5.
constexpr double kBinomial[6][6] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}, {1, 5, 10, 10, 5, 1}};

}  // namespace

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

Polynomial Polynomial::derived() const {
  Polynomial d;
  d.degree = std::max(0, degree - 1);
  for (int i = 1; i <= degree; ++i) d.c[i - 1] = i * c[i];
  return d;
}

double Polynomial::abs_bound(double t0, double t1) const {
  // Taylor coefficients of u -> q(t0 + u (t1 - t0)), then the change to Bernstein coefficients
  // b_j = sum_{i<=j} C(j,i)/C(n,i) a_i, whose hull contains the values for u in [0, 1].
  const double h = t1 - t0;
  std::array<double, kMaxDegree + 1> a{};
  double magnitude = 0.0;  // bounds every intermediate result, for the rounding pad
  for (int i = 0; i <= degree; ++i) {
    double sum = 0.0;
    for (int k = degree; k >= i; --k) {
      sum = sum * t0 + kBinomial[k][i] * c[k];
      magnitude += std::abs(kBinomial[k][i] * c[k]);
    }
    a[i] = sum * std::pow(h, i);
  }
  double bound = 0.0;
  for (int j = 0; j <= degree; ++j) {
    double b = 0.0;
    for (int i = 0; i <= j; ++i) b += kBinomial[j][i] / kBinomial[degree][i] * a[i];
    bound = std::max(bound, std::abs(b));
  }
  // Fewer than 40 roundings, none on a quantity above `magnitude` (t in [0, 1]). A constant is exact.
  return degree == 0 ? std::abs(c[0]) : bound + 40.0 * 0x1p-53 * magnitude;
}

}  // namespace planner_ccd
