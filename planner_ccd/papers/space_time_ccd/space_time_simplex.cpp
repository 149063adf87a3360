#include "planner_ccd/papers/space_time_ccd/space_time_simplex.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/math/expansion.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd::space_time {
namespace {

using Eigen::Vector3d;

struct Signed {
  int sign = 0;
  double value = 0.0;  ///< To rounding.
};

int sign_of(double x) { return x > 0.0 ? 1 : (x < 0.0 ? -1 : 0); }

Expansion<2> exact(const Difference& d, int axis) { return Expansion<2>(two_difference(d.p[axis], d.q[axis])); }

Expansion<17> exact_minor(const Difference& a, const Difference& b, int i, int j) {
  Expansion<17> minor;
  minor.add(product(exact(a, i), exact(b, j)));
  minor.add(product(exact(a, j), exact(b, i)), -1.0);
  return minor;
}

Signed exact_determinant(const Difference& a, const Difference& b, const Difference& c) {
  Expansion<209> sum;
  sum.add(product(exact_minor(b, c, 1, 2), exact(a, 0)));
  sum.add(product(exact_minor(b, c, 2, 0), exact(a, 1)));
  sum.add(product(exact_minor(b, c, 0, 1), exact(a, 2)));
  return {sum.sign(), sum.estimate()};
}

/// Rounding of det: every term of the permanent meets 3 roundings of its entries, 2 of its products, 1 of the minor and
/// 2 of the outer sum, so |error| <= ((1+u)^8 - 1) permanent, u = 2^-53; the permanent is itself computed to (1+u)^6.
constexpr double kDeterminantError = 10.0 * kUnitRoundoff;

Signed determinant(const Difference& a, const Difference& b, const Difference& c, int& exact_count) {
  const Vector3d& u = a.value;
  const Vector3d& v = b.value;
  const Vector3d& w = c.value;
  double value = 0.0;
  double permanent = 0.0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    const double plus = v[j] * w[k];
    const double minus = v[k] * w[j];
    value += u[i] * (plus - minus);
    permanent += std::abs(u[i]) * (std::abs(plus) + std::abs(minus));
  }
  if (std::abs(value) > kDeterminantError * permanent) return {sign_of(value), value};
  if (permanent == 0.0) return {0, 0.0};  // every term has an exact 0 in it: no product underflows
  ++exact_count;
  return exact_determinant(a, b, c);
}

/// Time of the convex combination with weights |lambda_i| of the corners.
template <std::size_t N>
double weighted_time(const std::array<Signed, N>& lambda, const std::array<const Difference*, N>& corners) {
  double total = 0.0;
  double late = 0.0;
  for (std::size_t i = 0; i < N; ++i) {
    total += std::abs(lambda[i].value);
    late += std::abs(lambda[i].value) * corners[i]->time;
  }
  return total > 0.0 ? late / total : corners[0]->time;
}

/// An affine dependence that is unique up to scale puts the origin in the closed hull exactly when no two of its
/// coefficients have opposite signs.
template <std::size_t N>
bool one_sided(const std::array<Signed, N>& lambda) {
  bool plus = false;
  bool minus = false;
  for (const Signed& l : lambda) {
    plus = plus || l.sign > 0;
    minus = minus || l.sign < 0;
  }
  return !(plus && minus);
}

template <std::size_t N>
bool vanishes(const std::array<Signed, N>& lambda) {
  return std::all_of(lambda.begin(), lambda.end(), [](const Signed& l) { return l.sign == 0; });
}

/// Two points on a line through the origin.
Containment pair_contains(const Difference& a, const Difference& b) {
  Containment result{.inside = false, .degenerate = true};
  if (a.value.isZero(0.0) || b.value.isZero(0.0)) {
    result.inside = true;
    result.time = a.value.isZero(0.0) ? a.time : b.time;
    return result;
  }
  for (int i = 0; i < 3; ++i) {
    if (sign_of(a.value[i]) * sign_of(b.value[i]) < 0) {
      const double wa = std::abs(b.value[i]);
      const double wb = std::abs(a.value[i]);
      result.inside = true;
      result.time = (wa * a.time + wb * b.time) / (wa + wb);
    }
  }
  return result;
}

/// Three points whose determinant is 0. In a projection along an axis where the three minors do not all vanish, the
/// dependence is unique, hence it is the one in space as well.
Containment triangle_contains(const std::array<const Difference*, 3>& w) {
  Containment result{.inside = false, .degenerate = true};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    std::array<Signed, 3> lambda;
    for (int k = 0; k < 3; ++k) {
      const Expansion<17> minor = exact_minor(*w[(k + 1) % 3], *w[(k + 2) % 3], i, j);
      lambda[k] = {minor.sign(), minor.estimate()};
    }
    if (vanishes(lambda)) continue;
    result.inside = one_sided(lambda);
    if (result.inside) result.time = weighted_time(lambda, w);
    return result;
  }
  for (int k = 0; k < 3; ++k) {
    const Containment pair = pair_contains(*w[k], *w[(k + 1) % 3]);
    if (pair.inside) return pair;
  }
  return result;
}

Containment flat_contains(const Simplex& w) {
  Containment best{.inside = false, .degenerate = true};
  for (int k = 0; k < 4; ++k) {
    const Containment found = triangle_contains({&w[(k + 1) % 4], &w[(k + 2) % 4], &w[(k + 3) % 4]});
    if (found.inside && (!best.inside || found.time < best.time)) best = found;
  }
  return best;
}

bool misses_by_coordinate(const Simplex& w) {
  for (int i = 0; i < 3; ++i) {
    const double low = std::min({w[0].value[i], w[1].value[i], w[2].value[i], w[3].value[i]});
    const double high = std::max({w[0].value[i], w[1].value[i], w[2].value[i], w[3].value[i]});
    if (low > 0.0 || high < 0.0) return true;  // the sign of a rounded difference is exact
  }
  return false;
}

}  // namespace

Difference difference(const Vector3d& p, const Vector3d& q, double time) { return {p - q, p, q, time}; }

Containment contains_origin(const Simplex& w) {
  Containment result;
  if (misses_by_coordinate(w)) return result;
  std::array<Signed, 4> lambda;
  bool plus = false;
  bool minus = false;
  for (int k = 0; k < 4; ++k) {
    // (-1)^k det of the other three, in order.
    const Difference& a = w[k == 0 ? 1 : 0];
    const Difference& b = w[k <= 1 ? 2 : 1];
    const Difference& c = w[k <= 2 ? 3 : 2];
    lambda[k] = determinant(a, b, c, result.exact_determinants);
    if (k % 2 == 1) lambda[k] = {-lambda[k].sign, -lambda[k].value};
    plus = plus || lambda[k].sign > 0;
    minus = minus || lambda[k].sign < 0;
    if (plus && minus) return result;
  }
  if (!plus && !minus) {
    const int exact_determinants = result.exact_determinants;
    result = flat_contains(w);
    result.exact_determinants = exact_determinants;
    return result;
  }
  result.inside = true;
  result.degenerate = false;
  result.time = weighted_time(lambda, std::array<const Difference*, 4>{&w[0], &w[1], &w[2], &w[3]});
  return result;
}

bool products_are_exact(const Vector3d& point) {
  for (int i = 0; i < 3; ++i) {
    const double size = std::abs(point[i]);
    if (!(size == 0.0 || (size >= 0x1p-280 && size <= 0x1p330))) return false;
  }
  return true;
}

}  // namespace planner_ccd::space_time
