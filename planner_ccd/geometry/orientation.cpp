#include "planner_ccd/geometry/orientation.hpp"

#include <cmath>

#include "planner_ccd/math/expansion.hpp"
#include "planner_ccd/math/rounding.hpp"

/// Determinants of coordinate differences in double, with Shewchuk's (1997) bounds on their error,
///   |fl(det) - det| <= (3 + 16u) u permanent in the plane, (7 + 56u) u permanent in space,
/// the permanent being the same sum of absolute values; below the bound again, with expansions. Differences are exact
/// as two terms each, and most often one.
namespace planner_ccd {
namespace {

using Eigen::Vector3d;

using Difference = Expansion<2>;

Difference difference(double a, double b) { return Difference(two_difference(a, b)); }

Expansion<17> determinant(const Difference& ax, const Difference& ay, const Difference& bx, const Difference& by) {
  Expansion<17> sum;
  sum.add(product(ax, by));
  sum.add(product(ay, bx), -1.0);
  return sum;
}

}  // namespace

double orientation_2d(const Vector3d& a, const Vector3d& b, const Vector3d& c, int i, int j) {
  const double left = (b[i] - a[i]) * (c[j] - a[j]);
  const double right = (b[j] - a[j]) * (c[i] - a[i]);
  const double det = left - right;
  if (std::abs(det) > (3.0 + 16.0 * kUnitRoundoff) * kUnitRoundoff * (std::abs(left) + std::abs(right))) return det;
  return determinant(difference(b[i], a[i]), difference(b[j], a[j]), difference(c[i], a[i]), difference(c[j], a[j]))
      .estimate();
}

double orientation_3d(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  const Vector3d p = a - d, q = b - d, r = c - d;
  double det = 0.0, permanent = 0.0;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double left = q[i] * r[j];
    const double right = q[j] * r[i];
    det -= p[k] * (left - right);
    permanent += std::abs(p[k]) * (std::abs(left) + std::abs(right));
  }
  if (std::abs(det) > (7.0 + 56.0 * kUnitRoundoff) * kUnitRoundoff * permanent) return det;

  Expansion<205> sum;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const Expansion<17> minor =
        determinant(difference(b[i], d[i]), difference(b[j], d[j]), difference(c[i], d[i]), difference(c[j], d[j]));
    sum.add(product(difference(a[k], d[k]), minor), -1.0);
  }
  return sum.estimate();
}

}  // namespace planner_ccd
