#pragma once

#include <array>
#include <cmath>

namespace planner_ccd {

/// Exact sums and products of doubles, after Shewchuk (1997).
///
/// An expansion is a sum c_0 + c_1 + ... of doubles that do not overlap, smallest first, zeros left out; the last one
/// therefore carries its sign. Adding a double by a chain of two_sum keeps that (his GROW-EXPANSION, theorem 10), and
/// every product of two doubles is the sum of its rounded value and its rounding error, so sums, differences and
/// products are exact. Valid as long as nothing overflows and no rounding error is lost below 2^-1074; the caller
/// checks the range of its input. Needs round-to-nearest, the mode the whole project assumes.
struct TwoTerms {
  double high;
  double low;  ///< high + low is the exact result; high is the rounded one.
};

inline TwoTerms two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}

inline TwoTerms two_difference(double a, double b) { return two_sum(a, -b); }

inline TwoTerms two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

template <int Capacity>
class Expansion {
 public:
  Expansion() = default;
  explicit Expansion(const TwoTerms& value) {
    add(value.low);
    add(value.high);
  }

  int size() const { return size_; }
  double operator[](int i) const { return components_[i]; }

  /// *this += x. The capacity must leave room for one more component.
  void add(double x) {
    int kept = 0;
    double carry = x;
    for (int i = 0; i < size_; ++i) {
      const TwoTerms sum = two_sum(carry, components_[i]);
      if (sum.low != 0.0) components_[kept++] = sum.low;
      carry = sum.high;
    }
    if (carry != 0.0) components_[kept++] = carry;
    size_ = kept;
  }

  template <int M>
  void add(const Expansion<M>& other, double sign = 1.0) {
    static_assert(M < Capacity);
    for (int i = 0; i < other.size(); ++i) add(sign * other[i]);
  }

  int sign() const {
    if (size_ == 0) return 0;
    return components_[size_ - 1] > 0.0 ? 1 : -1;
  }

  /// The value to within a relative error of 2^-52 or so.
  double estimate() const {
    double sum = 0.0;
    for (int i = 0; i < size_; ++i) sum += components_[i];
    return sum;
  }

 private:
  std::array<double, Capacity> components_;
  int size_ = 0;
};

template <int N, int M>
Expansion<2 * N * M> product(const Expansion<N>& a, const Expansion<M>& b) {
  Expansion<2 * N * M> result;
  for (int i = 0; i < a.size(); ++i) {
    for (int j = 0; j < b.size(); ++j) {
      const TwoTerms term = two_product(a[i], b[j]);
      result.add(term.low);
      result.add(term.high);
    }
  }
  return result;
}

}  // namespace planner_ccd
