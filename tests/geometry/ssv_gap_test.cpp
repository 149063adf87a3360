#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "geometry/exact_triangle_distance.hpp"
#include "planner_ccd/geometry/ssv.hpp"
#include "planner_ccd/geometry/ssv_gap_quick.hpp"
#include "support/scale.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

/// Draws volumes whose corners are exact in double: all coordinates are multiples of 2^-20 times a power of two.
class SsvSource {
 public:
  explicit SsvSource(unsigned seed) : random_(seed) { std::printf("seed %u\n", seed); }

  enum Kind { General, Lattice, Needle, Parallel, Far, kKinds };

  std::pair<Ssv, Ssv> draw(SsvType a, SsvType b, Kind kind) {
    scale_ = std::ldexp(1.0, static_cast<int>(random_() % 41) - 20);
    spread_ = kind == Far ? 60.0 : std::exp(uniform(-2.0, 2.0));
    Ssv va = volume(a, kind), vb = volume(b, kind);
    if (kind == Parallel) {
      if (b != SsvType::Point && a != SsvType::Point) vb.edge0 = (random_() % 2 ? 2.0 : -1.0) * va.edge0;
      if (b == SsvType::Rectangle && a == SsvType::Rectangle && random_() % 2) vb.edge1 = va.edge1;
    }
    return {va, vb};
  }

 private:
  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random_); }
  double snap(double x) const { return std::round(x * 0x1p20) * 0x1p-20 * scale_; }
  Vector3d point(double size) {
    return {snap(uniform(-size, size)), snap(uniform(-size, size)), snap(uniform(-size, size))};
  }
  Vector3d lattice() {
    return scale_ * Vector3d(int(random_() % 5) - 2, int(random_() % 5) - 2, int(random_() % 5) - 2);
  }

  Ssv volume(SsvType type, Kind kind) {
    Ssv v;
    v.type = type;
    v.origin = kind == Lattice ? lattice() : point(spread_);
    const Vector3d u = kind == Lattice ? lattice() : point(1.0);
    const double thin = kind == Needle ? 1e-4 : 1.0;
    if (type != SsvType::Point) v.edge0 = u;
    if (type == SsvType::Rectangle) {
      const Vector3d w = u.cross(kind == Lattice ? lattice() : point(1.0)) * (thin / scale_);
      v.edge1 = kind == Lattice ? w : Vector3d(snap(w[0] / scale_), snap(w[1] / scale_), snap(w[2] / scale_));
    }
    v.radius = random_() % 3 == 0 ? 0.0 : snap(std::exp(uniform(-6.0, 0.0)));
    return v;
  }

  std::mt19937 random_;
  double scale_ = 1.0, spread_ = 1.0;
};

std::vector<Triangle> triangles(const Ssv& v) {
  if (v.type != SsvType::Rectangle) return {{v.corner(0), v.corner(v.type == SsvType::Line), v.corner(0)}};
  return {{v.corner(0), v.corner(1), v.corner(2)}, {v.corner(3), v.corner(1), v.corner(2)}};
}

/// The distance of the generators, exactly.
exact::SquaredDistance core_distance(const Ssv& a, const Ssv& b) {
  exact::SquaredDistance best{};
  bool first = true;
  for (const Triangle& ta : triangles(a)) {
    for (const Triangle& tb : triangles(b)) {
      exact::SquaredDistance d = exact::squared_distance(ta, tb);
      if (!first) {
        const int unit = std::min(d.exponent, best.exponent);
        d.numerator <<= 2 * (d.exponent - unit);
        best.numerator <<= 2 * (best.exponent - unit);
        d.exponent = best.exponent = unit;
        if (d.numerator * best.denominator >= best.numerator * d.denominator) continue;
      }
      best = d;
      first = false;
    }
  }
  return best;
}

/// True if gap <= distance - radii, decided in integers.
bool not_above(double gap, const Ssv& a, const Ssv& b, const exact::SquaredDistance& core) {
  int unit = core.exponent;
  for (const double x : {gap, a.radius, b.radius}) {
    if (x != 0.0) unit = std::min(unit, exact::lowest_bit(x));
  }
  const exact::Integer x =
      exact::to_integer(gap, unit) + exact::to_integer(a.radius, unit) + exact::to_integer(b.radius, unit);
  return x <= 0 || x * x * core.denominator <= core.numerator << (2 * (core.exponent - unit));
}

const char* name(SsvType t) { return t == SsvType::Point ? "PSS" : t == SsvType::Line ? "LSS" : "RSS"; }
constexpr SsvType kTypes[] = {SsvType::Point, SsvType::Line, SsvType::Rectangle};

struct Row {
  long pairs = 0, apart = 0, loose = 0;
  double worst = 0.0;
};

