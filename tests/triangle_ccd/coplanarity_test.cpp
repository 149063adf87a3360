// Near zeros of a cubic: no root of the polynomial that the doubles describe, taken exactly, may lie outside of them.
#include "planner_ccd/triangle_ccd/detail/coplanarity.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstdio>
#include <random>
#include <vector>

#include "support/scale.hpp"

namespace planner_ccd::leaf {
namespace {

using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;

/// A cubic that touches zero at r, up to the rounding of its coefficients; its third root is outside of [0, 1].
std::array<double, 4> touching(double r, double other) {
  // Blossoms of (t - r)^2 (t - other) at 0 and 1.
  const double a = -r, b = 1.0 - r, c = -other, d = 1.0 - other;
  return {a * a * c, (2.0 * a * b * c + a * a * d) / 3.0, (b * b * c + 2.0 * a * b * d) / 3.0, b * b * d};
}

struct Exact {
  Real c0, c1, c2, c3;

  explicit Exact(const std::array<double, 4>& b)
      : c0(b[0]),
        c1(3 * (Real(b[1]) - b[0])),
        c2(3 * (Real(b[0]) - 2 * Real(b[1]) + b[2])),
        c3(Real(b[3]) - b[0] + 3 * (Real(b[1]) - b[2])) {}

  Real at(const Real& t) const { return ((c3 * t + c2) * t + c1) * t + c0; }

  /// Between lo and hi, where the signs differ.
  Real root(Real lo, Real hi) const {
    const bool rising = at(lo) < 0;
    for (int i = 0; i < 200; ++i) {
      const Real middle = (lo + hi) / 2;
      ((at(middle) < 0) == rising ? lo : hi) = middle;
    }
    return lo;
  }

  /// Both roots next to the extremum near r; none if the cubic does not reach zero there.
  std::vector<Real> roots_near(double r) const {
    Real extremum = r;
    for (int i = 0; i < 20; ++i) {
      extremum -= ((3 * c3 * extremum + 2 * c2) * extremum + c1) / (6 * c3 * extremum + 2 * c2);
    }
    const Real far = 1e-3, before = at(extremum - far), least = at(extremum);
    if ((before < 0) == (least < 0)) return {};
    return {root(extremum - far, extremum), root(extremum, extremum + far)};
  }
};

TEST(Coplanarity, NoRootIsOutsideTheNearZeros) {
  const unsigned seed = testing::seeded(1721);
  std::printf("seed %u\n", seed);
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const int draws = testing::scaled(4'000, 1'000);
  int roots = 0, clear = 0;
  for (int i = 0; i < draws; ++i) {
    const double r = 0.05 + 0.9 * unit(rng), other = i % 2 == 0 ? -0.5 - unit(rng) : 1.5 + unit(rng);
    std::array<double, 4> b = touching(r, other);
    if (i % 4 == 0) {
      for (double& x : b) x -= other < 0.0 ? -1e-12 : 1e-12;  // lifted: apart from zero by far more than rounding
    }
    const Pieces pieces(padded({b, 0.0}), 0.0, 1.0);
    std::vector<TimeInterval> near;
    for (int k = 0; k < pieces.count(); ++k) {
      if (pieces.clear(pieces.lo(k), pieces.hi(k))) continue;
      near.push_back(pieces.near_zero(pieces.lo(k), pieces.hi(k), 1e-15));
    }
    for (const Real& root : Exact(b).roots_near(r)) {
      ++roots;
      const bool found = std::any_of(near.begin(), near.end(),
                                     [&](const TimeInterval& part) { return part.lo <= root && root <= part.hi; });
      ASSERT_TRUE(found) << "draw " << i << ": root " << static_cast<double>(root);
    }
    clear += near.empty();
  }
  std::printf("%d roots of %d cubics, %d proved to have none\n", roots, draws, clear);
  EXPECT_GT(roots, draws / 2);
  EXPECT_GT(clear, draws / 5);
}

}  // namespace
}  // namespace planner_ccd::leaf
