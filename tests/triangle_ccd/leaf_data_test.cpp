#include <gtest/gtest.h>

#include <cstdio>

#include "support/shared_data.hpp"
#include "triangle_ccd/leaf_campaign.hpp"
#include "triangle_ccd/leaf_data.hpp"

namespace planner_ccd::test {
namespace {

/// Every recorded query with every kernel: nothing missed, nothing false beyond the tolerance, correct contact times.
TEST(LeafData, EveryRecordedQueryIsAnsweredRight) {
  const auto folder = ccd_query_folder();
  if (!folder) GTEST_SKIP() << testing::kNoSharedData;
  const LeafOptions options;
  int total = 0, hits = 0, rounded = 0;
  for (const RecordedSet& set : read_recorded_sets(*folder)) {
    for (const auto& kernel : kernels()) {
      const std::string name(kernel->name());
      Tally tally;
      for (const RecordedQuery& q : set.queries) {
        const Truth truth = set.edges ? true_contact(edge_edge(q.points)) : true_contact(vertex_face(q.points));
        if (q.exact) {
          ASSERT_EQ(truth.hit, q.hit) << set.name;
          if (q.toi) {
            ASSERT_NEAR(*q.toi, 0.5 * (truth.toi_lo + truth.toi_hi), 1e-12) << set.name;
          }
        }
        tally_query(*kernel, q.points, set.edges, truth, options, tally);
        if (name != "inclusion") continue;
        ++total, hits += q.hit, rounded += !q.exact;
      }
      EXPECT_EQ(tally.missed, 0) << set.name << ' ' << name;
      EXPECT_EQ(tally.beyond, 0) << set.name << ' ' << name;
      EXPECT_EQ(tally.late, 0) << set.name << ' ' << name;
      std::printf("%-60s %-10s %5ld queries %5ld hits %4ld false within tolerance %4ld undecided\n", set.name.c_str(),
                  name.c_str(), tally.queries, tally.hits, tally.false_alarms, tally.undecided);
    }
  }
  std::printf("%d queries, %d hits, %d with a coordinate that is no double\n", total, hits, rounded);
  EXPECT_GT(hits, 0);
  EXPECT_LT(hits, total);
}

}  // namespace
}  // namespace planner_ccd::test
