#include <gtest/gtest.h>

#include "planner_ccd/papers/van_waveren/plucker_leaf.hpp"
#include "support/scale.hpp"
#include "triangle_ccd/linear_motion.hpp"

namespace planner_ccd {
namespace {

using namespace test;  // NOLINT: draws and checks

/// Contacts and exactness on translations; for other motion the kernel may answer Undecided, but must prove nothing
/// wrong.
void campaign(double min_separation, unsigned seed) {
  std::mt19937_64 rng(seed);
  Tally vf;
  Tally ee;
  Tally others;
  const int count = testing::scaled(16'000);
  for (int i = 0; i < count; ++i) {
    const Draw draw = static_cast<Draw>(i % static_cast<int>(Draw::Count));
    const auto c = corners(rng, draw);
    const double size = draw == Draw::Huge ? 1e5 : 1.0;
    LeafOptions options;
    options.min_separation = min_separation * size;
    options.tolerance = 1e-6 * size;
    options.t_max = i % 3 == 0 ? 0.7 : 1.0;
    const VertexFaceMotion face{c[0], {c[1], c[2], c[3]}};
    const EdgeEdgeMotion edges{{c[0], c[2]}, {c[1], c[3]}};
    Tally& t = draw == Draw::FaceTranslation || draw == Draw::Static ? vf : others;
    Tally& u = draw == Draw::Translation || draw == Draw::Static ? ee : others;
    ASSERT_NO_FATAL_FAILURE(check(face, PluckerKernel().decide(face, options), options, size, t)) << "draw " << i;
    ASSERT_NO_FATAL_FAILURE(check(edges, PluckerKernel().decide(edges, options), options, size, u)) << "draw " << i;
  }
  const auto print = [](const char* name, const Tally& t) {
    std::printf("%s: %d apart, %d contact, %d undecided\n", name, t.apart, t.contact, t.undecided);
  };
  print("vertex-face translations", vf);
  print("edge-edge translations", ee);
  print("other motion", others);
  EXPECT_GT(vf.contact, 0);
  EXPECT_GT(ee.contact, 0);
  EXPECT_EQ(vf.undecided + ee.undecided, 0);
  EXPECT_GT(others.apart, count / 10);
}

TEST(PluckerLeaf, ProvedPrefixIsFreeAndContactsAreReal) { campaign(0.0, 301); }
TEST(PluckerLeaf, ProvedPrefixKeepsTheSeparation) { campaign(0.05, 302); }

TEST(PluckerLeaf, PlantedContactsAreNeverMissed) {
  std::mt19937_64 rng(303);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  LeafOptions options;
  options.min_separation = 1e-12;
  const int count = testing::scaled(100'000);
  for (int i = 0; i < count; ++i) {
    auto c = corners(rng, i % 2 == 0 ? Draw::FaceTranslation : static_cast<Draw>(i % static_cast<int>(Draw::Huge)));
    const double t = unit(rng);
    const double u = i % 5 == 0 ? 0.0 : unit(rng);
    const double v = i % 7 == 0 ? 0.0 : unit(rng) * (1 - u);
    const auto x = [&](int k) -> Vector3d { return (1 - t) * c[k].start + t * c[k].end; };
    const auto move_to = [&](const Vector3d& target) {
      const Vector3d shift = target - x(0);
      c[0] = {c[0].start + shift, c[0].end + shift};
    };
    move_to((1 - u - v) * x(1) + u * x(2) + v * x(3));
    const LeafResult r = PluckerKernel().decide({c[0], {c[1], c[2], c[3]}}, options);
    ASSERT_NE(r.verdict, Verdict::Free) << "seed 303 draw " << i;
    ASSERT_LE(r.t_lo, t + 1e-11);
    if (i % 2 == 0) {
      ASSERT_EQ(r.verdict, Verdict::Contact) << "seed 303 draw " << i;
    }
    const double w = 0.9 * v;
    move_to(((1 - u) * x(1) + u * x(3) - w * x(2)) / (1 - w));
    const LeafResult s = PluckerKernel().decide({{c[0], c[2]}, {c[1], c[3]}}, options);
    ASSERT_NE(s.verdict, Verdict::Free) << "seed 303 draw " << i;
    ASSERT_LE(s.t_lo, t + 1e-11);
  }
}

}  // namespace
}  // namespace planner_ccd
