#include "planner_ccd/geometry/gjk.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "geometry/exact_triangle_distance.hpp"
#include "geometry/triangle_pairs.hpp"
#include "support/scale.hpp"

namespace planner_ccd {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using testing::PairSource;
using testing::TrianglePair;
using LongVector = Eigen::Matrix<long double, 3, 1>;

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : source_(seed) {}

  double uniform(double lo, double hi) { return source_.uniform(lo, hi); }
  Isometry3d pose(double reach) {
    Isometry3d X = Isometry3d::Identity();
    X.linear() = Eigen::Quaterniond(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1))
                     .normalized()
                     .toRotationMatrix();
    X.translation() = source_.point(reach);
    return X;
  }
  Shape shape() {
    switch (source_.integer(0, 4)) {
      case 0: return Sphere{uniform(0.01, 1)};
      case 1: return Box{Vector3d(uniform(0.01, 2), uniform(0.01, 2), uniform(0.01, 2))};
      case 2: return Cylinder{uniform(0.01, 1), uniform(0.01, 2)};
      case 3: return Capsule{uniform(0.01, 1), uniform(0.0, 2)};
      default: {
        ConvexHull h;
        for (int i = source_.integer(1, 40); i >= 0; --i) h.points.push_back(source_.point(1.0));
        return h;
      }
    }
  }

 private:
  PairSource source_;
};

/// Greatest n.x over the shape placed by X, in long double, from the definitions.
struct LongSupport {
  const Isometry3d& X;
  const LongVector n;

  LongVector local() const { return X.linear().cast<long double>().transpose() * n; }
  long double placed(long double h) const { return h + n.dot(X.translation().cast<long double>()); }
  long double operator()(const Sphere& s) const { return placed(s.radius * n.norm()); }
  long double operator()(const Box& b) const {
    return placed(local().cwiseAbs().dot(b.size.cast<long double>()) * 0.5L);
  }
  long double operator()(const Cylinder& c) const {
    const LongVector d = local();
    return placed(std::abs(d.z()) * c.length * 0.5L + c.radius * std::hypot(d.x(), d.y()));
  }
  long double operator()(const Capsule& c) const {
    return placed(std::abs(local().z()) * c.length * 0.5L + c.radius * n.norm());
  }
  long double operator()(const ConvexHull& hull) const {
    long double most = -std::numeric_limits<long double>::infinity();
    for (const auto& p : hull.points) most = std::max(most, local().dot(p.cast<long double>()));
    return placed(most);
  }
  long double operator()(const MeshPtr&) const { return 0.0L; }
  long double operator()(const CloudPtr&) const { return 0.0L; }
  long double operator()(const CellsPtr&) const { return 0.0L; }
};

/// min n.b - max n.a
long double long_gap(const Shape& a, const Isometry3d& X_A, const Shape& b, const Isometry3d& X_B, const Vector3d& n) {
  const LongVector m = n.cast<long double>();
  return -std::visit(LongSupport{X_B, -m}, b) - std::visit(LongSupport{X_A, m}, a);
}

TEST(Gjk, CertificateHoldsInExtendedPrecisionAndIsTight) {
  constexpr std::uint64_t kSeed = 31;
  Draw draw(kSeed);
  const int count = testing::scaled(20000);
  int apart = 0, loose = 0, most_iterations = 0;
  long iterations = 0;
  double worst = 0.0;
  for (int i = 0; i < count; ++i) {
    const Shape a = draw.shape(), b = draw.shape();
    const Isometry3d X_A = draw.pose(2.0), X_B = draw.pose(2.0);
    const ConvexDistance d = gjk_distance(convex_of(a), X_A, convex_of(b), X_B);
    ASSERT_LE(d.gap, d.upper) << i;
    iterations += d.iterations;
    most_iterations = std::max(most_iterations, d.iterations);
    if (!(d.gap > 0.0)) continue;
    ++apart;
    ASSERT_NEAR(d.normal.norm(), 1.0, 1e-15);
    ASSERT_LE(d.gap, long_gap(a, X_A, b, X_B, d.normal)) << i;
    const double loss = d.upper - d.gap;
    worst = std::max(worst, loss);
    loose += loss > 1e-9 * (1.0 + d.upper);
    ASSERT_NEAR((d.point_b - d.point_a).norm(), d.upper, 1e-9) << i;
  }
  std::printf("seed %llu: %d pairs, %d apart, %d looser than 1e-9, worst %.2g m, iterations mean %.1f most %d\n",
              static_cast<unsigned long long>(kSeed), count, apart, loose, worst,
              static_cast<double>(iterations) / count, most_iterations);
  EXPECT_GT(apart, 0.3 * count);
  EXPECT_LT(apart, 0.95 * count);
}

