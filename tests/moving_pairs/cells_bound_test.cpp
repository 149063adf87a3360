// The bound behind certified cells, with walls placed where it is attained: the whole range of joint values is one
// cell, and the builder may evaluate only that one.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

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

/// Tries walls across `normal` at different distances [m] from the ball's surface: none nearer than `truth` may be
/// proved, one slightly beyond `bound` must be.
template <typename Chain>
void expect_bound(const Chain& chain_with_wall, double truth, double bound) {
  EXPECT_LT(truth, bound);
  for (const double share : {0.3, 0.6, 0.8, 0.95, 0.999})
    EXPECT_FALSE(one_cell_proved(chain_with_wall(share * truth))) << share;
  EXPECT_TRUE(one_cell_proved(chain_with_wall(1.002 * bound))) << "tight";
}

/// The whole way at first order.
TEST(CellsBound, IsAttainedByASlide) {
  const auto slide = [](double gap) {
    return ChainSpec()
        .slide(Vector3d::UnitX(), 0.5)
        .with(ball(kRadius))
        .base(wall({gap + kRadius, 0.0, 0.0}, Vector3d::UnitX()));
  };
  expect_bound(slide, 0.5, 0.5 + 1e-8);
}

/// Joints about one axis add up: the end of an arm of 1 m falls back by 1 - cos(sum), for which second order allows
/// sum^2 / 2.
TEST(CellsBound, IsAttainedByJointsAboutOneAxis) {
  for (const std::vector<double>& ranges :
       {std::vector{0.3}, std::vector{0.2, 0.2}, std::vector{0.3, 0.1}, std::vector{0.1, 0.1, 0.1}}) {
    double sum = 0.0;
    for (const double r : ranges) sum += r;
    const auto arm = [&](double gap) {
      ChainSpec chain;
      for (const double r : ranges) chain.turn(Vector3d::UnitZ(), r);
      // The wall is between the axis and the ball, which moves back towards it.
      return chain.with(ball(kRadius, {1.0, 0.0, 0.0})).base(wall({1.0 - kRadius - gap, 0.0, 0.0}, Vector3d::UnitX()));
    };
    expect_bound(arm, 1.0 - std::cos(sum), 0.5 * sum * sum * 1.001);
  }
}

/// A slide on a turntable moves the ball along y by slide * sin(turn), all of it at second order.
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

/// The rim of a tipping cylinder rises by its radius times the angle, and falls back by the square of it.
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

bool is_open(const PairCells::Intervals& unknown, double t) {
  bool open = false;
  for (const auto& [t0, t1] : unknown) open = open || (t0 <= t && t <= t1);
  return open;
}

/// Exactly the part of an edge within a free cell is skipped; in a tube the part in which all of it is within free cells.
TEST(CellsBound, UnknownPartsBeginWhereTheFreeCellEnds) {
  // A wall at 0.6: the ball is free on either side of it.
  const RobotModel robot(ChainSpec()
                             .slide(Vector3d::UnitX(), 1.0)
                             .with(ball(kRadius))
                             .base(wall({0.6 + kRadius, 0.0, 0.0}, Vector3d::UnitX()))
                             .spec);
  const CollisionWorld world(robot, Scene(), CollisionMatrix(), 0.0);
  const PairCells cells = PairCells::build(world.problem(), 0, 200);
  EdgeMotion motion(robot);
  for (const double error : {0.0, 1e-7, 0.03, 0.3, 2.0}) {
    MotionErrors errors;
    errors.tracking = JointVector::Constant(1, error);
    motion.set_errors(errors);
    for (const auto& [from, to] : {std::pair(-0.9, 0.9), std::pair(0.9, -0.9), std::pair(-3.0, 3.0),
                                   std::pair(0.59, 0.61), std::pair(0.4, 0.4), std::pair(0.55, 0.55)}) {
      motion.set_linear(Eigen::VectorXd::Constant(1, from), Eigen::VectorXd::Constant(1, to), AnglePolicy::Literal);
      PairCells::Intervals unknown, unknown_curve;
      cells.unknown(motion, unknown);
      Polynomial curve;  // with a start and a stop
      curve.degree = 3;
      curve.c = {from, 0.0, 3.0 * (to - from), -2.0 * (to - from)};
      motion.set_moves(std::vector<Polynomial>{curve});
      cells.unknown(motion, unknown_curve);
      for (int i = 0; i <= 1000; ++i) {
        const double t = i / 1000.0, straight = from + (to - from) * t,
                     late = from + (to - from) * t * t * (3.0 - 2.0 * t);
        for (const double value : {straight, late}) {
          const bool open = is_open(value == straight ? unknown : unknown_curve, t);
          EXPECT_TRUE(open || std::abs(value - 0.6 - kRadius) > kRadius + error) << value << ", error " << error;
          EXPECT_TRUE(open || std::abs(value) + error <= 1.0 + 1e-12)
              << value << " is beyond the range, error " << error;
        }
        if (straight - error > -1.0 && straight + error < 0.5) {
          EXPECT_FALSE(is_open(unknown, t)) << straight << ": tight, error " << error;
        }
      }
    }
  }
}

