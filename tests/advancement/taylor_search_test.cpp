// What is kept from one evaluation to the next must not change what the next one proves.
#include "planner_ccd/advancement/taylor_search.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "planner_ccd/scene/collision_world.hpp"
#include "support/random_curves.hpp"
#include "support/scenarios.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;

TEST(TaylorSearch, PartsOfAnEdgeCostTheSameTogetherAsAlone) {
  const unsigned seed = testing::seeded(971);
  std::printf("seed %u\n", seed);
  Draw draw(seed);
  long free = 0, several = 0;
  for (int i = 0; i < testing::scaled(40, 40); ++i) {  // fewer draws have hardly a search of several steps
    testing::RandomScenario what;
    what.links = draw.integer(1, 4);
    what.objects = 3;
    what.material = testing::Material::Meshes;
    what.all_joint_types = false;
    const testing::Scenario s = testing::random_scenario(draw, what);
    if (s.robot->dof() == 0) continue;
    const CollisionWorld world(*s.robot, s.scene, s.matrix, 0.0);
    const int pairs = static_cast<int>(world.problem().pairs.size());
    EdgeMotion motion(*s.robot);
    EdgeState edge(world.problem());
    TaylorSearch search(world.problem());
    for (int e = 0; e < 4; ++e) {
      testing::EdgeDraw edges(*s.robot, std::exp(draw.uniform(-2.0, 1.5)));
      const Eigen::VectorXd q0 = edges.configuration(draw), q1 = edges.beyond(draw, q0);
      motion.set_segment(testing::random_curve(draw, *s.robot, q0, q1).segment);
      ASSERT_TRUE(edge.start(motion));
      // Both are sampled at the same instant first; bounds of one may serve the other only from wide to narrow.
      const Candidate narrow{0, 0.3125, 0.4375}, wide{0, 0.1875, 0.5625};
      for (const bool first : {false, true}) {
        for (int p = 0; p < pairs; ++p) {
          const auto cost_of = [&](std::vector<Candidate> asked) {
            for (Candidate& c : asked) c.pair = p;
            const SearchLimits limits{1e-3, 4000 * static_cast<std::int64_t>(asked.size())};
            const SearchResult r =
                first ? search.first_contact(edge, asked, limits) : search.any_contact(edge, asked, limits);
            return r.verdict == Verdict::Free ? r.counters.evaluations() : -1;
          };
          const std::int64_t of_narrow = cost_of({narrow}), of_wide = cost_of({wide});
          if (of_narrow < 0 || of_wide < 0) continue;
          ++free;
          several += of_narrow > 8 && of_wide > 8;
          for (const std::vector<Candidate>& asked : {std::vector{narrow, wide}, {wide, narrow}}) {
            ASSERT_EQ(cost_of(asked), of_narrow + of_wide)
                << "scenario " << i << ", edge " << e << ", pair " << p << (first ? ", in order of time" : "");
          }
        }
      }
    }
  }
  std::printf("%ld searches free, %ld of several steps each\n", free, several);
  EXPECT_GT(free, 50);
  EXPECT_GT(several, 3);
}

}  // namespace
}  // namespace planner_ccd
