#include <gtest/gtest.h>

#include <limits>

#include "planner_ccd/papers/space_time_ccd/space_time.hpp"
#include "support/scale.hpp"
#include "triangle_ccd/linear_motion.hpp"

namespace planner_ccd {
namespace {

using namespace test;  // NOLINT: draws and checks

void campaign(double min_separation, unsigned seed) {
  std::mt19937_64 rng(seed);
  Tally vf;
  Tally ee;
  const int count = testing::scaled(10'000);
  for (int i = 0; i < count; ++i) {
    const Draw draw = static_cast<Draw>(i % static_cast<int>(Draw::Count));
    const auto c = corners(rng, draw);
    const double size = draw == Draw::Huge ? 1e5 : 1.0;
    LeafOptions options;
    options.min_separation = min_separation * size;
    options.tolerance = 1e-6 * size;
    options.t_max = i % 3 == 0 ? 0.7 : 1.0;
    const VertexFaceMotion face{c[0], {c[1], c[2], c[3]}};
    const LeafResult r = SpaceTimeKernel().decide(face, options);
    ASSERT_NO_FATAL_FAILURE(check(face, r, options, size, vf)) << "seed " << seed << " draw " << i;
    const EdgeEdgeMotion edges{{c[0], c[2]}, {c[1], c[3]}};
    const LeafResult s = SpaceTimeKernel().decide(edges, options);
    ASSERT_NO_FATAL_FAILURE(check(edges, s, options, size, ee)) << "seed " << seed << " draw " << i;
    if (s.verdict == Verdict::Contact) {
      ASSERT_LT((witness(s.weights_a, edges.a.data(), 2, s.t_hi) - s.point_a).norm(), 1e-12 * size);
      ASSERT_LT((witness(s.weights_b, edges.b.data(), 2, s.t_hi) - s.point_b).norm(), 1e-12 * size);
    }
  }
  std::printf("vf: %d apart, %d contact, %d undecided, %.1f parts each\n", vf.apart, vf.contact, vf.undecided,
              double(vf.iterations) / count);
  std::printf("ee: %d apart, %d contact, %d undecided, %.1f parts each\n", ee.apart, ee.contact, ee.undecided,
              double(ee.iterations) / count);
  EXPECT_GT(vf.contact, count / 10);
  EXPECT_GT(vf.apart, count * 3 / 10);
  EXPECT_GT(ee.contact, count / 10);
  EXPECT_GT(ee.apart, count * 3 / 10);
  EXPECT_EQ(vf.undecided + ee.undecided, 0);
}

TEST(SpaceTimeLeaf, ProvedPrefixIsFreeAndContactsAreReal) { campaign(0.0, 111); }
TEST(SpaceTimeLeaf, ProvedPrefixKeepsTheSeparation) { campaign(0.05, 112); }

/// Motions built around a contact at a known time; rounding moves it by far less than the separation of 1e-12.
TEST(SpaceTimeLeaf, PlantedContactsAreNeverMissed) {
  std::mt19937_64 rng(113);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  LeafOptions options;
  options.min_separation = 1e-12;
  const int count = testing::scaled(8'000);
  for (int i = 0; i < count; ++i) {
    auto c = corners(rng, static_cast<Draw>(i % static_cast<int>(Draw::Huge)));
    const double t = unit(rng);
    const double u = i % 5 == 0 ? 0.0 : unit(rng);  // also through edges and corners
    const double v = i % 7 == 0 ? 0.0 : unit(rng) * (1 - u);
    const auto x = [&](int k) -> Vector3d { return (1 - t) * c[k].start + t * c[k].end; };
    const auto move_to = [&](const Vector3d& target) {
      const Vector3d shift = target - x(0);
      c[0] = {c[0].start + shift, c[0].end + shift};
    };
    move_to((1 - u - v) * x(1) + u * x(2) + v * x(3));
    const LeafResult r = SpaceTimeKernel().decide({c[0], {c[1], c[2], c[3]}}, options);
    ASSERT_EQ(r.verdict, Verdict::Contact) << "seed 113 draw " << i;
    ASSERT_LE(r.t_lo, t + 1e-12);
    const double w = 0.9 * v;
    move_to(((1 - u) * x(1) + u * x(3) - w * x(2)) / (1 - w));
    const LeafResult s = SpaceTimeKernel().decide({{c[0], c[2]}, {c[1], c[3]}}, options);
    ASSERT_EQ(s.verdict, Verdict::Contact) << "seed 113 draw " << i;
    ASSERT_LE(s.t_lo, t + 1e-11);
  }
}

TEST(SpaceTimeLeaf, TranslationIsExactToTheLastBit) {
  // The vertex passes the edge x = 1 of the face at 1 + 2^-52: no tolerance, yet Free; at 1 it touches.
  LeafOptions options;
  VertexFaceMotion m{{{1.0 + 0x1p-52, 0.25, 1}, {1.0 + 0x1p-52, 0.25, -1}},
                     {MovingPoint{{0, 0, 0}, {0, 0, 0}}, {{1, 0, 0}, {1, 0, 0}}, {{1, 1, 0}, {1, 1, 0}}}};
  EXPECT_EQ(SpaceTimeKernel().decide(m, options).verdict, Verdict::Free);
  m.vertex.start[0] = m.vertex.end[0] = 1.0;
  const LeafResult touch = SpaceTimeKernel().decide(m, options);
  EXPECT_EQ(touch.verdict, Verdict::Contact);
  EXPECT_NEAR(touch.t_hi, 0.5, 1e-6);
  EXPECT_LE(touch.t_lo, 0.5);
}

TEST(SpaceTimeLeaf, BadNumbersAreUndecided) {
  VertexFaceMotion m{};
  m.vertex = {{5, 5, 5}, {5, 5, 5}};
  for (auto& c : m.face) c = {{0, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(SpaceTimeKernel().decide(m, {}).verdict, Verdict::Free);
  m.face[1].end[2] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(SpaceTimeKernel().decide(m, {}).verdict, Verdict::Undecided);
  m.face[1].end[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(SpaceTimeKernel().decide(m, {}).verdict, Verdict::Undecided);
}

}  // namespace
}  // namespace planner_ccd