/// A turn without limits meets a ball once in each turn, wherever the box of its values begins and ends; in a tube on both
/// sides of that.
TEST(CellsBound, TubesGoOnBeyondTheEndOfATurn) {
  constexpr double kBall = 0.05;
  for (const double met : {0.0, 2.0, 3.12, -3.14}) {
    const RobotModel robot(ChainSpec()
                               .turn(Vector3d::UnitZ(), 3.2)
                               .with(ball(kBall, {1.0, 0.0, 0.0}))
                               .base(ball(kBall, {std::cos(met), std::sin(met), 0.0}))
                               .spec);
    const CollisionWorld world(robot, Scene(), CollisionMatrix(), 0.0);
    const PairCells cells = PairCells::build(world.problem(), 0, 5000);
    ASSERT_TRUE(cells.axes()[0].periodic);
    EdgeMotion motion(robot);
    const double meets = 2.0 * std::asin(kBall);
    for (const double error : {0.0, 0.04, 1.0, 3.0, 4.0}) {
      MotionErrors errors;
      errors.tracking = JointVector::Constant(1, error);
      motion.set_errors(errors);
      long proved = 0;
      for (const auto& [from, to] :
           {std::pair(3.0, 3.3), std::pair(-3.0, -3.3), std::pair(-11.0, 9.0), std::pair(9.0, -2.0),
            std::pair(3.141, 3.141), std::pair(std::numbers::pi, -std::numbers::pi)}) {
        motion.set_linear(Eigen::VectorXd::Constant(1, from), Eigen::VectorXd::Constant(1, to), AnglePolicy::Literal);
        PairCells::Intervals unknown;
        cells.unknown(motion, unknown);
        double before = -1.0;
        for (const auto& [t0, t1] : unknown) {
          EXPECT_TRUE(before < t0 && t0 <= t1 && t1 <= 1.0) << t0 << " " << t1;
          before = t1;
        }
        for (int i = 0; i <= 2000; ++i) {
          const double t = i / 2000.0, value = from + (to - from) * t;
          const double off = std::abs(std::remainder(value - met, 2.0 * std::numbers::pi));
          const bool open = is_open(unknown, t);
          EXPECT_TRUE(open || off > meets + error) << value << ", error " << error << ", met at " << met;
          EXPECT_FALSE(open && off > meets + error + 0.01) << value << ": tight, error " << error << ", met at " << met;
          proved += !open;
        }
      }
      EXPECT_EQ(proved > 0, error < std::numbers::pi - meets);
    }
  }
}

/// A rod leans away from the wall, so that its far end has more room than its pivot and moves farther: it may use up that room once.
TEST(CellsBound, IsAttainedByTheFarEndOfARod) {
  constexpr double kLean = 0.3, kRange = 0.5;
  const Vector3d end(-kLean, 1.0, 0.0);
  Geometry rod{Capsule{kRadius, end.norm()}, Eigen::Isometry3d::Identity(), "rod"};
  rod.pose.translation() = 0.5 * end;
  rod.pose.linear() = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), end).toRotationMatrix();
  const auto leaning = [&](double gap) {
    return ChainSpec()
        .turn(Vector3d::UnitZ(), kRange)
        .with(rod)
        .base(wall({gap + kRadius, 0.0, 0.0}, Vector3d::UnitX()));
  };
  const double truth = end.norm() * std::sin(kRange - std::atan(kLean));
  expect_bound(leaning, truth, kRange + 0.5 * kRange * kRange * end.norm() - kLean);
}

}  // namespace
}  // namespace planner_ccd
