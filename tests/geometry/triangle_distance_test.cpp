#include "planner_ccd/geometry/triangle_distance.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "geometry/exact_triangle_distance.hpp"
#include "geometry/triangle_pairs.hpp"
#include "support/scale.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using testing::PairSource;
using testing::TrianglePair;

/// Largest local coordinate: rounding errors are relative to it.
double extent(const TrianglePair& p) {
  double m = 0.0;
  for (const auto& v : p.a) m = std::max(m, (v - p.a[0]).cwiseAbs().maxCoeff());
  for (const auto& v : p.b) m = std::max(m, (v - p.a[0]).cwiseAbs().maxCoeff());
  return m;
}

/// The sign of min n.b - max n.a - gap over all corners, in integers.
int compare_gap_along(const TrianglePair& p, const Vector3d& n, double gap) {
  int unit_n = 1023, unit = 1023;
  for (int k = 0; k < 3; ++k) unit_n = std::min(unit_n, n[k] == 0.0 ? 1023 : exact::lowest_bit(n[k]));
  for (const Triangle& t : {p.a, p.b}) {
    for (const Vector3d& v : t) {
      for (int k = 0; k < 3; ++k) unit = std::min(unit, v[k] == 0.0 ? 1023 : exact::lowest_bit(v[k]));
    }
  }
  unit = std::min(unit, exact::lowest_bit(gap) - unit_n);
  const auto along = [&](const Vector3d& v) {
    exact::Integer sum = 0;
    for (int k = 0; k < 3; ++k) sum += exact::to_integer(n[k], unit_n) * exact::to_integer(v[k], unit);
    return sum;
  };
  exact::Integer a = along(p.a[0]), b = along(p.b[0]);
  for (int i = 1; i < 3; ++i) {
    a = std::max(a, along(p.a[i]));
    b = std::min(b, along(p.b[i]));
  }
  const exact::Integer difference = b - a - exact::to_integer(gap, unit + unit_n);
  return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}

struct Campaign {
  long pairs = 0, touching = 0, called_touching = 0;
  double worst_lower = 0.0, worst_upper = 0.0;  ///< Loss over extent, in 2^-53.
  double worst_relative = 0.0;  ///< Loss of the lower bound over the distance, where that is > 1e-6 extent.
  long loose = 0;               ///< Loss above 1000 2^-53 extent.
};

void check(const TrianglePair& p, Campaign& c) {
  const exact::SquaredDistance truth = exact::squared_distance(p.a, p.b);
  const TriangleDistance d = triangle_distance(p.a, p.b);
  ++c.pairs;
  c.touching += truth.numerator == 0;
  c.called_touching += d.distance == 0.0;
  ASSERT_GE(d.distance, 0.0);
  ASSERT_LE(exact::compare(d.distance, truth), 0) << "above the truth by " << d.distance - exact::approximate(truth);
  ASSERT_GE(exact::compare(d.upper, truth), 0) << "below the truth by " << exact::approximate(truth) - d.upper;
  ASSERT_NEAR(d.normal.norm(), 1.0, 1e-15);
  if (d.distance > 0.0) {
    ASSERT_GE(compare_gap_along(p, d.normal, d.distance), 0) << "the normal does not prove the distance";
  }
  const long double value = exact::approximate(truth);
  const double size = std::max(extent(p), 1e-140);
  const double lower_loss = static_cast<double>(value - d.distance);
  const double upper_loss = static_cast<double>(d.upper - value);
  c.worst_lower = std::max(c.worst_lower, lower_loss / size * 0x1p53);
  c.worst_upper = std::max(c.worst_upper, upper_loss / size * 0x1p53);
  if (value > 1e-6 * size) c.worst_relative = std::max(c.worst_relative, static_cast<double>(lower_loss / value));
  if (std::max(lower_loss, upper_loss) > 1000 * 0x1p-53 * size) ++c.loose;
}

