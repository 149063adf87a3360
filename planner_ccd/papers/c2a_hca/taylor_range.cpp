#include <algorithm>

#include "planner_ccd/papers/c2a_hca/taylor_model.hpp"

/// Tight enclosure of a polynomial's values on [-1, 1], by Bernstein coefficients and subdivision.
///
/// A polynomial lies in the hull of its Bernstein coefficients, and the first and last of them are values. So
///   - the greatest coefficient bounds the maximum from above, and is the maximum when it is the first or the last; (1)
///   - de Casteljau's rule at the middle gives the coefficients of both halves by averaging, quadratically tighter. (2)
///
/// Coefficient j of T_k in its own degree is (-1)^(k-j) C(2k, 2j) / C(k, j); degree elevation gives it in degree n. (3)
///
/// Rounding. Let W = sum |c_k| B_k, B_k the greatest |coefficient (3)|: every number in the computation stays below W(1
/// + 2^-40). The table is off by 3 u B_k per elevation (at most 8), so 24 u; the sum over k adds (degree + 1) u <= 9 u;
/// every level of (2) adds u, and there are 8 per subdivision and at most kMaxDepth subdivisions, so 80 u. Together
/// below 128 u W.
namespace planner_ccd {
namespace {

constexpr int kMax = TaylorModel::kMaxDegree;
constexpr int kMaxDepth = 10;

using Coefficients = std::array<double, kMax + 1>;

constexpr double binomial(int n, int k) {
  double b = 1.0;
  for (int i = 1; i <= k; ++i) b = b * (n - k + i) / i;  // every partial result is a binomial: exact
  return b;
}

struct BernsteinTable {
  // value[n][k][j]: coefficient j of T_k in degree n >= k.
  double value[kMax + 1][kMax + 1][kMax + 1];
  double greatest[kMax + 1];
};

constexpr BernsteinTable make_table() {
  BernsteinTable t{};
  for (int k = 0; k <= kMax; ++k) {
    for (int j = 0; j <= k; ++j) {
      const double size = binomial(2 * k, 2 * j) / binomial(k, j);
      t.value[k][k][j] = (k - j) % 2 == 0 ? size : -size;
      t.greatest[k] = std::max(t.greatest[k], size);
    }
    for (int n = k; n < kMax; ++n) {
      for (int j = 0; j <= n + 1; ++j) {
        const double share = static_cast<double>(j) / (n + 1);
        t.value[n + 1][k][j] = (j > 0 ? share * t.value[n][k][j - 1] : 0.0) + (1.0 - share) * t.value[n][k][j];
      }
    }
  }
  return t;
}

constexpr BernsteinTable kTable = make_table();

/// Upper bound of the maximum of a piece. `known` is a value the polynomial is known to take somewhere; anything up to
/// known + slack is as good as exact.
class MaximumSearch {
 public:
  MaximumSearch(int degree, double slack) : degree_(degree), slack_(slack) {}

  double operator()(const Coefficients& b) { return search(b, 0); }

 private:
  int degree_;
  double slack_;
  double known_ = -std::numeric_limits<double>::infinity();

  double search(const Coefficients& b, int depth) {
    known_ = std::max(known_, std::max(b[0], b[degree_]));
    const double top = *std::max_element(b.begin(), b.begin() + degree_ + 1);
    if (top <= known_ + slack_ || depth == kMaxDepth) return top;
    Coefficients left{}, right = b;
    for (int level = 0; level <= degree_; ++level) {  // (2)
      left[level] = right[0];
      for (int j = 0; j < degree_ - level; ++j) right[j] = 0.5 * (right[j] + right[j + 1]);
    }
    const double a = search(left, depth + 1);
    return std::max(a, search(right, depth + 1));
  }
};

}  // namespace

Interval TaylorModel::range() const {
  const Interval coarse = bound();
  if (degree_ <= 1 || !coarse.is_finite()) return coarse;
  Coefficients b{}, negated{};
  double weight = 0.0;
  for (int k = 0; k <= degree_; ++k) weight += std::abs(c_[k]) * kTable.greatest[k];
  for (int j = 0; j <= degree_; ++j) {
    for (int k = 0; k <= degree_; ++k) b[j] += c_[k] * kTable.value[degree_][k][j];
    negated[j] = -b[j];
  }
  const double spread = 2.0 * (norm_ - std::abs(c_[0]));
  const double high = MaximumSearch(degree_, kRangeSlack * spread)(b);
  const double low = -MaximumSearch(degree_, kRangeSlack * spread)(negated);
  const double pad = inflate(r_ + 128.0 * kUnitRoundoff * weight);
  return intersect(Interval(sub_down(low, pad), add_up(high, pad)), coarse);
}

}  // namespace planner_ccd
