// The bound that certified cells rest on, with walls put where it is attained: the whole range of joint values is one cell, and the
// builder may look at that one only.
#include <gtest/gtest.h>

#include <cmath>

#include "planner_ccd/moving_pairs/pair_cells.hpp"
#include "planner_ccd/scene/collision_world.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using testing::ball;
using testing::ChainSpec;
using testing::wall;

constexpr double kRadius = 1e-3;

bool one_cell_proved(const ChainSpec& chain, double margin = 0.0) {
  const RobotModel robot(chain.spec);
  const CollisionWorld world(robot, Scene(), CollisionMatrix(), margin);
  EXPECT_EQ(world.problem().pairs.size(), 1u);
  return PairCells::build(world.problem(), 0, 1).always_free();
}

/// Tries walls across `normal` at so many metres from the ball's surface: none nearer than `truth` may be proved, one a little
/// beyond `bound` must be.
template <typename Chain>
void expect_bound(const Chain& chain_with_wall, double truth, double bound) {
  EXPECT_LT(truth, bound);
  for (const double share : {0.3, 0.6, 0.8, 0.95, 0.999})
    EXPECT_FALSE(one_cell_proved(chain_with_wall(share * truth))) << share;
  EXPECT_TRUE(one_cell_proved(chain_with_wall(1.002 * bound))) << "tight";
}

/// All the way at first order.
TEST(CellsBound, IsAttainedByASlide) {
  const auto slide = [](double gap) {
    return ChainSpec()
        .slide(Vector3d::UnitX(), 0.5)
        .with(ball(kRadius))
        .base(wall({gap + kRadius, 0.0, 0.0}, Vector3d::UnitX()));
  };
  expect_bound(slide, 0.5, 0.5 + 1e-8);
}

/// Joints about one axis add up: an arm of 1 m falls back by 1 - cos(sum), for which second order allows sum^2 / 2.
TEST(CellsBound, IsAttainedByJointsAboutOneAxis) {
  for (const std::vector<double>& ranges :
       {std::vector{0.3}, std::vector{0.2, 0.2}, std::vector{0.3, 0.1}, std::vector{0.1, 0.1, 0.1}}) {
    double sum = 0.0;
    for (const double r : ranges) sum += r;
    const auto arm = [&](double gap) {
      ChainSpec chain;
      for (const double r : ranges) chain.turn(Vector3d::UnitZ(), r);
      // The wall stands between the axis and the ball, which comes back towards it.
      return chain.with(ball(kRadius, {1.0, 0.0, 0.0})).base(wall({1.0 - kRadius - gap, 0.0, 0.0}, Vector3d::UnitX()));
    };
    expect_bound(arm, 1.0 - std::cos(sum), 0.5 * sum * sum * 1.001);
  }
}

/// A slide on a turntable carries the ball along y by slide * sin(turn), all of it at second order.
TEST(CellsBound, IsAttainedByASlideThatIsTurned) {
  const double turn = 0.2, slide = 0.5;
  const auto table = [&](double gap) {
    return ChainSpec()
        .turn(Vector3d::UnitZ(), turn)
        .slide(Vector3d::UnitX(), slide)
        .with(ball(kRadius))
        .base(wall({0.0, gap + kRadius, 0.0}, Vector3d::UnitY()));
  };
  expect_bound(table, slide * std::sin(turn), slide * turn * 1.001);
}

/// The rim of a cylinder that tips rises by its radius times the angle, and falls back by the square of it.
TEST(CellsBound, IsAttainedByTheRimOfACylinder) {
  const double radius = 0.5, turn = 0.1;
  const auto tip = [&](double gap) {
    const Geometry cylinder{Cylinder{radius, 0.2}, testing::shift({0.0, 0.0, -0.1}), "cylinder"};
    return ChainSpec().turn(Vector3d::UnitY(), turn).with(cylinder).base(wall({0.0, 0.0, gap}, Vector3d::UnitZ()));
  };
  expect_bound(tip, radius * std::sin(turn), radius * (turn + 0.5 * turn * turn) * 1.01);
}

TEST(CellsBound, KeepsTheMargin) {
  const auto slide = [](double gap) {
    return ChainSpec()
        .slide(Vector3d::UnitX(), 0.5)
        .with(ball(kRadius))
        .base(wall({gap + kRadius, 0.0, 0.0}, Vector3d::UnitX()));
  };
  EXPECT_FALSE(one_cell_proved(slide(0.5 + 0.0999), 0.1));
  EXPECT_TRUE(one_cell_proved(slide(0.5 + 0.1001), 0.1)) << "tight";
}

/// The part of an edge within a free cell, and not a hair more, is passed over.
TEST(CellsBound, UnknownPartsBeginWhereTheFreeCellEnds) {
  // A wall stands at 0.6: the ball is free on either side of it.
  const RobotModel robot(ChainSpec()
                             .slide(Vector3d::UnitX(), 1.0)
                             .with(ball(kRadius))
                             .base(wall({0.6 + kRadius, 0.0, 0.0}, Vector3d::UnitX()))
                             .spec);
  const CollisionWorld world(robot, Scene(), CollisionMatrix(), 0.0);
  const PairCells cells = PairCells::build(world.problem(), 0, 200);
  EdgeMotion motion(robot);
  for (const auto& [from, to] :
       {std::pair(-0.9, 0.9), std::pair(0.9, -0.9), std::pair(-3.0, 3.0), std::pair(0.59, 0.61)}) {
    motion.set_linear(Eigen::VectorXd::Constant(1, from), Eigen::VectorXd::Constant(1, to), AnglePolicy::Literal);
    std::vector<std::pair<double, double>> unknown, unknown_curve;
    cells.unknown(motion, unknown);
    Polynomial curve;  // with a start and a stop
    curve.degree = 3;
    curve.c = {from, 0.0, 3.0 * (to - from), -2.0 * (to - from)};
    motion.set_moves(std::vector<Polynomial>{curve});
    cells.unknown(motion, unknown_curve);
    for (int i = 0; i <= 1000; ++i) {
      const double t = i / 1000.0, value = from + (to - from) * t * t * (3.0 - 2.0 * t);
      bool open = false;
      for (const auto& [t0, t1] : unknown_curve) open = open || (t0 <= t && t <= t1);
      EXPECT_TRUE(open || (std::abs(value - 0.6 - kRadius) > kRadius && std::abs(value) <= 1.0)) << value << ", curve";
    }
    for (int i = 0; i <= 1000; ++i) {
      const double t = i / 1000.0, value = from + (to - from) * t;
      bool open = false;
      for (const auto& [t0, t1] : unknown) open = open || (t0 <= t && t <= t1);
      EXPECT_TRUE(open || std::abs(value - 0.6 - kRadius) > kRadius) << value;
      EXPECT_TRUE(open || std::abs(value) <= 1.0) << value << " is beyond the range";
      if (value > -1.0 && value < 0.5) {
        EXPECT_FALSE(open) << value << ": tight";
      }
    }
  }
}

}  // namespace
}  // namespace planner_ccd
