#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdlib>

#include "triangle_ccd/leaf_campaign.hpp"

namespace planner_ccd::test {
namespace {

using Eigen::Vector3d;

constexpr LeafKernel kKernels[] = {LeafKernel::Cubic, LeafKernel::SpaceTime, LeafKernel::Plucker,
                                   LeafKernel::Inclusion};

int scaled_count(int n) {
  const char* scale = std::getenv("PLANNER_CCD_TEST_SCALE");
  return std::max(1, static_cast<int>(n * (scale ? std::atof(scale) : 1.0)));
}

struct Pair {
  TriangleMotion a, b;
};

Pair random_pair(LeafDraws& draws, Family family) {
  const FourPoints p = draws.draw(family, true), q = draws.draw(family, true);
  return {{p[0], p[1], q[0]}, {p[2], p[3], q[3]}};
}

Triangle at(const TriangleMotion& m, double t) {
  Triangle out;
  for (int i = 0; i < 3; ++i) out[i] = (1 - t) * m[i].start + t * m[i].end;
  return out;
}

/// The first of the fifteen exact contacts; 2 when there is none.
double exact_time(const Pair& p) {
  double first = 2.0;
  const auto take = [&](const Truth& t) {
    if (t.hit) first = std::min(first, t.toi_hi);
  };
  for (int i = 0; i < 3; ++i) {
    take(true_contact(VertexFaceMotion{p.a[i], p.b}));
    take(true_contact(VertexFaceMotion{p.b[i], p.a}));
    for (int j = 0; j < 3; ++j)
      take(true_contact(EdgeEdgeMotion{{p.a[i], p.a[(i + 1) % 3]}, {p.b[j], p.b[(j + 1) % 3]}}));
  }
  return first;
}

class TriangleCcd : public testing::TestWithParam<LeafKernel> {};

INSTANTIATE_TEST_SUITE_P(All, TriangleCcd, testing::ValuesIn(kKernels),
                         [](const testing::TestParamInfo<LeafKernel>& kernel) { return name(kernel.param); });

/// P1: nothing missed. P2: a contact is real up to the tolerance. P3: both verdicts occur.
TEST_P(TriangleCcd, FindsTheFirstContactOfFifteen) {
  LeafDraws draws(2718);
  int contacts = 0, aparts = 0;
  for (int i = 0; i < scaled_count(1500); ++i) {
    const Pair p = random_pair(draws, i % 2 ? Family::Robot : Family::SmallMoves);
    const bool overlap = triangle_distance(at(p.a, 0), at(p.b, 0)).upper == 0;
    const double exact = overlap ? 0.0 : exact_time(p);
    const LeafResult r = triangle_ccd(GetParam(), p.a, p.b, {});
    aparts += r.verdict == LeafVerdict::Apart;
    ASSERT_FALSE(exact <= 1 && r.verdict == LeafVerdict::Apart) << i;
    ASSERT_LE(r.t_lo, exact) << i;
    if (r.verdict != LeafVerdict::Contact) continue;
    ++contacts;
    ASSERT_LE(triangle_distance(at(p.a, r.t_hi), at(p.b, r.t_hi)).distance, LeafOptions{}.tolerance) << i;
    Vector3d a = Vector3d::Zero(), b = a;
    const Triangle ta = at(p.a, r.t_hi), tb = at(p.b, r.t_hi);
    for (int k = 0; k < 3; ++k) a += r.weights_a[k] * ta[k], b += r.weights_b[k] * tb[k];
    ASSERT_LE((a - r.point_a).norm() + (b - r.point_b).norm(), 1e-9) << i;
    ASSERT_LE((a - b).norm(), 2 * LeafOptions{}.tolerance) << i;
  }
  EXPECT_GT(contacts, scaled_count(1500) / 10);
  EXPECT_GT(aparts, scaled_count(1500) / 10);
}

/// An edge through a face from the start touches none of the fifteen pairs of features while they move together.
TEST_P(TriangleCcd, SeesAnOverlapAtTheStart) {
  const Vector3d shift(0.5, 0, 0);
  const auto moved = [&](double x, double y, double z) {
    return MovingPoint{Vector3d(x, y, z), Vector3d(x, y, z) + shift};
  };
  const TriangleMotion floor{moved(-9, -9, 0), moved(9, -9, 0), moved(0, 9, 0)};
  const TriangleMotion spike{moved(0, 0, -1), moved(0.5, 0, -1), moved(0, 0, 1)};
  const LeafResult r = triangle_ccd(GetParam(), floor, spike, {});
  EXPECT_EQ(r.verdict, LeafVerdict::Contact);
  EXPECT_EQ(r.t_hi, 0.0);
}

/// Curved motion through its chord: on an interval of length h a corner that turns with radius rho at w strays at most
/// rho w^2 h^2 / 8 from its chord, so apart at separation 2 e means apart. Against dense sampling of the true motion.
TEST_P(TriangleCcd, DecidesRotationsThroughTheirChords) {
  LeafDraws draws(31415);
  std::srand(7);
  int free_parts = 0, contacts = 0;
  for (int i = 0; i < scaled_count(120); ++i) {
    const Pair p = random_pair(draws, Family::UnitCube);
    const Vector3d axis = Vector3d::Random().normalized(), centre = Vector3d::Random();
    const double angle = 0.4;
    const auto turned = [&](const Vector3d& x, double t) -> Vector3d {
      return centre + Eigen::AngleAxisd(angle * t, axis) * (x - centre);
    };
    const int parts = 16;
    for (int k = 0; k < parts; ++k) {
      const double t0 = static_cast<double>(k) / parts, t1 = static_cast<double>(k + 1) / parts;
      TriangleMotion a, b;
      double e = 0;
      for (int c = 0; c < 3; ++c) {
        a[c] = {turned(p.a[c].start, t0), turned(p.a[c].start, t1)};
        b[c] = {p.b[c].start, p.b[c].start};
        e = std::max(e, (p.a[c].start - centre).norm() * angle * angle / (8.0 * parts * parts));
      }
      LeafOptions options;
      options.min_separation = 2 * e;
      const LeafResult r = triangle_ccd(GetParam(), a, b, options);
      free_parts += r.verdict == LeafVerdict::Apart;
      contacts += r.verdict == LeafVerdict::Contact;
      const double until = r.verdict == LeafVerdict::Apart ? 1.0 : r.t_lo * (1 - 1e-9);
      for (int s = 0; s < 40 && until > 0; ++s) {
        const double t = t0 + (t1 - t0) * until * s / 40;
        const Triangle now{turned(p.a[0].start, t), turned(p.a[1].start, t), turned(p.a[2].start, t)};
        ASSERT_GT(triangle_distance(now, {b[0].start, b[1].start, b[2].start}).upper, e) << i << ' ' << k;
      }
    }
  }
  EXPECT_GT(free_parts, scaled_count(120));
  EXPECT_GT(contacts, scaled_count(120));
}

}  // namespace
}  // namespace planner_ccd::test