TEST(Gjk, AgreesWithExactTriangles) {
  const int count = testing::scaled(2000);
  for (const auto& family : PairSource::families()) {
    PairSource source(7);
    int loose = 0;
    for (int i = 0; i < count; ++i) {
      const TrianglePair p = (source.*family.draw)();
      const exact::SquaredDistance truth = exact::squared_distance(p.a, p.b);
      const ConvexDistance d = gjk_distance(rounded_triangle(p.a, 0.0), rounded_triangle(p.b, 0.0));
      if (d.gap > 0.0) {
        ASSERT_LE(exact::compare(d.gap, truth), 0) << family.name << " " << i;
      }
      ASSERT_GE(exact::compare(d.upper, truth), 0) << family.name << " " << i;
      double size = 0.0;
      for (const auto& v : p.a) size = std::max(size, (v - p.a[0]).norm());
      for (const auto& v : p.b) size = std::max(size, (v - p.a[0]).norm());
      loose += d.upper - std::max(d.gap, 0.0) > 1e-9 * size;
    }
    std::printf("%-16s %d pairs, %d looser than 1e-9 of their extent\n", family.name, count, loose);
  }
}

Isometry3d at(double x, double y, double z) { return Isometry3d(Eigen::Translation3d(x, y, z)); }

Isometry3d turned(double angle, const Vector3d& axis, const Vector3d& position) {
  return Eigen::Translation3d(position) * Eigen::AngleAxisd(angle, axis.normalized());
}

struct KnownCase {
  const char* name;
  Shape a, b;
  Isometry3d X_A, X_B;
  double distance;
};

