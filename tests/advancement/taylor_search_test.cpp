// The search's certified entries, one by one: each must hold by the bounds of its own interval, independent of data
// kept from the evaluation before it.
#include "planner_ccd/advancement/taylor_search.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "planner_ccd/advancement/proof_replay.hpp"
#include "planner_ccd/scene/collision_world.hpp"
#include "support/random_curves.hpp"
#include "support/scenarios.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;

TEST(TaylorSearch, EveryEntryHoldsByTheBoundsOfItsOwnInterval) {
  const unsigned seed = testing::seeded(971);
  std::printf("seed %u\n", seed);
  Draw draw(seed);
  long entries = 0, of_nodes = 0, free = 0;
  for (int i = 0; i < testing::scaled(40, 10); ++i) {
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
      std::vector<ProofEntry> proof;
      for (const bool first : {false, true}) {
        for (int p = 0; p < pairs; ++p) {
          // The last two are sampled at the same instant; bounds of one serve the other only from wide to narrow.
          const Candidate whole{p, 0.0, 1.0}, narrow{p, 0.3125, 0.4375}, wide{p, 0.1875, 0.5625};
          for (const std::vector<Candidate>& asked : {std::vector{whole}, {narrow, wide}, {wide, narrow}}) {
            const SearchLimits limits{1e-3, 3000};
            const SearchResult r = first ? search.first_contact(edge, asked, limits, &proof)
                                         : search.any_contact(edge, asked, limits, &proof);
            free += r.verdict == Verdict::Free;
          }
        }
      }
      for (const ProofEntry& entry : proof) {
        if (!(entry.t0 < entry.t1)) continue;
        ++entries;
        of_nodes += !entry.primitives;
        ASSERT_TRUE(replay(entry, edge)) << "scenario " << i << ", edge " << e << ", pair " << entry.pair << ", from "
                                         << entry.m << " on [" << entry.t0 << ", " << entry.t1 << "]";
      }
    }
  }
  std::printf("%ld entries, %ld of nodes; %ld searches free\n", entries, of_nodes, free);
  EXPECT_GT(of_nodes, 1000);
  EXPECT_GT(entries - of_nodes, 100);
  EXPECT_GT(free, 50);
}

}  // namespace
}  // namespace planner_ccd
