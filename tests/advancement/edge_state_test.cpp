// What is remembered from edge to edge is memory, not bounds; and bounds that overflow prove nothing.
#include "planner_ccd/advancement/edge_state.hpp"

#include <gtest/gtest.h>

#include "planner_ccd/io/collision_rules.hpp"
#include "planner_ccd/scene/collision_world.hpp"
#include "support/random_curves.hpp"
#include "support/scenarios.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

TEST(EdgeState, BoundsOverAPartAreThoseOfTheCurrentEdge) {
  testing::Draw draw(991);
  int compared = 0, different = 0;
  for (int i = 0; i < 10; ++i) {
    testing::RandomScenario what;
    what.links = draw.integer(1, 4);
    what.objects = 2;
    what.all_joint_types = false;
    const testing::Scenario s = testing::random_scenario(draw, what);
    if (s.robot->dof() == 0) continue;
    const CollisionWorld world(*s.robot, s.scene, s.matrix, 0.0);
    EdgeState kept(world.problem());
    EdgeMotion motion(*s.robot), again(*s.robot);
    double before = 0.0;
    for (int e = 0; e < 4; ++e) {
      testing::EdgeDraw edges(*s.robot, std::exp(draw.uniform(-2.0, 1.5)));
      const Eigen::VectorXd q0 = edges.configuration(draw), q1 = edges.beyond(draw, q0);
      const TrajectorySegment segment = testing::random_curve(draw, *s.robot, q0, q1).segment;
      motion.set_segment(segment);
      again.set_segment(segment);
      EdgeState fresh(world.problem());
      ASSERT_TRUE(kept.start(motion));
      ASSERT_TRUE(fresh.start(again));
      for (int chain = 0; chain < static_cast<int>(world.problem().chains.size()); ++chain) {
        for (const auto& [t0, t1] :
             {std::pair(0.0, 0.2), std::pair(0.3, 0.45), std::pair(0.6, 1.0), std::pair(0.0, 1.0)}) {
          const PairMotion &a = kept.pair_motion(chain, t0, t1), &b = fresh.pair_motion(chain, t0, t1);
          ASSERT_EQ(a.speed_bound(), b.speed_bound()) << i << " " << e;
          ASSERT_EQ(a.acceleration_bound(), b.acceleration_bound());
          ASSERT_EQ(a.jerk_bound(), b.jerk_bound());
          ++compared;
          different += b.speed_bound() != before ? 1 : 0;
          before = b.speed_bound();
        }
      }
    }
  }
  EXPECT_GT(compared, 200);
  EXPECT_GT(different, compared / 4);
}

/// Rates whose square or cube is no number any more, and turns about whose rounding nothing is known.
TEST(EdgeState, DoesNotStartWhereBoundsOverflow) {
  const RobotModel robot(testing::ChainSpec().turn(Eigen::Vector3d::UnitZ()).with(testing::ball(0.1)).spec);
  const SceneObject object{"ball", {testing::ball(0.1)}, testing::shift({3.0, 0.0, 0.0})};
  Scene scene;
  scene.objects = {object};
  const CollisionWorld world(robot, scene, build_collision_matrix(robot), 0.0);
  EdgeState edge(world.problem());
  EdgeMotion motion(robot);
  const auto starts = [&](double angle) {
    motion.set_linear(Eigen::VectorXd::Constant(1, 0.0), Eigen::VectorXd::Constant(1, angle), AnglePolicy::Literal);
    return edge.start(motion);
  };
  EXPECT_TRUE(starts(1.0));
  EXPECT_TRUE(starts(1e6));
  for (const double angle : {1e105, 1e110, 1e160, 1e300, -1e200, 1.7e308}) EXPECT_FALSE(starts(angle)) << angle;
  EXPECT_TRUE(starts(1.0));
}

/// The farthest point of a ball on an arm is as fast as its distance says, on a line and over a part of a curve.
TEST(EdgeState, BoundsHoldForTheWholeReach) {
  const RobotModel robot(
      testing::ChainSpec().turn(Eigen::Vector3d::UnitZ()).with(testing::ball(0.1, {2.0, 0.0, 0.0})).spec);
  Scene scene;
  scene.objects = {SceneObject{"ball", {testing::ball(0.1)}, testing::shift({3.0, 0.0, 0.0})}};
  const CollisionWorld world(robot, scene, build_collision_matrix(robot), 0.0);
  EdgeState edge(world.problem());
  EdgeMotion motion(robot);
  motion.set_linear(Eigen::VectorXd::Constant(1, 0.0), Eigen::VectorXd::Constant(1, 0.5), AnglePolicy::Literal);
  ASSERT_TRUE(edge.start(motion));
  EXPECT_GE(edge.pair_motion(0).speed_bound(), 0.5 * 2.0);
  EXPECT_LE(edge.pair_motion(0).speed_bound(), 0.5 * 2.1 * 1.001) << "tight";
  TrajectorySegment segment;
  Polynomial square;
  square.degree = 2;
  square.c[2] = 1.0;
  segment.value = {square};
  segment.error = {0.0};
  motion.set_segment(segment);
  ASSERT_TRUE(edge.start(motion));
  EXPECT_GE(edge.pair_motion(0, 0.5, 1.0).speed_bound(), 2.0 * 2.0);
  EXPECT_LE(edge.pair_motion(0, 0.5, 1.0).speed_bound(), 2.0 * 2.1 * 1.001) << "tight";
}

}  // namespace
}  // namespace planner_ccd
