#pragma once

#include <Eigen/Core>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <numeric>
#include <vector>

namespace planner_ccd::test {

/// Exact intersection of two closed simplices in 4-D space-time, by linear algebra over the rationals.
///
/// Weights l >= 0 of all corners solve   sum_A l p - sum_B l q = 0 (x, y, z, t),  sum_A l = 1,  sum_B l = 1.  If there is
/// a solution there is one whose nonzero weights belong to linearly independent columns, so every set of columns is tried
/// by Gaussian elimination. Slow, and unlike the code under test it neither reduces to 3-D nor evaluates determinants.
using ExactRational = boost::multiprecision::cpp_rational;

/// The same for small integer coordinates, where it cannot overflow: a hundred times faster.
class SmallFraction {
 public:
  SmallFraction(int whole = 0) : n_(whole) {}
  explicit SmallFraction(double whole) : n_(static_cast<long long>(whole)) {}

  friend SmallFraction operator*(const SmallFraction& a, const SmallFraction& b) { return {a.n_ * b.n_, a.d_ * b.d_}; }
  friend SmallFraction operator/(const SmallFraction& a, const SmallFraction& b) { return {a.n_ * b.d_, a.d_ * b.n_}; }
  friend SmallFraction operator-(const SmallFraction& a) { return {-a.n_, a.d_}; }
  SmallFraction& operator-=(const SmallFraction& b) { return *this = {n_ * b.d_ - b.n_ * d_, d_ * b.d_}; }
  friend bool operator==(const SmallFraction& a, int b) { return a.n_ == b * a.d_; }
  friend bool operator<(const SmallFraction& a, int b) { return a.n_ < b * a.d_; }

 private:
  SmallFraction(long long n, long long d) {
    const long long divisor = std::gcd(n, d) * (d < 0 ? -1 : 1);
    n_ = n / divisor;
    d_ = d / divisor;
  }

  long long n_ = 0;
  long long d_ = 1;
};

struct SpaceTimePoint {
  Eigen::Vector3d x;
  int t;
};

using SpaceTimeSimplex = std::vector<SpaceTimePoint>;

/// Solves the columns `chosen`; true when they are independent and the solution exists with all weights >= 0.
template <typename Rational>
bool columns_reach(const std::vector<std::array<Rational, 6>>& columns, const std::vector<int>& chosen) {
  const int n = static_cast<int>(chosen.size());
  std::vector<std::vector<Rational>> m(6, std::vector<Rational>(n + 1));
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < n; ++c) m[r][c] = columns[chosen[c]][r];
    m[r][n] = r >= 4 ? 1 : 0;
  }
  for (int c = 0; c < n; ++c) {
    int pivot = c;
    while (pivot < 6 && m[pivot][c] == 0) ++pivot;
    if (pivot == 6) return false;
    std::swap(m[pivot], m[c]);
    for (int r = 0; r < 6; ++r) {
      if (r == c || m[r][c] == 0) continue;
      const Rational factor = m[r][c] / m[c][c];
      for (int k = c; k <= n; ++k) m[r][k] -= factor * m[c][k];
    }
  }
  for (int r = n; r < 6; ++r) {
    if (m[r][n] != 0) return false;
  }
  for (int c = 0; c < n; ++c) {
    if (m[c][n] / m[c][c] < 0) return false;
  }
  return true;
}

template <typename Rational>
bool simplices_meet(const SpaceTimeSimplex& a, const SpaceTimeSimplex& b) {
  for (int axis = 0; axis < 3; ++axis) {  // disjoint boxes, compared exactly
    double low[2] = {a[0].x[axis], b[0].x[axis]};
    double high[2] = {low[0], low[1]};
    for (const auto& p : a) low[0] = std::min(low[0], p.x[axis]), high[0] = std::max(high[0], p.x[axis]);
    for (const auto& p : b) low[1] = std::min(low[1], p.x[axis]), high[1] = std::max(high[1], p.x[axis]);
    if (low[0] > high[1] || low[1] > high[0]) return false;
  }
  std::vector<std::array<Rational, 6>> columns;
  for (const auto& p : a)
    columns.push_back({Rational(p.x[0]), Rational(p.x[1]), Rational(p.x[2]), Rational(p.t), 1, 0});
  for (const auto& p : b) {
    columns.push_back({-Rational(p.x[0]), -Rational(p.x[1]), -Rational(p.x[2]), -Rational(p.t), 0, 1});
  }
  const int total = static_cast<int>(columns.size());
  for (int mask = (1 << total) - 1; mask > 0; --mask) {
    std::vector<int> chosen;
    for (int k = 0; k < total; ++k) {
      if (mask >> k & 1) chosen.push_back(k);
    }
    if (columns_reach<Rational>(columns, chosen)) return true;
    // With all columns independent the solution is unique.
    if (mask == (1 << total) - 1) {
      std::vector<std::array<Rational, 6>> rows = columns;
      int rank = 0;
      for (int c = 0; c < 6 && rank < total; ++c) {
        int pivot = rank;
        while (pivot < total && rows[pivot][c] == 0) ++pivot;
        if (pivot == total) continue;
        std::swap(rows[pivot], rows[rank]);
        for (int r = rank + 1; r < total; ++r) {
          if (rows[r][c] == 0) continue;
          const Rational factor = rows[r][c] / rows[rank][c];
          for (int k = c; k < 6; ++k) rows[r][k] -= factor * rows[rank][k];
        }
        ++rank;
      }
      if (rank == total) return false;
    }
  }
  return false;
}

/// The three tetrahedra, two triangles or one segment of a feature whose corners are already in the global order.
inline std::vector<SpaceTimeSimplex> sweep(const std::vector<Eigen::Vector3d>& start,
                                           const std::vector<Eigen::Vector3d>& end) {
  const int n = static_cast<int>(start.size());
  std::vector<SpaceTimeSimplex> simplices;
  for (int turn = n - 1; turn >= 0; --turn) {
    SpaceTimeSimplex simplex;
    for (int k = 0; k <= turn; ++k) simplex.push_back({start[k], 0});
    for (int k = turn; k < n; ++k) simplex.push_back({end[k], 1});
    simplices.push_back(simplex);
  }
  return simplices;
}

}  // namespace planner_ccd::test
