#include "planner_ccd/math/rounding.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "math/draws.hpp"

namespace planner_ccd {
namespace {

constexpr std::uint64_t kSeed = 20240101;
constexpr double kInf = std::numeric_limits<double>::infinity();

/// Any finite double, all exponents equally likely.
double any_double(draws::Rng& rng) {
  for (;;) {
    const double x = std::bit_cast<double>(rng.bits());
    if (std::isfinite(x)) return x;
  }
}

TEST(Rounding, NextIsAtLeastTheNeighbourAndAtMostTwoAway) {
  RecordProperty("seed", static_cast<int>(kSeed));
  draws::Rng rng(kSeed);
  int exact = 0;
  const int n = draws::scaled(1'000'000);
  for (int i = 0; i < n; ++i) {
    const double x = any_double(rng);
    const double up = std::nextafter(x, kInf), down = std::nextafter(x, -kInf);
    ASSERT_GE(next_up(x), up) << x;
    ASSERT_LE(next_down(x), down) << x;
    if (std::isfinite(up)) {
      ASSERT_LE(next_up(x), std::nextafter(up, kInf)) << x;
    }
    if (std::isfinite(down)) {
      ASSERT_GE(next_down(x), std::nextafter(down, -kInf)) << x;
    }
    exact += next_up(x) == up && next_down(x) == down;
  }
  EXPECT_GT(exact, 0.9 * n);
}

TEST(Rounding, NextHandlesZeroSubnormalsAndInfinities) {
  const double eta = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(next_up(0.0), eta);
  EXPECT_EQ(next_down(0.0), -eta);
  EXPECT_EQ(next_up(-eta), 0.0);
  EXPECT_LE(next_down(-std::numeric_limits<double>::min()), -std::numeric_limits<double>::min() - eta);
  EXPECT_EQ(next_up(kInf), kInf);
  EXPECT_EQ(next_down(-kInf), -kInf);
  EXPECT_EQ(next_up(std::numeric_limits<double>::max()), kInf);
  EXPECT_TRUE(std::isnan(next_down(kInf)));  // an overflow is never a lower bound
  EXPECT_TRUE(std::isnan(next_up(-kInf)));
}

/// The sign of (exact - rounded) is read from an error-free transformation.
TEST(Rounding, OperationsEncloseTheExactResult) {
  draws::Rng rng(kSeed + 1);
  int inexact = 0;
  const int n = draws::scaled(500'000);
  for (int i = 0; i < n; ++i) {
    const double a = std::ldexp(rng.uniform(-2, 2), rng.integer(-40, 40));
    const double b = std::ldexp(rng.uniform(-2, 2), rng.integer(-40, 40));
    const double sum = a + b, bb = sum - a, sum_error = (a - (sum - bb)) + (b - bb);  // Knuth
    ASSERT_LE(add_down(a, b), sum);
    ASSERT_GE(add_up(a, b), sum);
    if (sum_error > 0) {
      ASSERT_GT(add_up(a, b), sum);
    }
    if (sum_error < 0) {
      ASSERT_LT(add_down(a, b), sum);
    }
    const double product = a * b, product_error = std::fma(a, b, -product);
    if (product_error > 0) {
      ASSERT_GT(mul_up(a, b), product);
    }
    if (product_error < 0) {
      ASSERT_LT(mul_down(a, b), product);
    }
    const double quotient = a / b, rest = std::fma(-quotient, b, a);  // exact - quotient = rest / b
    if (rest / b > 0) {
      ASSERT_GT(div_up(a, b), quotient);
    }
    if (rest / b < 0) {
      ASSERT_LT(div_down(a, b), quotient);
    }
    const double root = std::sqrt(std::abs(a)), root_rest = std::fma(-root, root, std::abs(a));
    if (root_rest > 0) {
      ASSERT_GT(sqrt_up(std::abs(a)), root);
    }
    if (root_rest < 0) {
      ASSERT_LT(sqrt_down(std::abs(a)), root);
    }
    inexact += sum_error != 0 && product_error != 0 && rest != 0 && root_rest != 0;
  }
  EXPECT_GT(inexact, n / 4);
}

TEST(Rounding, InflateCoversThirtyTwoRoundings) {
  draws::Rng rng(kSeed + 2);
  int lost = 0;  // the nearest sum was too small
  const int n = draws::scaled(100'000);
  for (int i = 0; i < n; ++i) {
    double sum = 0.0;
    long double exact = 0.0L;
    for (int k = 0; k < 31; ++k) {
      const double a = rng.uniform(0, 1), b = std::ldexp(rng.uniform(0, 1), rng.integer(-30, 0));
      sum += a * b;
      exact += static_cast<long double>(a) * b;
    }
    lost += sum < exact;
    ASSERT_GE(inflate(sum), exact);
    ASSERT_LE(inflate(sum), sum * (1 + 1e-14));
  }
  EXPECT_GT(lost, 0.3 * n);
  EXPECT_GT(inflate(0.0), 0.0);  // underflow is covered
}

}  // namespace
}  // namespace planner_ccd
