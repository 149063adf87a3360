#include "planner_ccd/papers/c2a_hca/taylor_model.hpp"

#include <cassert>
#include <stdexcept>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

constexpr double kU = kUnitRoundoff;
constexpr double kTiny = std::numeric_limits<double>::min();

}  // namespace

TimeDomain::TimeDomain(double t0, double t1) : mid(0.5 * t0 + 0.5 * t1), half(0.0) {
  half = std::max(0.0, std::max(sub_up(mid, t0), sub_up(t1, mid)));
}

Interval TimeDomain::scaled(double t) const {
  if (half == 0.0) return 0.0;
  const Interval s = (Interval(t) - mid) / half;
  return {std::max(-1.0, s.lo), std::min(1.0, s.hi)};
}

TaylorModel::TaylorModel(double constant) : norm_(std::abs(constant)) { c_[0] = constant; }

TaylorModel TaylorModel::unknown(const Interval& range, int order) {
  TaylorModel m;
  m.order_ = order;
  if (!range.is_finite()) {
    m.r_ = std::numeric_limits<double>::infinity();
    return m;
  }
  m.c_[0] = range.mid();
  m.norm_ = std::abs(m.c_[0]);
  m.r_ = std::max(0.0, std::max(sub_up(range.hi, m.c_[0]), sub_up(m.c_[0], range.lo)));
  return m;
}

TaylorModel TaylorModel::time(const TimeDomain& domain, int order) { return linear(domain, 0.0, 1.0, order); }

TaylorModel TaylorModel::linear(const TimeDomain& domain, double a, double b, int order) {
  const double moved = b * domain.mid;
  const double c[2] = {a + moved, b * domain.half};
  // Three roundings: of b mid, of the sum, of b half.
  const double rounding = inflate(kU * (std::abs(moved) + std::abs(c[0]) + std::abs(c[1])));
  return order >= 1 ? from_coefficients(c, 1, rounding, order)
                    : from_coefficients(c, 0, inflate(rounding + std::abs(c[1])), 0);
}

TaylorModel TaylorModel::from_coefficients(const double* c, int degree, double remainder, int order) {
  assert(0 <= degree && degree <= order && order <= kMaxDegree);
  TaylorModel m;
  m.degree_ = degree;
  m.order_ = order;
  for (int k = 0; k <= degree; ++k) {
    m.c_[k] = c[k];
    m.norm_ += std::abs(c[k]);
  }
  m.r_ = remainder;
  return m;
}

Interval TaylorModel::bound() const {
  if (!is_finite()) return Interval::entire();
  // The sum of the sizes without c_0, recomputed: norm_ - |c_0| would cancel.
  double rest = r_;
  for (int k = 1; k <= degree_; ++k) rest += std::abs(c_[k]);
  return Interval(c_[0]) + Interval::ball(inflate(rest));
}

/// Clenshaw's recurrence in intervals; the result may not leave bound().
Interval TaylorModel::at(const Interval& s) const {
  if (!is_finite()) return Interval::entire();
  const Interval twice = s * 2.0;
  Interval b1, b2;
  for (int k = degree_; k >= 1; --k) {
    const Interval b0 = twice * b1 - b2 + c_[k];
    b2 = b1;
    b1 = b0;
  }
  return intersect(s * b1 - b2 + c_[0] + Interval::ball(r_), bound());
}

TaylorModel TaylorModel::operator-() const {
  TaylorModel m = *this;
  for (int k = 0; k <= degree_; ++k) m.c_[k] = -c_[k];
  return m;
}

/// Each coefficient: a product and a sum, errors u |k b_k| and u |c_k|. Their total is at most u (|k| norm_b + norm),
/// the sums as computed, inflated.
TaylorModel& TaylorModel::add_scaled(double k, const TaylorModel& b) {
  degree_ = std::max(degree_, b.degree_);
  order_ = std::max(order_, b.order_);
  norm_ = 0.0;
  for (int i = 0; i <= degree_; ++i) {  // entries beyond a model's degree are 0
    c_[i] += k * b.c_[i];
    norm_ += std::abs(c_[i]);
  }
  const double size = std::abs(k);
  r_ = inflate(r_ + size * b.r_ + kU * (size * b.norm_ + norm_));
  return *this;
}

TaylorModel operator*(double k, const TaylorModel& a) {
  TaylorModel m;
  m.degree_ = a.degree_;
  m.order_ = a.order_;
  for (int i = 0; i <= a.degree_; ++i) {
    m.c_[i] = k * a.c_[i];
    m.norm_ += std::abs(m.c_[i]);
  }
  m.r_ = inflate(std::abs(k) * a.r_ + kU * m.norm_);
  return m;
}

/// T_i T_j = (T_{i+j} + T_{|i-j|}) / 2. Rounding: coefficient k of the product is a sum of at most 2 (degree + 1)
/// halves of products a_i b_j; every half passes at most 2 degree + 3 roundings, and all halves together weigh norm_a
/// norm_b. So the error of all coefficients together is at most (2 degree + 3)(1 + 2^-40) u norm_a norm_b; 2 *
/// kMaxDegree + 4 = 20 covers it.
TaylorModel operator*(const TaylorModel& a, const TaylorModel& b) {
  constexpr int kLength = 2 * TaylorModel::kMaxDegree + 1;
  constexpr double kRounding = (2 * TaylorModel::kMaxDegree + 4) * kU;
  const TaylorModel& shorter = a.degree_ <= b.degree_ ? a : b;
  const TaylorModel& longer = a.degree_ <= b.degree_ ? b : a;
  std::array<double, kLength> p;
  const int degree = a.degree_ + b.degree_;
  for (int k = 0; k <= degree; ++k) p[k] = 0.0;
  for (int i = 0; i <= shorter.degree_; ++i) {
    const double half = 0.5 * shorter.c_[i];
    for (int j = 0; j <= longer.degree_; ++j) {
      const double x = half * longer.c_[j];
      p[i + j] += x;
      p[std::abs(i - j)] += x;
    }
  }
  TaylorModel m;
  m.order_ = std::max(a.order_, b.order_);
  m.degree_ = std::min(degree, m.order_);
  for (int k = 0; k <= m.degree_; ++k) {
    m.c_[k] = p[k];
    m.norm_ += std::abs(p[k]);
  }
  double dropped = 0.0;
  for (int k = m.degree_ + 1; k <= degree; ++k) dropped += std::abs(p[k]);
  m.r_ = inflate(a.norm_ * b.r_ + a.r_ * (b.norm_ + b.r_) + dropped + kRounding * (a.norm_ * b.norm_) + kTiny);
  return m;
}

/// Clenshaw's recurrence with models in place of numbers. The recurrence is an identity of polynomials, so it holds for
/// the enclosure of `inner` even where that sticks out of [-1, 1]; outer's own remainder holds for the true values of
/// inner.
TaylorModel compose(const TaylorModel& outer, const TaylorModel& inner) {
  const Interval s = inner.range();
  const double allowed = 1.0 + 2.0 * inner.remainder() + 1e-12;
  if (!(s.lo >= -allowed && s.hi <= allowed)) throw std::invalid_argument("compose: inner leaves [-1, 1]");
  const TaylorModel twice = 2.0 * inner;
  TaylorModel b1, b2;
  for (int k = outer.degree(); k >= 1; --k) {
    TaylorModel b0 = twice * b1 - b2 + outer.coefficient(k);
    b2 = b1;
    b1 = b0;
  }
  return (inner * b1 - b2 + outer.coefficient(0)).widen(outer.remainder());
}

}  // namespace planner_ccd
