#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <limits>

#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/triangle_ccd/detail/front.hpp"
#include "planner_ccd/triangle_ccd/detail/pair_two_by_two.hpp"
#include "support/scale.hpp"
#include "triangle_ccd/leaf_campaign.hpp"

namespace planner_ccd::test {
namespace {

bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

template <class Numbers>
bool same(const Numbers& a, const Numbers& b) {
  bool equal = true;
  for (int i = 0; i < 3; ++i) equal = equal && same(a[i], b[i]);
  return equal;
}

bool same(const LeafResult& a, const LeafResult& b) {
  return a.verdict == b.verdict && same(a.t_lo, b.t_lo) && same(a.t_hi, b.t_hi) && same(a.weights_a, b.weights_a) &&
         same(a.weights_b, b.weights_b) && a.feature_a == b.feature_a && a.feature_b == b.feature_b &&
         same(a.point_a, b.point_a) && same(a.point_b, b.point_b) && same(a.normal, b.normal) &&
         same(a.tolerance_reached, b.tolerance_reached) && a.iterations == b.iterations;
}

template <class Motion>
Motion motion(const FourPoints& p) {
  if constexpr (std::is_same_v<Motion, EdgeEdgeMotion>)
    return edge_edge(p);
  else
    return vertex_face(p);
}

/// Every family, and coordinates that overflow, underflow or are NaN, in blocks of uneven size.
template <class Motion>
std::vector<Motion> draw(LeafDraws& draws, std::size_t count) {
  constexpr bool kEdges = std::is_same_v<Motion, EdgeEdgeMotion>;
  const double odd[] = {0.0,
                        1e-310,
                        1e100,
                        1e103,
                        1e160,
                        1e300,
                        std::numeric_limits<double>::infinity(),
                        std::numeric_limits<double>::quiet_NaN()};
  std::vector<Motion> out;
  for (std::size_t i = 0; i < count; ++i) {
    FourPoints p = draws.draw(all_families()[i % all_families().size()], kEdges);
    const double factor = odd[i % 8];
    if (i % 23 == 0) p[i % 4].start[i % 3] *= factor;
    if (i % 29 == 0) {
      for (MovingPoint& x : p) x.start *= factor, x.end *= factor;
    }
    out.push_back(motion<Motion>(p));
  }
  return out;
}

LeafOptions options_of(int round) {
  LeafOptions options;
  if (round % 2 == 1) options.min_separation = round % 4 == 1 ? 1e-3 : 0.1;
  if (round % 3 == 2) options.t_max = 0.6;
  return options;
}

template <class Motion>
long compare(const LeafKernel& kernel, int count, std::uint64_t seed) {
  LeafDraws draws(seed);
  long contacts = 0, done = 0;
  for (int round = 0; done < count; ++round) {
    const std::vector<Motion> motions = draw<Motion>(draws, 1 + (round * 97) % 600);
    const LeafOptions options = options_of(round);
    const std::vector<LeafHit> hits = kernel.decide_all(std::span<const Motion>(motions), options);
    auto hit = hits.begin();
    for (std::size_t i = 0; i < motions.size(); ++i, ++done) {
      const LeafResult expected = kernel.decide(motions[i], options);
      contacts += expected.verdict == Verdict::Contact;
      const bool listed = hit != hits.end() && hit->index == i;
      EXPECT_EQ(listed, expected.verdict != Verdict::Free) << round << ' ' << i;
      if (!listed) continue;
      EXPECT_TRUE(same(expected, hit->result)) << round << ' ' << i << " verdict " << static_cast<int>(expected.verdict)
                                               << " batch " << static_cast<int>(hit->result.verdict);
      ++hit;
    }
    EXPECT_TRUE(hit == hits.end());
  }
  return contacts;
}

class EveryInstructionSet : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { leaf::use_instruction_set(GetParam()); }
  void TearDown() override { leaf::use_instruction_set(""); }
};

INSTANTIATE_TEST_SUITE_P(All, EveryInstructionSet, ::testing::ValuesIn(leaf::instruction_sets()),
                         [](const ::testing::TestParamInfo<std::string>& set) { return set.param; });

/// P1: a batch gives the same as its queries alone, bit for bit. P2: it includes contacts.
TEST_P(EveryInstructionSet, GivesInABatchWhatItGivesAlone) {
  for (const std::string& name : leaf_kernel_names()) {
    if (name != "inclusion" && name != "cubic") continue;
    const LeafKernel& kernel = *leaf_kernel_named(name);
    const int count = testing::scaled(20000);
    EXPECT_GT(compare<VertexFaceMotion>(kernel, count, 12), count / 20);
    EXPECT_GT(compare<EdgeEdgeMotion>(kernel, count, 13), count / 20);
  }
}

TEST(LeafBatch, TakesKernelsWithoutLanesToo) {
  for (const std::string& name : leaf_kernel_names()) {
    if (name == "inclusion" || name == "cubic") continue;
    const LeafKernel& kernel = *leaf_kernel_named(name);
    compare<VertexFaceMotion>(kernel, testing::scaled(2000), 14);
    compare<EdgeEdgeMotion>(kernel, testing::scaled(2000), 15);
  }
  EXPECT_TRUE(inclusion_kernel()->decide_all(std::span<const VertexFaceMotion>(), {}).empty());
}

/// The front alone: lanes and scalar code give the same answers.
TEST_P(EveryInstructionSet, DismissesTheSame) {
  LeafDraws draws(16);
  std::size_t dismissed = 0, by_direction = 0, all = 0;
  for (int round = 0; round < testing::scaled(200); ++round) {
    const auto motions = draw<EdgeEdgeMotion>(draws, leaf::kFrontBlock - round % 7);
    const LeafOptions options = options_of(round);
    std::array<leaf::FrontAnswer, leaf::kFrontBlock> lanes{}, alone{};
    const std::span<const EdgeEdgeMotion> queries(motions);
    const std::size_t count = leaf::front_lanes(queries, options.min_separation, options.t_max, lanes);
    ASSERT_EQ(count, leaf::front_one_by_one(queries, options.min_separation, options.t_max, alone));
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_TRUE(lanes[i].index == alone[i].index && lanes[i].apart == alone[i].apart &&
                  same(lanes[i].until, alone[i].until))
          << round << " " << lanes[i].index << " " << lanes[i].apart << alone[i].apart << " " << lanes[i].until << " "
          << alone[i].until;
      by_direction += lanes[i].apart;
    }
    dismissed += queries.size() - count;
    all += queries.size();
  }
  EXPECT_GT(dismissed, all / 5);
  EXPECT_GT(by_direction, all / 50);
}