TEST(TriangleDistance, NeverExceedsTheExactDistance) {
  const long count = testing::scaled(5000);
  constexpr std::uint64_t kSeed = 20240601;
  std::printf("seed %llu\n%-16s %9s %9s %9s %8s %12s %12s %12s\n", static_cast<unsigned long long>(kSeed), "family",
              "pairs", "touching", "called 0", "loose", "lower/u", "upper/u", "relative");
  for (const auto& family : PairSource::families()) {
    PairSource source(kSeed);
    Campaign c;
    for (long i = 0; i < count; ++i) {
      check((source.*family.draw)(), c);
      if (HasFatalFailure()) FAIL() << family.name << " pair " << i;
    }
    std::printf("%-16s %9ld %9ld %9ld %8ld %12.3g %12.3g %12.3g\n", family.name, c.pairs, c.touching, c.called_touching,
                c.loose, c.worst_lower, c.worst_upper, c.worst_relative);
  }
}

/// The two brackets of one distance overlap, and are about equally narrow.
void expect_same(const TriangleDistance& x, const TriangleDistance& y, double size) {
  ASSERT_LE(x.distance, y.upper);
  ASSERT_LE(y.distance, x.upper);
  ASSERT_NEAR(x.distance, y.distance, 1e-12 * size);
}

TEST(TriangleDistance, DoesNotDependOnTheOrderOfTrianglesOrCorners) {
  for (const auto& family : PairSource::families()) {
    SCOPED_TRACE(family.name);
    PairSource source(5);
    for (int i = 0; i < 500; ++i) {
      const TrianglePair p = (source.*family.draw)();
      const double size = extent(p);
      const TriangleDistance d = triangle_distance(p.a, p.b);
      const TriangleDistance swapped = triangle_distance(p.b, p.a);
      expect_same(d, swapped, size);
      if (d.distance > 1e-3 * size) {
        ASSERT_LT((d.normal + swapped.normal).norm(), 1e-6);
      }
      expect_same(d, triangle_distance({p.a[2], p.a[0], p.a[1]}, {p.b[1], p.b[0], p.b[2]}), size);
    }
  }
}

TEST(TriangleDistance, IsInvariantUnderRigidMotion) {
  for (const auto& family : PairSource::families()) {
    SCOPED_TRACE(family.name);
    PairSource source(6);
    for (int i = 0; i < 500; ++i) {
      const TrianglePair p = (source.*family.draw)();
      const Eigen::Matrix3d R = Eigen::AngleAxisd(source.uniform(0, 3), source.direction()).toRotationMatrix();
      TrianglePair moved = p;
      for (auto& v : moved.a) v = R * (v - p.a[0]);
      for (auto& v : moved.b) v = R * (v - p.a[0]);
      ASSERT_NEAR(triangle_distance(p.a, p.b).distance, triangle_distance(moved.a, moved.b).distance,
                  1e-12 * extent(p));
    }
  }
}

/// Distance of x from the feature of the triangle that supposedly contains it.
double off_feature(const Triangle& t, Feature feature, const Vector3d& x) {
  const int i = static_cast<int>(feature);
  if (i < 3) return (x - t[i]).norm();
  if (i < 6) return triangle_distance({t[i - 3], t[(i - 2) % 3], t[i - 3]}, {x, x, x}).upper;
  return triangle_distance(t, {x, x, x}).upper;
}

TEST(TriangleDistance, WitnessesLieOnTheirFeatures) {
  for (const auto& family : PairSource::families()) {
    SCOPED_TRACE(family.name);
    PairSource source(8);
    for (int i = 0; i < 1000; ++i) {
      const TrianglePair p = (source.*family.draw)();
      const double rounding = 1e-13 * extent(p) + 1e-15 * p.a[0].norm();
      const TriangleDistance d = triangle_distance(p.a, p.b);
      ASSERT_LE(off_feature(p.a, d.feature_a, d.point_a), rounding);
      ASSERT_LE(off_feature(p.b, d.feature_b, d.point_b), rounding);
      ASSERT_NEAR((d.point_b - d.point_a).norm(), d.upper, rounding);
    }
  }
}

