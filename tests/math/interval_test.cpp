#include "planner_ccd/math/interval.hpp"

#include <gtest/gtest.h>

#include "math/draws.hpp"

namespace planner_ccd {
namespace {

constexpr std::uint64_t kSeed = 20240102;
constexpr double kInf = std::numeric_limits<double>::infinity();

Interval draw(draws::Rng& rng) {
  const double a = std::ldexp(rng.uniform(-2, 2), rng.integer(-8, 4));
  const double w = rng.coin(0.2) ? 0.0 : std::ldexp(rng.uniform(0, 1), rng.integer(-20, 3));
  return {a, a + w};
}
/// Picks the ends as often as the inside.
double point(draws::Rng& rng, const Interval& a) {
  const int pick = rng.integer(0, 3);
  if (pick == 0) return a.lo;
  if (pick == 1) return a.hi;
  return std::min(a.hi, std::max(a.lo, rng.uniform(a.lo, a.hi)));
}
::testing::AssertionResult holds(const Interval& r, long double v) {
  if (static_cast<long double>(r.lo) <= v && v <= static_cast<long double>(r.hi)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "[" << r.lo << ", " << r.hi << "] lacks " << static_cast<double>(v);
}

TEST(Interval, OperationsContainEveryResultOfPoints) {
  draws::Rng rng(kSeed);
  const int n = draws::scaled(300'000);
  for (int i = 0; i < n; ++i) {
    const Interval a = draw(rng), b = draw(rng);
    const long double x = point(rng, a), y = point(rng, b);
    ASSERT_TRUE(holds(a + b, x + y));
    ASSERT_TRUE(holds(a - b, x - y));
    ASSERT_TRUE(holds(a * b, x * y));
    if (y != 0) {
      ASSERT_TRUE(holds(a / b, x / y));
    }
    ASSERT_TRUE(holds(abs(a), std::abs(x)));
    if (x >= 0) {
      ASSERT_TRUE(holds(sqrt(a), std::sqrt(x)));
    }
    ASSERT_TRUE(holds(-a, -x));
    ASSERT_TRUE(holds(hull(a, b), x));
  }
}

/// Where one product overflows the other end still holds the exact one, whose rounding a fused multiply-add shows.
TEST(Interval, ProductsThatOverflowOnOneSideHoldTheOther) {
  draws::Rng rng(kSeed + 7);
  int below = 0, above = 0;
  for (int i = 0; i < 1000; ++i) {
    const double x = rng.uniform(1.0, 2.0), y = std::ldexp(rng.uniform(1.0, 2.0), 600), product = x * y;
    const double error = std::fma(x, y, -product);
    const Interval r = Interval(-0x1p600, x) * Interval(0x1p500, y), s = Interval(-x, 0x1p600) * Interval(0x1p500, y);
    ASSERT_EQ(r.lo, -kInf);
    ASSERT_EQ(s.hi, kInf);
    ASSERT_TRUE(error > 0.0 ? r.hi > product : r.hi >= product);
    ASSERT_TRUE(error > 0.0 ? s.lo < -product : s.lo <= -product);
    above += error > 0.0;
    below += error < 0.0;
  }
  EXPECT_GT(std::min(above, below), 300);
}

TEST(Interval, SineAndCosineContainEveryValue) {
  draws::Rng rng(kSeed + 1);
  int peak = 0, monotone = 0;
  const int n = draws::scaled(200'000);
  for (int i = 0; i < n; ++i) {
    const double lo =
        rng.coin(0.1) ? rng.integer(-8, 8) * 1.5707963267948966 : std::ldexp(rng.uniform(-1, 1), rng.integer(-20, 12));
    const Interval a(lo, lo + (rng.coin(0.2) ? 0.0 : std::ldexp(rng.uniform(0, 1), rng.integer(-20, 3))));
    const Interval s = sin(a), c = cos(a);
    for (int k = 0; k < 4; ++k) {
      const long double x = point(rng, a);
      ASSERT_TRUE(holds(s, std::sin(x))) << "sin of " << static_cast<double>(x);
      ASSERT_TRUE(holds(c, std::cos(x))) << "cos of " << static_cast<double>(x);
    }
    // The peaks themselves, which random points miss.
    const double k = std::ceil(a.lo / 3.141592653589793), extreme = k * 3.141592653589793;
    if (extreme > a.lo + 1e-9 && extreme < a.hi - 1e-9) {
      ASSERT_TRUE(c.hi == 1.0 || c.lo == -1.0);
      ++peak;
    } else if (extreme > a.hi + 1e-9) {
      // No multiple of pi inside: the cosine is monotone and its ends are those of the interval, to a few ulp.
      const double p = std::cos(a.lo), q = std::cos(a.hi);
      ASSERT_LE(c.hi, std::max(p, q) + 1e-15);
      ASSERT_GE(c.lo, std::min(p, q) - 1e-15);
      ++monotone;
    }
  }
  EXPECT_GT(peak, n / 20);
  EXPECT_GT(monotone, n / 4);
}

TEST(Interval, ResultsOfPointsAreAFewUlpWide) {
  draws::Rng rng(kSeed + 2);
  for (int i = 0; i < 10'000; ++i) {
    const double x = rng.uniform(0.5, 2), y = rng.uniform(0.5, 2);
    const Interval a(x), b(y);
    for (const Interval& r : {a + b, a * b, a / b, sqrt(a)}) ASSERT_LE(r.width(), 2.5 * 2 * kUnitRoundoff * r.mag());
    ASSERT_LE(sin(a).width(), 12 * 2 * kUnitRoundoff);
  }
}

TEST(Interval, WhatCannotBeBoundedIsUnbounded) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Interval one(1.0), half_line(0.0, kInf);
  EXPECT_FALSE((one / Interval(-1.0, 1.0)).is_finite());
  EXPECT_FALSE((one / Interval(0.0, 1.0)).is_finite());
  EXPECT_LE((one / Interval(1.0, kInf)).lo, 0.0);
  EXPECT_GE((one / Interval(1.0, kInf)).lo, -std::numeric_limits<double>::denorm_min());
  EXPECT_LE((half_line * Interval(0.0, 1.0)).lo, 0.0);
  EXPECT_EQ((half_line * Interval(0.0, 1.0)).hi, kInf);
  EXPECT_EQ((half_line - half_line).lo, -kInf);
  EXPECT_EQ((half_line - half_line).hi, kInf);
  EXPECT_EQ((Interval(1e308) + Interval(1e308)).hi, kInf);
  EXPECT_EQ((Interval(1e308) * Interval(1e308)).lo, -kInf);
  EXPECT_EQ((Interval(1e300) / Interval(1e-300)).hi, kInf);
  for (const Interval& r :
       {Interval(nan) + 1.0, Interval(nan) * 0.0, one * Interval(0.0, nan), Interval(nan) / 2.0, sin(Interval(nan)),
        sqrt(Interval(nan)), sqrt(Interval(-2.0, -1.0)), 1.0 - Interval(0.0, nan)}) {
    EXPECT_FALSE(r.is_finite());
    EXPECT_FALSE(std::isnan(r.lo) || std::isnan(r.hi));
  }
  EXPECT_EQ(sin(Interval(1e300)).hi, 1.0);
  EXPECT_EQ(cos(Interval::entire()).lo, -1.0);
}

TEST(Interval, RootKnowsItsSign) {
  EXPECT_EQ(sqrt(Interval(-1.0, 4.0)).lo, 0.0);
  EXPECT_LT(sqrt(Interval(-1.0, 4.0)).hi, 2.0000001);
  EXPECT_EQ(intersect(Interval(0, 2), Interval(1, 3)).lo, 1.0);
  EXPECT_EQ(Interval(-3, 2).mag(), 3.0);
  EXPECT_EQ(Interval(-3, 2).mig(), 0.0);
  EXPECT_EQ(Interval(-3, -2).mig(), 2.0);
}

}  // namespace
}  // namespace planner_ccd
