#include "planner_ccd/query/prepared_robot.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "planner_ccd/math/error.hpp"
#include "support/scenarios.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;

/// `prepared` answers like a checker built without preparation, including the evaluation counts: the proofs about the
/// robot are the same.
struct Tally {
  long edges = 0, free = 0, contact = 0, spared = 0;
};

void compare(const PathChecker& with, const PathChecker& without, const RobotModel& robot, Draw& draw, bool same_cells,
             Tally& tally) {
  Workspace w(with), v(without);
  testing::EdgeDraw edges(robot, 1.0);
  for (int i = 0; i < 25; ++i) {
    const Eigen::VectorXd q0 = edges.configuration(draw), q1 = edges.beyond(draw, q0);
    for (const bool first : {false, true}) {
      const EdgeResult a = first ? with.first_contact(q0, q1, w) : with.any_contact(q0, q1, w);
      const EdgeResult b = first ? without.first_contact(q0, q1, v) : without.any_contact(q0, q1, v);
      edges.learn(b.verdict);
      ++tally.edges;
      tally.free += a.verdict == Verdict::Free;
      tally.contact += a.verdict == Verdict::Contact;
      EXPECT_EQ(a.verdict, b.verdict) << "edge " << i;
      const auto evaluations = [](const EdgeResult& r) {
        return r.counters.node_evaluations + r.counters.primitive_evaluations;
      };
      tally.spared += evaluations(b) - evaluations(a);
      if (same_cells) {
        EXPECT_EQ(a.t_free, b.t_free);
        EXPECT_EQ(evaluations(a), evaluations(b));
      }
    }
  }
}

TEST(PreparedRobot, ServesManyScenesWithTheSameAnswers) {
  const unsigned seed = testing::seeded(1208);
  std::printf("  seed %u\n", seed);
  Draw draw(seed);
  Tally same, fewer;
  for (int i = 0; i < testing::scaled(8, 3) && !HasFailure(); ++i) {
    testing::RandomScenario what;
    what.all_joint_types = i % 2 == 0;
    what.cell_evaluations = 300;
    const testing::Scenario s = testing::random_scenario(draw, what);
    const PreparedRobot prepared(s.robot, s.matrix,
                                 {s.options.margin, s.options.cell_evaluations, s.options.self_margin});
    const PreparedRobot thorough(s.robot, s.matrix, {s.options.margin + 0.01, 3000, s.options.self_margin + 0.01});
    Scene scene = s.scene;
    for (int k = 0; k < 3; ++k) {
      if (k == 1) scene.objects.erase(scene.objects.back().name);
      if (k == 2) {
        // Held objects have no prepared proofs.
        scene.attach(scene.objects.back().name, s.robot->links().back().name, Eigen::Isometry3d::Identity(),
                     {s.robot->links().back().name});
      }
      const PathChecker fresh(s.robot, scene, s.matrix, s.options);
      compare(PathChecker(prepared, scene, s.options), fresh, *s.robot, draw, true, same);
      compare(PathChecker(thorough, scene, s.options), fresh, *s.robot, draw, false, fewer);
      CheckerOptions wider = s.options;  // prepared for a smaller margin: the checker proves its own cells
      wider.margin += 0.02;
      wider.self_margin += 0.02;
      compare(PathChecker(prepared, scene, wider), PathChecker(s.robot, scene, s.matrix, wider), *s.robot, draw, true,
              same);
    }
  }
  std::printf("  %ld edges, %ld free, %ld in contact; thorough preparation spared %ld evaluations\n", same.edges,
              same.free, same.contact, fewer.spared);
  EXPECT_GT(same.free, same.edges / 10);
  EXPECT_GT(same.contact, same.edges / 10);
  EXPECT_GT(fewer.spared, 0);
}

TEST(PreparedRobot, ServesTwoArmsInOneScene) {
  Draw draw(testing::seeded(1209));
  const testing::Scenario s = testing::several_robots();
  const PreparedRobot prepared(s.robot, s.matrix, {s.options.margin, 100, s.options.self_margin});
  CheckerOptions options = s.options;
  options.cell_evaluations = 100;
  Tally tally;
  compare(PathChecker(prepared, s.scene, options), PathChecker(s.robot, s.scene, s.matrix, options), *s.robot, draw,
          true, tally);
  EXPECT_GT(tally.free, 0);
  EXPECT_GT(tally.contact, 0);
}

TEST(PreparedRobot, SaysWhatIsWrongWithIt) {
  const testing::Scenario s = testing::own_scenario("puma", "puma", "");
  EXPECT_THROW(PreparedRobot(nullptr, s.matrix), InputError);
  EXPECT_THROW(PreparedRobot(s.robot, s.matrix, {-1.0, 10}), InputError);
  PreparedRobot prepared(s.robot, s.matrix, {0.0, 100});
  EXPECT_GT(prepared.cell_memory(), 0u);
  const PreparedRobot taken(std::move(prepared));
  EXPECT_THROW((void)prepared.margin(), InputError);  // NOLINT(bugprone-use-after-move): that is the point
  EXPECT_THROW(PathChecker(prepared, s.scene), InputError);
  EXPECT_EQ(&taken.robot(), s.robot.get());
}

}  // namespace
}  // namespace planner_ccd