TEST(TriangleDistance, ReturnsEveryKindOfFeature) {
  PairSource source(9);
  int seen[7][7] = {};
  for (int i = 0; i < 20000; ++i) {
    const TrianglePair p = source.near();
    const TriangleDistance d = triangle_distance(p.a, p.b);
    if (d.distance > 0.0) ++seen[static_cast<int>(d.feature_a)][static_cast<int>(d.feature_b)];
  }
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 7; ++j) {
      const bool possible = !(i == 6 && j >= 3) && !(j == 6 && i >= 3);  // A face is closest to a vertex only.
      EXPECT_EQ(seen[i][j] > 0, possible) << i << " " << j;
    }
  }
}

TEST(TriangleGap, ExceedsIsProvedAndTight) {
  for (const auto& family : PairSource::families()) {
    SCOPED_TRACE(family.name);
    PairSource source(12);
    int yes = 0, no = 0;
    for (int i = 0; i < 1000; ++i) {
      const TrianglePair p = (source.*family.draw)();
      const TriangleDistance d = triangle_distance(p.a, p.b);
      const double threshold = d.upper * (1.0 + (source.integer(0, 1) ? 1.0 : -1.0) * source.log_uniform(1e-16, 1.0));
      if (triangle_gap_exceeds(p.a, p.b, threshold)) {
        ++yes;
        ASSERT_LT(exact::compare(threshold, exact::squared_distance(p.a, p.b)), 0);
      } else {
        ++no;
        ASSERT_LE(d.distance, threshold + 1e-12 * extent(p)) << "could have been proved";
      }
    }
    EXPECT_GT(no, 300);
    if (std::string(family.name) != "lattice") {
      EXPECT_GT(yes, 50);
    }
  }
}

TEST(TriangleGap, ExceedsZeroNeverForTrianglesThatTouch) {
  constexpr std::uint64_t kSeed = 13;
  PairSource source(kSeed);
  const int count = testing::scaled(10000);
  int touching = 0, called = 0;
  for (int i = 0; i < count; ++i) {
    TrianglePair p{source.triangle(1.0), PairSource::shifted(source.triangle(1.0), source.point(0.35))};
    if (i % 4 == 0) p = source.lattice();
    const bool truth = exact::squared_distance(p.a, p.b).numerator == 0;
    const bool may = !triangle_gap_exceeds(p.a, p.b, 0.0);
    ASSERT_TRUE(may || !truth) << i;
    touching += truth;
    called += may;
  }
  std::printf("seed %llu: %d pairs, %d touch, %d called so\n", static_cast<unsigned long long>(kSeed), count, touching,
              called);
  EXPECT_GT(touching, 0.3 * count);
  EXPECT_LT(touching, 0.7 * count);
  EXPECT_LT(called - touching, 0.02 * count);
}

/// On this pair PQP's distance of two edges whose cross product rounds to 0 was 687.89; the true distance is 2e-12.
TEST(TriangleDistance, SurvivesEdgesThatAreParallelToRounding) {
  for (double angle = 1e-18; angle < 1e-2; angle *= 3.0) {
    for (const double height : {0.0, 2e-12, 1e-6, 1.0}) {
      const Triangle a{Vector3d(-1000, 0, 0), Vector3d(1000, 0, 0), Vector3d(0, 0, -500)};
      const Triangle b{Vector3d(-1000, -1000 * angle, height), Vector3d(1000, 1000 * angle, height),
                       Vector3d(0, 0, 500)};
      const TriangleDistance d = triangle_distance(a, b);
      EXPECT_LE(exact::compare(d.distance, exact::squared_distance(a, b)), 0);
      EXPECT_NEAR(d.distance, height, 1e-10);
      EXPECT_NEAR(d.upper, height, 1e-10);
    }
  }
}

}  // namespace
}  // namespace planner_ccd
