// The least distance alone, against arms with distances in closed form: a point at radius rho that turns from one angle
// to another about z is nearest to a fixed point at the angle of its turn nearest to that point's own angle.
#include "planner_ccd/validation/least_distance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "planner_ccd/scene/collision_world.hpp"
#include "support/random_robot.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using testing::ball;
using testing::ChainSpec;
using testing::Draw;

struct Ball {
  Vector3d at;
  double radius;
};

/// A cluster of balls on an arm, and some around it.
struct Arm {
  std::vector<Ball> on_arm, around;
  ChainSpec chain;

  explicit Arm(Draw& draw) {
    for (int i = draw.integer(1, 12); i > 0; --i) {
      on_arm.push_back({Vector3d(1.0, 0.0, 0.0) + draw.vector(0.3), draw.uniform(0.01, 0.05)});
    }
    for (int i = draw.integer(1, 12); i > 0; --i) {
      const double away = draw.uniform(0.2, 2.5), angle = draw.uniform(-3.1, 3.1);
      around.push_back({{away * std::cos(angle), away * std::sin(angle), draw.uniform(-0.6, 0.6)}, 0.05});
    }
    chain.turn(Vector3d::UnitZ());
    for (const Ball& b : on_arm) chain.with(ball(b.radius, b.at));
    for (const Ball& b : around) chain.base(ball(b.radius, b.at));
  }

  /// Least distance of all balls while the arm turns from one angle to another.
  double truth(double from, double to) const {
    double least = 1e9;
    for (const Ball& a : on_arm) {
      for (const Ball& b : around) {
        const double rho = std::hypot(a.at.x(), a.at.y()), away = std::hypot(b.at.x(), b.at.y());
        const double offset = std::remainder(
            std::atan2(b.at.y(), b.at.x()) - std::atan2(a.at.y(), a.at.x()) - 0.5 * (from + to), 2.0 * M_PI);
        const double angle = std::max(0.0, std::abs(offset) - 0.5 * std::abs(to - from));
        const double flat = rho * rho + away * away - 2.0 * rho * away * std::cos(angle);
        const double height = b.at.z() - a.at.z();
        least = std::min(least, std::sqrt(flat + height * height) - a.radius - b.radius);
      }
    }
    return std::max(0.0, least);
  }
};

TEST(LeastDistance, IsBracketedByWhatIsFound) {
  const unsigned seed = testing::seeded(921);
  std::printf("seed %u\n", seed);
  Draw draw(seed);
  int settled = 0, positive = 0, stopped = 0;
  double used = 0.0;
  const int draws = testing::scaled(1500, 200);
  for (int i = 0; i < draws; ++i) {
    const Arm arm(draw);
    const RobotModel robot(arm.chain.spec);
    const CollisionWorld world(robot, Scene(), CollisionMatrix(), 0.0);
    ASSERT_EQ(world.problem().pairs.size(), 1u);
    EdgeMotion motion(robot);
    // From one angle to another, linearly or with a start and a stop: 3 t^2 - 2 t^3.
    const double from = draw.uniform(-2.0, 2.0), by = draw.uniform(-2.5, 2.5);
    const bool curve = draw.integer(0, 1) == 1;
    Polynomial value;
    value.degree = curve ? 3 : 1;
    value.c = curve ? decltype(value.c){from, 0.0, 3.0 * by, -2.0 * by} : decltype(value.c){from, by};
    motion.set_moves(std::vector<Polynomial>{value});
    EdgeState edge(world.problem());
    ASSERT_TRUE(edge.start(motion));
    const double t0 = draw.integer(0, 1) * draw.uniform(0.0, 0.5);
    const double t1 = draw.integer(0, 1) == 0 ? 1.0 : draw.uniform(t0 + 0.05, 1.0);
    const auto angle = [&](double t) { return from + by * (curve ? t * t * (3.0 - 2.0 * t) : t); };
    const double truth = arm.truth(angle(t0), angle(t1));

    const double accuracy = std::pow(10.0, draw.uniform(-5.0, -0.5));
    LeastDistanceSearch search(world.problem());
    const std::int64_t budget = draw.integer(0, 5) == 0 ? draw.integer(1, 10) : 100'000;
    const auto [best, done, counters] = search.refine(
        edge, {.pair = 0, .t0 = t0, .t1 = t1, .accuracy = accuracy, .max_evaluations = budget}, LeastDistance());
    ASSERT_LE(counters.evaluations(), budget) << i;
    ASSERT_GE(best.upper, truth - 1e-12) << i << ": nearer than anything is";
    if (std::isfinite(best.upper)) {  // and attained at its time
      ASSERT_TRUE(t0 <= best.t && best.t <= t1) << i;
      if (best.upper > 1e-6) {
        ASSERT_NEAR(best.upper, (best.point_a - best.point_b).norm(), 1e-9) << i;
      }
      ASSERT_GE(best.upper + 1e-9, arm.truth(angle(best.t), angle(best.t))) << i;
    }
    stopped += !done;
    if (!done) continue;
    ++settled;
    ASSERT_LE(best.upper, truth + accuracy + 1e-12) << i << ": something is nearer than upper - accuracy";
    positive += truth > 0.0;
    if (truth > accuracy) used = std::max(used, (best.upper - truth) / accuracy);
  }
  std::printf("%d searches: %d settled, %d of them apart, %d stopped; up to %.2f of the accuracy used\n", draws,
              settled, positive, stopped, used);
  EXPECT_GT(settled, draws / 2);
  EXPECT_GT(positive, draws / 4);
  EXPECT_GT(stopped, draws / 50);
  EXPECT_GT(used, 0.8) << "vacuous: nothing was left unsearched for being within the accuracy";
}

/// With a far smaller accuracy than usual, upper is the least distance; measured() at one time gives the distance then.
TEST(LeastDistance, IsAttained) {
  ChainSpec chain;
  chain.turn(Vector3d::UnitZ()).with(ball(0.1, Vector3d::UnitX())).base(ball(0.2, {2.0, 0.0, 0.0}));
  const RobotModel robot(chain.spec);
  const CollisionWorld world(robot, Scene(), CollisionMatrix(), 0.0);
  EdgeMotion motion(robot);
  motion.set_linear(Eigen::VectorXd::Constant(1, -0.3), Eigen::VectorXd::Constant(1, 1.1), AnglePolicy::Literal);
  EdgeState edge(world.problem());
  ASSERT_TRUE(edge.start(motion));
  LeastDistanceSearch search(world.problem());
  LeastDistance best = search.measured(edge, 0, {0, 0}, 1.0, LeastDistance());
  EXPECT_NEAR(best.upper, std::hypot(2.0 - std::cos(1.1), std::sin(1.1)) - 0.3, 1e-9);
  const LeastDistanceResult found =
      search.refine(edge, {.pair = 0, .t0 = 0.0, .t1 = 1.0, .accuracy = 1e-9, .max_evaluations = 100'000}, best);
  ASSERT_TRUE(found.is_proved);
  best = found.best;
  EXPECT_NEAR(best.upper, 0.7, 1e-8);
  EXPECT_NEAR(best.t, 0.3 / 1.4, 1e-4);
}

}  // namespace
}  // namespace planner_ccd
