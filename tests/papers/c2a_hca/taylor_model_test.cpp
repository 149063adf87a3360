#include "planner_ccd/papers/c2a_hca/taylor_model.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "math/draws.hpp"

namespace planner_ccd {
namespace {

constexpr std::uint64_t kSeed = 20240103;
using Real = long double;

/// A random function of t as an expression tree: the oracle evaluates it and its derivative (as dual numbers) in
/// extended precision, and the derivative also symbolically, as another tree.
struct Expression;
using Node = std::shared_ptr<const Expression>;
struct Expression {
  enum Kind { Linear, Add, Subtract, Multiply, Scale, Sine, Cosine } kind;
  double a = 0.0, b = 0.0;  // Linear: a + b t; Scale: a
  Node x, y;
};
Node node(Expression::Kind kind, double a, double b, Node x = nullptr, Node y = nullptr) {
  return std::make_shared<const Expression>(Expression{kind, a, b, std::move(x), std::move(y)});
}

Node draw_expression(draws::Rng& rng, int depth) {
  const int pick = depth == 0 ? 0 : rng.integer(0, 7);
  switch (pick) {
    case 1: return node(Expression::Add, 0, 0, draw_expression(rng, depth - 1), draw_expression(rng, depth - 1));
    case 2: return node(Expression::Subtract, 0, 0, draw_expression(rng, depth - 1), draw_expression(rng, depth - 1));
    case 3:
    case 4: return node(Expression::Multiply, 0, 0, draw_expression(rng, depth - 1), draw_expression(rng, depth - 1));
    case 5: return node(Expression::Scale, rng.uniform(-2, 2), 0, draw_expression(rng, depth - 1));
    case 6: return node(Expression::Sine, 0, 0, draw_expression(rng, depth - 1));
    case 7: return node(Expression::Cosine, 0, 0, draw_expression(rng, depth - 1));
    default: return node(Expression::Linear, rng.uniform(-3, 3), rng.uniform(-2, 2));
  }
}

struct Dual {
  Real value, slope;
};
Dual evaluate(const Expression& e, Real t) {
  if (e.kind == Expression::Linear) return {e.a + e.b * t, e.b};
  const Dual x = evaluate(*e.x, t);
  const Dual y = e.y ? evaluate(*e.y, t) : Dual{0, 0};
  switch (e.kind) {
    case Expression::Add: return {x.value + y.value, x.slope + y.slope};
    case Expression::Subtract: return {x.value - y.value, x.slope - y.slope};
    case Expression::Multiply: return {x.value * y.value, x.slope * y.value + x.value * y.slope};
    case Expression::Scale: return {e.a * x.value, e.a * x.slope};
    case Expression::Sine: return {std::sin(x.value), x.slope * std::cos(x.value)};
    default: return {std::cos(x.value), -x.slope * std::sin(x.value)};
  }
}

TaylorModel model(const Expression& e, const TimeDomain& domain, int order) {
  if (e.kind == Expression::Linear) return TaylorModel::linear(domain, e.a, e.b, order);
  const TaylorModel x = model(*e.x, domain, order);
  switch (e.kind) {
    case Expression::Add: return x + model(*e.y, domain, order);
    case Expression::Subtract: return x - model(*e.y, domain, order);
    case Expression::Multiply: return x * model(*e.y, domain, order);
    case Expression::Scale: return e.a * x;
    case Expression::Sine: return sin_cos(x).sin;
    default: return sin_cos(x).cos;
  }
}

Node derivative(const Node& e) {
  const auto times = [](Node p, Node q) { return node(Expression::Multiply, 0, 0, std::move(p), std::move(q)); };
  switch (e->kind) {
    case Expression::Linear: return node(Expression::Linear, e->b, 0.0);
    case Expression::Add:
    case Expression::Subtract: return node(e->kind, 0, 0, derivative(e->x), derivative(e->y));
    case Expression::Multiply:
      return node(Expression::Add, 0, 0, times(derivative(e->x), e->y), times(e->x, derivative(e->y)));
    case Expression::Scale: return node(Expression::Scale, e->a, 0, derivative(e->x));
    case Expression::Sine: return times(derivative(e->x), node(Expression::Cosine, 0, 0, e->x));
    default: return node(Expression::Scale, -1.0, 0, times(derivative(e->x), node(Expression::Sine, 0, 0, e->x)));
  }
}

/// The model's polynomial, without its remainder, in extended precision.
Real polynomial(const TaylorModel& m, Real s) {
  Real b1 = 0, b2 = 0;
  for (int k = m.degree(); k >= 1; --k) {
    const Real b0 = 2 * s * b1 - b2 + m.coefficient(k);
    b2 = b1;
    b1 = b0;
  }
  return s * b1 - b2 + m.coefficient(0);
}

TimeDomain draw_domain(draws::Rng& rng) {
  const double t0 = rng.uniform(0, 1), width = std::ldexp(1.0, -rng.integer(0, 6));
  return TimeDomain(t0, t0 + width);
}

/// `slack`: rounding of the oracle, relative to the model's size.
bool encloses(const TaylorModel& m, Real s, Real value) {
  const Real slack = 1e-18L * m.mag();
  return std::abs(polynomial(m, s) - value) <= m.remainder() + slack;
}
bool within(const Interval& r, Real value, Real slack) { return r.lo - slack <= value && value <= r.hi + slack; }

TEST(TaylorModel, EnclosesRandomFunctions) {
  draws::Rng rng(kSeed);
  const int n = draws::scaled(100'000), samples = 7;
  int finite = 0, close = 0;
  for (int i = 0; i < n; ++i) {
    const Node f = draw_expression(rng, rng.integer(1, 4));
    const TimeDomain domain = draw_domain(rng);
    const int order = rng.integer(1, TaylorModel::kMaxDegree);
    const TaylorModel m = model(*f, domain, order);
    const Interval range = m.range(), bound = m.bound();
    ASSERT_TRUE(bound.contains(range));
    finite += m.is_finite();
    Real greatest = 0;
    for (int k = 0; k < samples; ++k) {
      const double s = k < 2 ? 2.0 * k - 1.0 : rng.uniform(-1, 1);
      const Real t = static_cast<Real>(domain.mid) + static_cast<Real>(domain.half) * s;
      const Real value = evaluate(*f, t).value;
      const Real slack = 1e-18L * m.mag();
      ASSERT_TRUE(encloses(m, s, value)) << "function " << i << " order " << order << " s " << s;
      ASSERT_TRUE(within(range, value, slack)) << "function " << i;
      ASSERT_TRUE(within(m.at(s), value, slack)) << "function " << i;
      greatest = std::max(greatest, std::abs(polynomial(m, s) - value));
    }
    close += m.remainder() < 1e-3 || greatest > 0.1 * m.remainder();
  }
  EXPECT_GT(finite, 0.98 * n);
  std::printf("  %d functions, remainder below 1e-3 or attained to 10%%: %.1f %%\n", n, 100.0 * close / n);
  EXPECT_GT(close, 0.5 * n);
}

/// The model of the symbolic derivative encloses the slope that dual numbers give, and the mean value theorem ties it
/// to the model of the function: f(b) - f(a) in (b - a) range(f').
TEST(TaylorModel, AgreesWithSymbolicDerivatives) {
  draws::Rng rng(kSeed + 1);
  const int n = draws::scaled(20'000);
  int tight = 0;
  for (int i = 0; i < n; ++i) {
    const Node f = draw_expression(rng, rng.integer(1, 3));
    const Node df = derivative(f);
    const TimeDomain domain = draw_domain(rng);
    const TaylorModel m = model(*f, domain, 5), dm = model(*df, domain, 5);
    if (!dm.is_finite()) continue;
    const Interval slope = dm.range();
    for (int k = 0; k < 5; ++k) {
      const double s = rng.uniform(-1, 1);
      const Real t = static_cast<Real>(domain.mid) + static_cast<Real>(domain.half) * s;
      const Dual d = evaluate(*f, t);
      ASSERT_TRUE(encloses(dm, s, d.slope)) << "function " << i;
      ASSERT_TRUE(encloses(m, s, d.value)) << "function " << i;
    }
    const Interval rise = m.at(1.0) - m.at(-1.0);
    const Interval expected = slope * (2.0 * domain.half);
    ASSERT_TRUE(rise.lo <= expected.hi && expected.lo <= rise.hi) << "function " << i;
    tight += slope.width() < 10.0;
  }
  EXPECT_GT(tight, n / 2);
}

/// The case that FCL's models get wrong: the derivative that bounds the remainder changes sign inside the domain, so
/// that both halves of the remainder are needed.
TEST(TaylorModel, KeepsBothHalvesOfTheRemainderWhenADerivativeChangesSign) {
  for (int order = 1; order <= TaylorModel::kMaxDegree; ++order) {
    for (int quarter = -4; quarter <= 4; ++quarter) {
      for (double width : {0.3, 1.0, 2.5}) {
        // sin and its derivatives change sign at multiples of pi / 2, which the domain straddles unevenly.
        const double middle = quarter * 1.5707963267948966;
        const TimeDomain domain(middle - 0.37 * width, middle + 0.63 * width);
        const TaylorSinCos m = sin_cos(TaylorModel::time(domain, order));
        double below = 0, above = 0;
        for (int k = -200; k <= 200; ++k) {
          const double s = k / 200.0;
          const Real t = static_cast<Real>(domain.mid) + static_cast<Real>(domain.half) * s;
          ASSERT_TRUE(encloses(m.sin, s, std::sin(t)));
          ASSERT_TRUE(encloses(m.cos, s, std::cos(t)));
          const double off = static_cast<double>(std::sin(t) - polynomial(m.sin, s));
          below = std::min(below, off);
          above = std::max(above, off);
        }
        if (m.sin.remainder() < 1e-10) continue;
        // Not loose either: on both sides a good share of the remainder is attained.
        EXPECT_GT(std::max(above, -below), 0.3 * m.sin.remainder()) << order << " " << quarter << " " << width;
      }
    }
  }
}

TEST(TaylorModel, PolynomialsUpToTheOrderAreExactToRounding) {
  const TimeDomain domain(0.25, 0.875);
  const TaylorModel t = TaylorModel::time(domain, 5);
  TaylorModel p(2.0);
  for (int k = 0; k < 5; ++k) p = p * t - 1.5;
  EXPECT_LT(p.remainder(), 1e-13);
  EXPECT_EQ(p.degree(), 5);
  EXPECT_GT((p * t).remainder(), 1e-6);  // one degree more than the order: truncated
}

TEST(TaylorModel, RemainderFallsWithThePowerOfTheDomain) {
  for (int order = 2; order <= 6; ++order) {
    double last = 0.0;
    for (double half : {0.8, 0.4, 0.2}) {
      const TimeDomain domain(0.3 - half, 0.3 + half);
      const TaylorSinCos a = sin_cos(TaylorModel::linear(domain, 0.1, 1.0, order));
      const double r = (a.sin * a.cos).remainder();
      if (last > 0.0) {
        EXPECT_LT(r, 1.5 * last / std::ldexp(1.0, order + 1)) << order << " " << half;
      }
      last = r;
    }
  }
}

TEST(TaylorModel, RangeIsTight) {
  draws::Rng rng(kSeed + 2);
  const int n = draws::scaled(20'000);
  double worst = 0.0;
  int interior = 0;
  for (int i = 0; i < n; ++i) {
    const int degree = rng.integer(2, TaylorModel::kMaxDegree);
    double c[TaylorModel::kMaxDegree + 1];
    for (int k = 0; k <= degree; ++k) c[k] = rng.uniform(-1, 1) * std::pow(rng.coin(0.5) ? 0.4 : 1.0, k);
    const TaylorModel m = TaylorModel::from_coefficients(c, degree, 0.0, degree);
    Real lo = 1e9, hi = -1e9;
    for (int k = 0; k <= 400; ++k) {
      const Real v = polynomial(m, -1 + k / 200.0L);
      lo = std::min(lo, v);
      hi = std::max(hi, v);
    }
    const Interval range = m.range();
    ASSERT_LE(range.lo, lo + 1e-15L);
    ASSERT_GE(range.hi, hi - 1e-15L);
    const double spread = static_cast<double>(hi - lo);
    worst = std::max(worst, (range.width() - spread) / spread);
    interior += hi > std::max(polynomial(m, -1), polynomial(m, 1)) + 1e-6L;
  }
  std::printf("  range() is at most %.3f %% too wide\n", 100.0 * worst);
  EXPECT_LT(worst, 0.02);
  EXPECT_GT(interior, 0.3 * n);
}

TEST(TaylorModel, CompositionRestrictsTheDomain) {
  draws::Rng rng(kSeed + 3);
  const int n = draws::scaled(10'000);
  for (int i = 0; i < n; ++i) {
    const Node f = draw_expression(rng, 3);
    const TimeDomain domain = draw_domain(rng);
    const TaylorModel outer = model(*f, domain, 6);
    if (!outer.is_finite()) continue;
    const double a = rng.uniform(-1, 1), b = rng.uniform(a, 1);
    const TaylorModel inner = TaylorModel::time(TimeDomain(a, b), 6);
    const TaylorModel part = compose(outer, inner);
    for (double s : {-1.0, -0.3, 0.5, 1.0}) {
      const Real outer_s = static_cast<Real>(TimeDomain(a, b).mid) + static_cast<Real>(TimeDomain(a, b).half) * s;
      if (std::abs(outer_s) > 1) continue;
      const Real t = static_cast<Real>(domain.mid) + static_cast<Real>(domain.half) * outer_s;
      ASSERT_TRUE(encloses(part, s, evaluate(*f, t).value)) << "function " << i;
    }
    ASSERT_LT(part.remainder(), outer.remainder() + 1e-12 * outer.mag());
  }
  EXPECT_THROW(compose(TaylorModel(1.0), TaylorModel(1.5)), std::invalid_argument);
}

TEST(TaylorModel, WhatIsNotFiniteIsNeverABound) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const TimeDomain domain(0, 1);
  for (const TaylorModel& m : {TaylorModel(nan), TaylorModel(inf), TaylorModel::linear(domain, 0, nan, 3),
                               TaylorModel(1e308) * TaylorModel(1e308), TaylorModel::unknown(Interval::entire(), 3),
                               TaylorModel::time(domain, 3) * TaylorModel(nan)}) {
    EXPECT_FALSE(m.is_finite());
    EXPECT_FALSE(m.range().is_finite());
    EXPECT_FALSE((m * TaylorModel(0.0)).is_finite());
  }
  const TaylorSinCos any = sin_cos(TaylorModel::linear(domain, 0, 1e6, 3));  // far too wide for a model
  EXPECT_GE(any.sin.range().hi, 1.0);
  EXPECT_LE(any.cos.range().lo, -1.0);
  EXPECT_LE(any.sin.range().hi, 1.0 + 1e-12);
}

TEST(TimeDomain, CoversItsEnds) {
  draws::Rng rng(kSeed + 4);
  for (int i = 0; i < 100'000; ++i) {
    const double t0 = rng.uniform(-1, 1), t1 = t0 + std::ldexp(rng.uniform(0, 1), -rng.integer(0, 50));
    const TimeDomain d(t0, t1);
    ASSERT_LE(static_cast<Real>(d.mid) - d.half, t0);
    ASSERT_GE(static_cast<Real>(d.mid) + d.half, t1);
    ASSERT_LE(d.half, 0.5 * (t1 - t0) + 4 * kUnitRoundoff);
    const double t = rng.coin(0.5) ? t0 : t1;
    const Interval s = d.scaled(t);
    ASSERT_LE(d.mid + static_cast<Real>(d.half) * s.lo, t);
    ASSERT_GE(d.mid + static_cast<Real>(d.half) * s.hi, t);
  }
}

}  // namespace
}  // namespace planner_ccd