/// The directions of whole triangles: the same shares from lanes as two by two. P2: some prove everything, some a part,
/// some nothing.
TEST_P(EveryInstructionSet, ProvesTheSameOfPairs) {
  LeafDraws draws(17);
  int all = 0, some = 0, none = 0;
  const int count = std::max(200, testing::scaled(5000));
  for (int i = 0; i < count; ++i) {
    const Family family = all_families()[i % all_families().size()];
    FourPoints p = draws.draw(family, true);
    const FourPoints q = draws.draw(family, true);
    const double factors[] = {1.0, 1.0, 1.0, 1e-45, 1e-120, 1e60, 1e160};
    for (MovingPoint& x : p) x.start *= factors[i % 7], x.end *= factors[i % 7];
    leaf::TrianglePairMotion pair = leaf::pair_motion({p[0], p[1], q[0]}, {p[2], p[3], q[3]});
    if (i % 3 == 1) pair = leaf::from_time_on(pair, 0.3);
    const double separation = i % 2 ? 0.0 : 1e-3, t = 0.5 * (i % 3);
    const auto likely = leaf::likely_directions(pair, t);
    const auto other = leaf::other_directions(pair, t);
    for (const std::span<const leaf::Vector3x2> n : {std::span<const leaf::Vector3x2>(likely), {other}}) {
      const double share = leaf::proved_share(pair, n, separation);
      EXPECT_TRUE(same(share, leaf::proved_share_two_by_two(pair, n, separation))) << i;
      all += share == 1, some += share > 0 && share < 1, none += share < 0;
    }
  }
  EXPECT_GT(all, count / 20);
  EXPECT_GT(some, count / 50);
  EXPECT_GT(none, count / 20);
}

}  // namespace
}  // namespace planner_ccd::test
