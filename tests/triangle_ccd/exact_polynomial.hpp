#pragma once

#include <boost/multiprecision/gmp.hpp>
#include <vector>

namespace planner_ccd::test {

using Exact = boost::multiprecision::mpq_rational;

/// A polynomial over the rationals; the coefficient of t^i is at i, and the last one is not 0.
class Polynomial {
 public:
  Polynomial() = default;
  explicit Polynomial(std::vector<Exact> coefficients);

  bool is_zero() const { return c_.empty(); }
  int degree() const { return static_cast<int>(c_.size()) - 1; }
  Exact at(const Exact& t) const;
  int sign_at(const Exact& t) const { return at(t).sign(); }
  Polynomial derivative() const;
  /// Scaled to leading coefficient +-1 (the sign is kept), which keeps remainders short.
  Polynomial scaled() const;

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator%(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator/(const Polynomial& a, const Polynomial& b);

 private:
  std::vector<Exact> c_;
};

Polynomial gcd(Polynomial a, Polynomial b);

/// A real root: the only root of the square-free `defining` in (lo, hi], or exactly lo when lo == hi.
struct Root {
  Polynomial defining;
  Exact lo, hi;

  /// Halves the interval.
  void refine();
  /// The exact sign of g at this root. May refine the interval.
  int sign_of(const Polynomial& g);
};

/// The roots of p (not 0) in [0, 1], ascending, without multiplicity; their intervals are disjoint.
std::vector<Root> roots_in_unit_interval(const Polynomial& p);

}  // namespace planner_ccd::test
