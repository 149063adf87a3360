#include "planner_ccd/math/expansion.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <random>

namespace planner_ccd {
namespace {

using Rational = boost::multiprecision::cpp_rational;

template <int N>
Rational exact(const Expansion<N>& e) {
  Rational sum = 0;
  for (int i = 0; i < e.size(); ++i) sum += Rational(e[i]);
  return sum;
}

/// Doubles whose sums cancel often and whose exponents differ widely.
double draw(std::mt19937_64& rng) {
  std::uniform_int_distribution<int> kind(0, 3);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::uniform_int_distribution<int> exponent(-60, 60);
  std::uniform_int_distribution<int> small(-3, 3);
  switch (kind(rng)) {
    case 0: return small(rng);
    case 1: return 1.0 + small(rng) * 0x1p-52;
    case 2: return std::ldexp(unit(rng), exponent(rng));
    default: return unit(rng);
  }
}

int sign_of(const Rational& x) { return x > 0 ? 1 : (x < 0 ? -1 : 0); }

TEST(Expansion, SumsDifferencesAndProductsAreExact) {
  std::mt19937_64 rng(1);
  int zeros = 0;
  for (int i = 0; i < 20'000; ++i) {
    const double a = draw(rng), b = draw(rng), c = draw(rng), d = draw(rng);
    const Expansion<2> x(two_difference(a, b));
    const Expansion<2> y(two_difference(c, d));
    const Rational rx = Rational(a) - Rational(b);
    const Rational ry = Rational(c) - Rational(d);
    ASSERT_EQ(exact(x), rx);
    const Expansion<8> xy = product(x, y);
    ASSERT_EQ(exact(xy), rx * ry);
    Expansion<17> sum;
    sum.add(xy);
    sum.add(product(x, Expansion<2>(two_difference(c, a))), -1.0);
    const Rational truth = rx * ry - rx * (Rational(c) - Rational(a));
    ASSERT_EQ(exact(sum), truth) << "seed 1, draw " << i;
    ASSERT_EQ(sum.sign(), sign_of(truth));
    if (truth != 0) {
      const Rational error = abs(Rational(sum.estimate()) - truth) / abs(truth);
      ASSERT_LT(error, Rational(1e-15));
    }
    zeros += truth == 0;
  }
  EXPECT_GT(zeros, 100);
}

TEST(Expansion, ComponentsDoNotOverlapAndGrow) {
  std::mt19937_64 rng(2);
  for (int i = 0; i < 5'000; ++i) {
    Expansion<40> sum;
    for (int k = 0; k < 30; ++k) sum.add(draw(rng));
    for (int k = 0; k + 1 < sum.size(); ++k) {
      ASSERT_NE(sum[k], 0.0);
      int exponent = 0;
      std::frexp(sum[k], &exponent);
      // The lowest bit of the next component is above the highest of this one.
      ASSERT_EQ(std::remainder(sum[k + 1], std::ldexp(1.0, exponent)), 0.0) << "seed 2, draw " << i;
    }
  }
}

}  // namespace
}  // namespace planner_ccd
