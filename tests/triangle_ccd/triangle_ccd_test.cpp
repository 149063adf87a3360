#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "planner_ccd/triangle_ccd/detail/pair_directions.hpp"
#include "support/scale.hpp"
#include "triangle_ccd/leaf_campaign.hpp"

namespace planner_ccd::test {
namespace {

using Eigen::Vector3d;

using Kernel = std::shared_ptr<const LeafKernel>;

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

class TriangleCcd : public ::testing::TestWithParam<Kernel> {};

INSTANTIATE_TEST_SUITE_P(All, TriangleCcd, ::testing::ValuesIn(kernels()),
                         [](const ::testing::TestParamInfo<Kernel>& kernel) {
                           return std::string(kernel.param->name());
                         });

/// P1: nothing missed. P2: a contact is real up to the tolerance. P3: both verdicts occur.
TEST_P(TriangleCcd, FindsTheFirstContactOfFifteen) {
  LeafDraws draws(2718);
  int contacts = 0, aparts = 0;
  for (int i = 0; i < testing::scaled(1500); ++i) {
    const Family families[] = {Family::Robot, Family::SmallMoves, Family::UnitCube, Family::Robot, Family::Grazing};
    const Pair p = random_pair(draws, families[i % 5]);
    const bool overlap = triangle_distance(at(p.a, 0), at(p.b, 0)).upper == 0;
    const double exact = overlap ? 0.0 : exact_time(p);
    const LeafResult r = triangle_ccd(*GetParam(), p.a, p.b, {});
    aparts += r.verdict == Verdict::Free;
    ASSERT_FALSE(exact <= 1 && r.verdict == Verdict::Free) << i;
    ASSERT_LE(r.t_lo, exact) << i;
    if (r.verdict != Verdict::Contact) continue;
    ++contacts;
    ASSERT_LE(triangle_distance(at(p.a, r.t_hi), at(p.b, r.t_hi)).distance, LeafOptions{}.tolerance) << i;
    Vector3d a = Vector3d::Zero(), b = a;
    const Triangle ta = at(p.a, r.t_hi), tb = at(p.b, r.t_hi);
    for (int k = 0; k < 3; ++k) a += r.weights_a[k] * ta[k], b += r.weights_b[k] * tb[k];
    ASSERT_LE((a - r.point_a).norm() + (b - r.point_b).norm(), 1e-9) << i;
    ASSERT_LE((a - b).norm(), 2 * LeafOptions{}.tolerance) << i;
  }
  EXPECT_GT(contacts, testing::scaled(1500) / 10);
  EXPECT_GT(aparts, testing::scaled(1500) / 10);
}

/// An edge through a face at the start touches none of the fifteen pairs of features while they move together.
TEST_P(TriangleCcd, SeesAnOverlapAtTheStart) {
  const Vector3d shift(0.5, 0, 0);
  const auto moved = [&](double x, double y, double z) {
    return MovingPoint{Vector3d(x, y, z), Vector3d(x, y, z) + shift};
  };
  const TriangleMotion floor{moved(-9, -9, 0), moved(9, -9, 0), moved(0, 9, 0)};
  const TriangleMotion spike{moved(0, 0, -1), moved(0.5, 0, -1), moved(0, 0, 1)};
  const LeafResult r = triangle_ccd(*GetParam(), floor, spike, {});
  EXPECT_EQ(r.verdict, Verdict::Contact);
  EXPECT_EQ(r.t_hi, 0.0);
}

/// With a tolerance below rounding an overlap at the start cannot be shown as a contact: the feature tests, which miss
/// it, must not report Free.
TEST_P(TriangleCcd, DoesNotCallAnOverlapApartThatItCannotShow) {
  const auto still = [](double x, double y, double z) {
    return MovingPoint{Vector3d(x, y, z), Vector3d(x + 0.5, y, z)};
  };
  const TriangleMotion floor{still(-9, -9, 0.1), still(9, -9, 0.1), still(0, 9, 0.1)};
  const TriangleMotion spike{still(0, 0.1, -1), still(0.5, 0.2, -1), still(0.1, 0.3, 1)};
  LeafOptions options;
  options.tolerance = 1e-25;
  const LeafResult r = triangle_ccd(*GetParam(), floor, spike, options);
  EXPECT_NE(r.verdict, Verdict::Free);
  EXPECT_EQ(r.t_lo, 0.0);
}

/// Curved motion through its chord: on an interval of length h a corner that turns with radius rho at w deviates at
/// most rho w^2 h^2 / 8 from its chord, so apart at separation 2 e means apart. Compared with dense sampling of the
/// true motion.
TEST_P(TriangleCcd, DecidesRotationsThroughTheirChords) {
  LeafDraws draws(31415);
  std::srand(7);
  int free_parts = 0, contacts = 0;
  for (int i = 0; i < testing::scaled(120); ++i) {
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
      const LeafResult r = triangle_ccd(*GetParam(), a, b, options);
      free_parts += r.verdict == Verdict::Free;
      contacts += r.verdict == Verdict::Contact;
      const double until = r.verdict == Verdict::Free ? 1.0 : r.t_lo * (1 - 1e-9);
      for (int s = 0; s < 40 && until > 0; ++s) {
        const double t = t0 + (t1 - t0) * until * s / 40;
        const Triangle now{turned(p.a[0].start, t), turned(p.a[1].start, t), turned(p.a[2].start, t)};
        ASSERT_GT(triangle_distance(now, {b[0].start, b[1].start, b[2].start}).upper, e) << i << ' ' << k;
      }
    }
  }
  EXPECT_GT(free_parts, testing::scaled(120));
  EXPECT_GT(contacts, testing::scaled(120));
}

/// P1: the time proved by the directions of a pair is free. P2: they often prove all or most of the possible time.
TEST(PairDirections, ProveOnlyWhatIsApart) {
  LeafDraws draws(1618);
  int all = 0, some = 0;
  const int count = std::max(200, testing::scaled(4000));
  for (int i = 0; i < count; ++i) {
    const Pair p = random_pair(draws, i % 2 ? Family::UnitCube : Family::SmallMoves);
    const double separation = i % 3 ? 0.0 : 0.05, from = i % 4 == 3 ? 0.4 : 0.0;
    const leaf::TrianglePairMotion pair = leaf::from_time_on(leaf::pair_motion(p.a, p.b), from);
    const auto likely = leaf::likely_directions(pair, 0.5);
    const auto other = leaf::other_directions(pair, 0.5);
    const double share =
        std::max(leaf::proved_share(pair, likely, separation), leaf::proved_share(pair, other, separation));
    if (share < 0) continue;
    const double until = leaf::time_at(pair, share);
    all += until == 1, some += until < 1;
    for (int k = 0; k <= 20; ++k) {
      const double t = from + (until - from) * k / 20;
      ASSERT_GT(triangle_distance(at(p.a, t), at(p.b, t)).upper, separation) << i << ' ' << t;
    }
  }
  EXPECT_GT(all, count / 10);
  EXPECT_GT(some, count / 20);
}

/// Swapping A and B, or permuting their corners, keeps the verdict, and the time up to the tolerance.
TEST(PairDirections, DoNotDependOnTheOrder) {
  LeafDraws draws(141);
  int contacts = 0;
  for (int i = 0; i < testing::scaled(2000); ++i) {
    const Pair p = random_pair(draws, i % 2 ? Family::UnitCube : Family::SmallMoves);
    const LeafResult r = triangle_ccd(*inclusion_kernel(), p.a, p.b, {});
    const TriangleMotion turned{p.a[1], p.a[2], p.a[0]};
    const LeafResult s = triangle_ccd(*inclusion_kernel(), p.b, turned, {});
    ASSERT_EQ(r.verdict, s.verdict) << i;
    if (r.verdict != Verdict::Contact) continue;
    ++contacts;
    EXPECT_NEAR(r.t_hi, s.t_hi, 1e-4) << i;
  }
  EXPECT_GT(contacts, testing::scaled(2000) / 10);
}

}  // namespace
}  // namespace planner_ccd::test
