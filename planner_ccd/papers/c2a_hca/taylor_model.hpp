#pragma once

#include <array>

#include "planner_ccd/math/interval.hpp"

namespace planner_ccd {

/// A range of the parameter t, seen through s in [-1, 1]:  t = mid + half s. Covers [t0, t1]: half is rounded up.
struct TimeDomain {
  double mid = 0.0;
  double half = 0.0;

  TimeDomain() = default;
  TimeDomain(double t0, double t1);
  /// The s of a t of the domain, as an enclosure.
  Interval scaled(double t) const;
};

/// Taylor model: a polynomial and a bound of what it leaves out, over one time domain.
///
///   for every t = mid + half s of the domain:  |f(t) - P(s)| <= r,   P(s) = sum_{k <= degree} c_k T_k(s) (1)
///
/// T_k are the Chebyshev polynomials, so this is the expansion about the middle of the domain with its terms regrouped.
/// Why that basis: |T_k| <= 1, hence
///   - the rounding of a coefficient, or a whole coefficient left out, is simply added to r;
///   - truncation loses 2^-k of what the term s^k would lose (half when k is even and the remainder is an interval);
///   - sum |c_k| hardly exceeds the largest value, so remainders do not grow along a product as they do with powers of
///   s
///     (cos(1.5 s): sum |c_k| is 1.00, its powers' coefficients add up to 2.35).
/// The remainder [-r, r] is symmetric; any other interval becomes so by moving its middle into c_0.
///
/// Every function keeps (1): truncated terms, the remainders of the operands and all rounding go into r. A number that
/// is not finite makes r infinite or NaN, so is_finite() is false and range() is entire(): never a bound. FCL's models,
/// by contrast, lose half of a remainder when the derivative that bounds it changes sign; here no derivative is
/// evaluated at all.
///
/// `order` is the degree up to which products keep terms: that of the finer operand. Constants have order 0.
/// Operands must be over the same domain. No heap; at 96 bytes a model is cheap to copy.
class TaylorModel {
 public:
  static constexpr int kMaxDegree = 8;

  TaylorModel() = default;       ///< The constant 0.
  TaylorModel(double constant);  // NOLINT: a number is a model
  /// Some unknown function with values in `range`.
  static TaylorModel unknown(const Interval& range, int order);
  /// t itself.
  static TaylorModel time(const TimeDomain& domain, int order);
  /// a + b t.
  static TaylorModel linear(const TimeDomain& domain, double a, double b, int order);
  /// From Chebyshev coefficients c[0 .. degree] and a remainder.
  static TaylorModel from_coefficients(const double* c, int degree, double remainder, int order);

  int order() const { return order_; }
  int degree() const { return degree_; }
  double coefficient(int k) const { return k <= degree_ ? c_[k] : 0.0; }
  double remainder() const { return r_; }
  bool is_finite() const { return norm_ + r_ <= std::numeric_limits<double>::max(); }

  /// Upper bound of |f| over the domain: sum |c_k| + r.
  double mag() const { return inflate(norm_ + r_); }
  /// Enclosure of the values over the domain, from the coefficients' sizes: exact up to r for degree 0 and 1.
  Interval bound() const;
  /// The same, as tight as the polynomial allows (within kRangeSlack of its spread), at some ten times the cost.
  Interval range() const;
  /// Enclosure of f at the given s (an enclosure itself), s within [-1, 1].
  Interval at(const Interval& s) const;

  TaylorModel operator-() const;
  TaylorModel& operator+=(const TaylorModel& b) { return add_scaled(1.0, b); }
  TaylorModel& operator-=(const TaylorModel& b) { return add_scaled(-1.0, b); }
  /// this += k b.
  TaylorModel& add_scaled(double k, const TaylorModel& b);
  /// Adds [-r, r].
  TaylorModel& widen(double r) {
    r_ = inflate(r_ + r);
    return *this;
  }

  friend TaylorModel operator*(const TaylorModel& a, const TaylorModel& b);
  friend TaylorModel operator*(double k, const TaylorModel& a);

  /// range() stops when what a further subdivision could gain is below this share of the polynomial's spread.
  static constexpr double kRangeSlack = 1.0 / 1024;

 private:
  std::array<double, kMaxDegree + 1> c_{};
  double norm_ = 0.0;  // sum |c_k|, to nearest
  double r_ = 0.0;
  int degree_ = 0;
  int order_ = 0;
};

inline TaylorModel operator+(TaylorModel a, const TaylorModel& b) { return a += b; }
inline TaylorModel operator-(TaylorModel a, const TaylorModel& b) { return a -= b; }
inline TaylorModel operator*(const TaylorModel& a, double k) { return k * a; }

/// outer(inner(s)): `inner` takes its values in [-1, 1] and stands for outer's s. Use it to restrict a model to a part
/// of its domain (inner linear) or to change the clock. The function that `inner` encloses must not leave [-1, 1]; the
/// enclosure may stick out by its remainder, and std::invalid_argument is thrown when it does by more.
TaylorModel compose(const TaylorModel& outer, const TaylorModel& inner);

struct TaylorSinCos {
  TaylorModel sin;
  TaylorModel cos;
};
/// Of an angle [rad]. Linear angles (degree 1) cost a few dozen operations, others a Horner scheme in models.
TaylorSinCos sin_cos(const TaylorModel& angle);

}  // namespace planner_ccd
