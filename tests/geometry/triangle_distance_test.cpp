#include "planner_ccd/geometry/triangle_distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "geometry/exact_triangle_distance.hpp"
#include "geometry/triangle_pairs.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using testing::PairSource;
using testing::TrianglePair;

double test_scale() {
  const char* s = std::getenv("PLANNER_CCD_TEST_SCALE");
  return s ? std::atof(s) : 1.0;
}

/// Largest local coordinate: what a rounding error is relative to.
double extent(const TrianglePair& p) {
  double m = 0.0;
  for (const auto& v : p.a) m = std::max(m, (v - p.a[0]).cwiseAbs().maxCoeff());
  for (const auto& v : p.b) m = std::max(m, (v - p.a[0]).cwiseAbs().maxCoeff());
  return m;
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
  const long count = std::lround(8000 * test_scale());
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

}  // namespace
}  // namespace planner_ccd