void check(const Ssv& a, const Ssv& b, Row& row) {
  const exact::SquaredDistance core = core_distance(a, b);
  const SeparatingGap g = ssv_gap(a, b);
  ASSERT_TRUE(not_above(g.gap, a, b, core));
  ASSERT_NEAR(g.normal.norm(), 1.0, 4e-16);
  const SeparatingGap h = ssv_gap(b, a);
  ASSERT_TRUE(not_above(h.gap, a, b, core));
  const long double truth = exact::approximate(core) - a.radius - b.radius;
  ++row.pairs;
  if (truth <= 0) return;
  ++row.apart;
  const double size = (b.origin - a.origin).norm() + a.edge0.norm() + a.edge1.norm() + b.edge0.norm() + b.edge1.norm() +
                      a.radius + b.radius;
  // Relevant losses: relative to the distance of the generators, beyond the rounding of the coordinates.
  for (const double gap : {g.gap, h.gap}) {
    const double loss = static_cast<double>(truth - gap) - 1e-14 * size;
    const double relative = loss / static_cast<double>(exact::approximate(core));
    row.worst = std::max(row.worst, relative);
    row.loose += relative > 1e-6;
  }
}

TEST(SsvGap, IsNeverAboveTheTruthAndTightForAllNineTypePairs) {
  const int count = testing::scaled(400);
  SsvSource source(20240611);
  std::printf("%-10s %8s %8s %8s %14s\n", "pair", "pairs", "apart", "loose", "worst loss");
  for (const SsvType ta : kTypes) {
    for (const SsvType tb : kTypes) {
      Row row;
      for (int kind = 0; kind < SsvSource::kKinds; ++kind) {
        for (int i = 0; i < count; ++i) {
          const auto [a, b] = source.draw(ta, tb, static_cast<SsvSource::Kind>(kind));
          check(a, b, row);
          if (HasFatalFailure()) return;
        }
      }
      std::printf("%s-%s    %8ld %8ld %8ld %14.2e\n", name(ta), name(tb), row.pairs, row.apart, row.loose, row.worst);
      EXPECT_GT(row.apart, 0.3 * row.pairs);
      EXPECT_LE(row.worst, 1e-6);
    }
  }
}

TEST(SsvGapQuick, IsNeverAboveTheTruthAndMostlyWithinFivePercent) {
  const int count = testing::scaled(200);
  SsvSource source(20240612);
  long apart = 0, near_it = 0, pairs = 0;
  for (int k = 0; k < 9 * SsvSource::kKinds; ++k) {
    for (int i = 0; i < count; ++i) {
      const auto [a, b] = source.draw(kTypes[k % 3], kTypes[k / 3 % 3], static_cast<SsvSource::Kind>(k / 9));
      const exact::SquaredDistance core = core_distance(a, b);
      const SeparatingGap g = ssv_gap_quick(a, b);
      ASSERT_TRUE(g.gap <= 0.0 || not_above(g.gap, a, b, core)) << "types " << k % 9 << " kind " << k / 9;
      ++pairs;
      const long double truth = exact::approximate(core) - a.radius - b.radius;
      if (truth <= 0) continue;
      ++apart;
      ASSERT_LE(g.gap, ssv_gap_along(a, b, g.normal) + 1e-9 * (b.origin - a.origin).norm());
      near_it += g.gap >= 0.94 * static_cast<double>(truth);
    }
  }
  std::printf("%ld pairs, %ld apart, %ld within 6 %%\n", pairs, apart, near_it);
  EXPECT_GT(apart, 0.3 * pairs);
  EXPECT_GT(near_it, 0.95 * apart);
}

TEST(SsvGap, AlongAnyDirectionHoldsForAllPoints) {
  SsvSource source(7);
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int i = 0; i < 3000; ++i) {
    const auto [a, b] = source.draw(kTypes[i % 3], kTypes[i / 3 % 3], SsvSource::General);
    const Vector3d n = Vector3d(normal(random), normal(random), normal(random)).normalized();
    const double gap = ssv_gap_along(a, b, n);
    if (gap > 0.0) {
      EXPECT_LE(gap, ssv_gap(a, b).gap + 1e-6 * (b.origin - a.origin).norm());
    }
    for (int k = 0; k < 20; ++k) {
      const Vector3d pa = a.origin + unit(random) * a.edge0 + unit(random) * a.edge1 + a.radius * n;
      const Vector3d pb = b.origin + unit(random) * b.edge0 + unit(random) * b.edge1 - b.radius * n;
      ASSERT_GE(n.dot(pb) - n.dot(pa), gap);
    }
  }
}

TEST(SsvGap, OfCoincidentVolumesIsNotPositive) {
  for (const SsvType t : kTypes) {
    Ssv v;
    v.type = t;
    if (t != SsvType::Point) v.edge0 = Vector3d(1, 2, 3);
    if (t == SsvType::Rectangle) v.edge1 = Vector3d(3, 0, -1);
    EXPECT_LE(ssv_gap(v, v).gap, 0.0);
    EXPECT_NEAR(ssv_gap(v, v).normal.norm(), 1.0, 1e-15);
  }
}

}  // namespace
}  // namespace planner_ccd