/// Poses in which GJK implementations stall, cycle or return the wrong feature; the distances are known.
std::vector<KnownCase> known_cases() {
  const Box unit{Vector3d(1, 1, 1)};
  const Sphere ball{0.25};
  const Cylinder can{0.5, 2.0};
  const Cylinder coin{1.0, 1e-3};
  const Capsule pill{0.1, 1.0};
  const ConvexHull flat{{Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(1, 1, 0), Vector3d(0, 1, 0)}};
  const Isometry3d I = Isometry3d::Identity();
  const double right = std::acos(0.0);
  return {
      {"sphere above the middle of a face", unit, ball, I, at(0, 0, 1), 0.25},
      {"sphere in the plane of a face", unit, ball, I, at(1, 0, 0.5), 0.25},
      {"sphere in the planes of two faces", unit, ball, I, at(1, 0.5, 0.5), 0.25},
      {"sphere on the diagonal", unit, ball, I, at(1, 1, 1), std::sqrt(0.75) - 0.25},
      {"sphere touches a face", unit, ball, I, at(0, 0, 0.75), 0.0},
      {"concentric spheres", ball, ball, I, I, 0.0},
      {"boxes touch in a face", unit, unit, I, at(1, 0, 0), 0.0},
      {"boxes touch in an edge", unit, unit, I, at(1, 1, 0), 0.0},
      {"boxes touch in a corner", unit, unit, I, at(1, 1, 1), 0.0},
      {"boxes face to face", unit, unit, I, at(1.25, 0, 0), 0.25},
      {"boxes a nanometre apart", unit, unit, I, at(1 + 1e-9, 0.3, 0), (1 + 1e-9) - 1},
      {"boxes far away, a micrometre apart", unit, unit, at(1e6, 0, 0), at(1e6 + 1 + 0x1p-20, 0.3, 0), 0x1p-20},
      {"coaxial cylinders", can, can, I, at(0, 0, 2.5), 0.5},
      {"coaxial cylinders touch", can, can, I, at(0, 0, 2), 0.0},
      {"parallel cylinders", can, can, I, at(1.5, 0, 0.3), 0.5},
      {"parallel cylinders touch", can, can, I, at(1, 0, 0), 0.0},
      {"crossed cylinders", can, can, I, turned(right, Vector3d::UnitX(), Vector3d(1.25, 0, 0)), 0.25},
      {"coins rim to rim", coin, coin, I, at(2.5, 0, 0), 0.5},
      {"coins face to face", coin, coin, I, at(0.7, 0, 0.501), 0.5},
      {"coin inside a coin's axis line", coin, coin, I, turned(right, Vector3d::UnitX(), Vector3d(0, 0, 2)), 1 - 5e-4},
      {"collinear capsules", pill, pill, I, at(0, 0, 1.5), 0.3},
      {"parallel capsules", pill, pill, I, at(0.5, 0, 0.2), 0.3},
      {"crossing capsule axes", pill, pill, I, turned(right, Vector3d::UnitX(), Vector3d::Zero()), 0.0},
      {"flat hull under a box", flat, unit, I, at(0.5, 0.5, 0.75), 0.25},
      {"flat hulls in one plane", flat, flat, I, at(1.5, 0.1, 0), 0.5},
      {"flat hulls overlap in one plane", flat, flat, I, at(0.5, 0.1, 0), 0.0},
  };
}

TEST(Gjk, KnownDistancesInDegeneratePoses) {
  for (const KnownCase& k : known_cases()) {
    for (const bool swapped : {false, true}) {
      const ConvexDistance d = swapped ? gjk_distance(convex_of(k.b), k.X_B, convex_of(k.a), k.X_A)
                                       : gjk_distance(convex_of(k.a), k.X_A, convex_of(k.b), k.X_B);
      EXPECT_LE(d.gap, k.distance + 1e-15) << k.name;
      EXPECT_GE(d.upper, k.distance - 1e-15) << k.name;
      EXPECT_GE(std::max(d.gap, 0.0), k.distance - 1e-9 * (1 + k.distance)) << k.name;
      EXPECT_LE(d.upper, k.distance + 1e-9 * (1 + k.distance)) << k.name;
      EXPECT_LT(d.iterations, 40) << k.name;
    }
  }
}

TEST(Gjk, KeepsItsOptions) {
  const Cylinder can{0.5, 2.0};
  const Convex c = convex_of(can);
  const Isometry3d X = turned(0.7, Vector3d(1, 2, 3), Vector3d(1.5, 1, 1));
  const ConvexDistance full = gjk_distance(c, Isometry3d::Identity(), c, X);
  ASSERT_GT(full.gap, 0.1);
  for (int n = 1; n <= full.iterations; ++n) {
    const ConvexDistance d = gjk_distance(c, Isometry3d::Identity(), c, X, Vector3d::Zero(), {.max_iterations = n});
    EXPECT_LE(d.iterations, n);
    EXPECT_LE(d.gap, full.upper);
    EXPECT_GE(d.upper, full.gap);
  }
  const ConvexDistance enough = gjk_distance(c, Isometry3d::Identity(), c, X, full.normal, {.enough = 0.5 * full.gap});
  EXPECT_EQ(enough.iterations, 1);
  EXPECT_GT(enough.gap, 0.5 * full.gap);
  const ConvexDistance loose = gjk_distance(c, Isometry3d::Identity(), c, X, Vector3d::Zero(), {.tolerance = 0.1});
  EXPECT_LT(loose.iterations, full.iterations);
  EXPECT_GE(loose.gap, 0.9 * loose.upper - 1e-12);
}

}  // namespace
}  // namespace planner_ccd
