// solve_leaf() alone: it proves exactly up to the contact that a bound allows for, so no bound is too small or too
// large. Every case moves one primitive of link l2 (or l1) against one of the base by a motion in closed form.
#include "planner_ccd/advancement/leaf_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "planner_ccd/scene/collision_world.hpp"
#include "support/mechanism.hpp"
#include "support/oracle_body.hpp"
#include "support/random_robot.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using testing::ball;
using testing::ChainSpec;
using testing::Draw;
using testing::wall;

constexpr double kRadius = 1e-3;

Polynomial polynomial(std::vector<double> c) {
  Polynomial p;
  p.degree = static_cast<int>(c.size()) - 1;
  std::copy(c.begin(), c.end(), p.c.begin());
  return p;
}

/// The result of solve_leaf() for the only primitives of the last link and of the base.
LeafStep solve(const ChainSpec& chain, const std::vector<Polynomial>& values, double t0, double t1, double margin = 0.0,
               double error = 0.0) {
  const RobotModel robot(chain.spec);
  const CollisionWorld world(robot, Scene(), CollisionMatrix(), margin);
  EXPECT_EQ(world.problem().pairs.size(), 1u);
  EdgeMotion motion(robot);
  motion.set_segment({0.0, 1.0, values, std::vector<double>(values.size(), error)});
  EdgeState edge(world.problem());
  EXPECT_TRUE(edge.start(motion));
  return solve_leaf(edge, world.problem().pairs[0], 0, 0, t0, t1, {1e-7, 1000});
}

/// Two joints turn about one axis, which excludes the exact test of a single joint. A point a metre out deviates from
/// its chord by 1 - cos(angle / 2), for which (3) allows angle^2 / 8.
TEST(LeafSolver, AllowsForTheBulgeOfAnArc) {
  const double half = 0.1, sagitta = 1.0 - std::cos(half), allowed = half * half / 2.0;
  const auto arc = [&](double beyond_the_chord) {
    ChainSpec chain;
    chain.turn(Vector3d::UnitZ()).turn(Vector3d::UnitZ()).with(ball(kRadius, Vector3d::UnitX()));
    chain.base(wall({std::cos(half) + kRadius + beyond_the_chord, 0.0, 0.0}, Vector3d::UnitX()));
    const Polynomial value = polynomial({-half / 2.0, half});
    return solve(chain, {value, value}, 0.0, 1.0);
  };
  for (const double share : {0.3, 0.6, 0.9, 0.999}) {
    const double reached = 0.5 - std::acos(std::cos(half) + share * sagitta) / (2.0 * half);
    EXPECT_LE(arc(share * sagitta).t_free, reached) << share;
  }
  EXPECT_GE(arc(1.01 * allowed).t_free, 1.0) << "tight";
}

/// One joint moves linearly, one by j t^3 / 6: the path deviates by 2 / (3 sqrt 3) j / 6 from its chord; (3) with the
/// jerk over all of the interval allows j / 8, over half of it less than that.
TEST(LeafSolver, AllowsForAnAccelerationThatGrows) {
  const double jerk = 0.3, hangs = jerk / (9.0 * std::sqrt(3.0)), slope = jerk / 6.0;
  const auto curve = [&](double below_the_chord) {
    const Vector3d along = Vector3d(1.0, slope, 0.0).normalized(), below(along.y(), -along.x(), 0.0);
    ChainSpec chain;
    chain.slide(Vector3d::UnitX()).slide(Vector3d::UnitY()).with(ball(kRadius));
    chain.base(wall((below_the_chord + kRadius) * below, below));
    return solve(chain, {polynomial({0.0, 1.0}), polynomial({0.0, 0.0, 0.0, slope})}, 0.0, 1.0);
  };
  const double depth = hangs / std::sqrt(1.0 + slope * slope);
  for (const double share : {0.5, 0.9, 0.98, 0.999})
    EXPECT_LE(curve(share * depth).t_free, 1.0 / std::sqrt(3.0)) << share;
  EXPECT_GE(curve(1.01 * jerk / 8.0).t_free, 1.0) << "tight";
}

/// Straight past a ball: contact begins where the distance equals both radii plus the margin.
TEST(LeafSolver, KeepsBothRadiiAndTheMargin) {
  for (const double of_a : {0.1, 0.3}) {
    for (const double margin : {0.0, 0.05}) {
      const double keep = of_a + 0.2 + margin;
      const auto pass = [&](double distance) {
        ChainSpec chain;
        chain.slide(Vector3d::UnitX()).with(ball(of_a)).base(ball(0.2, {0.0, distance, 0.0}));
        return solve(chain, {polynomial({-1.0, 2.0})}, 0.0, 1.0, margin);
      };
      for (const double share : {0.7, 0.99, 0.9999}) {
        const double reached = 0.5 - 0.5 * keep * std::sqrt(1.0 - share * share);
        EXPECT_LE(pass(share * keep).t_free, reached) << share;
        EXPECT_GE(pass(share * keep).t_free, reached - 1e-4) << "tight";
      }
      EXPECT_GE(pass(1.0001 * keep).t_free, 1.0) << "tight";
    }
  }
}

/// A single joint on a curve: its angle at t1 is not its rate at t0 times the time.
TEST(LeafSolver, ACurveOfOneJointIsNoConstantRate) {
  for (const JointType type : {JointType::Revolute, JointType::Prismatic}) {
    ChainSpec chain;
    chain.joint(type, type == JointType::Revolute ? Vector3d::UnitZ() : Vector3d::UnitY(), -10.0, 10.0);
    chain.with(ball(kRadius, Vector3d::UnitX()));
    const double met = 0.2;  // at t = 0.5; at the rate of t = 0.25 the way until then is 0.0625 + 0.125
    chain.base(type == JointType::Revolute
                   ? wall({std::cos(met + kRadius), std::sin(met + kRadius), 0.0}, {-std::sin(met), std::cos(met), 0.0})
                   : wall({0.0, met + kRadius, 0.0}, Vector3d::UnitY()));
    const LeafStep step = solve(chain, {polynomial({0.0, 0.0, 0.8})}, 0.25, 0.51);
    EXPECT_LE(step.t_free, 0.5 + 1e-3);
    EXPECT_LE(solve(chain, {polynomial({0.0, 0.0, 0.8})}, 0.45, 0.51).t_free, 0.5 + 1e-3);
  }
}

/// The intended curve may differ from the polynomial by the segment's error: a point 2 m out by twice that.
TEST(LeafSolver, AllowsForTheErrorOfTheCurve) {
  const double error = 1e-3;
  const auto past = [&](double distance, int joints) {
    ChainSpec chain;
    for (int i = 0; i < joints; ++i) chain.slide(Vector3d::UnitX());
    chain.turn(Vector3d::UnitZ()).with(ball(kRadius, {0.0, 2.0, 0.0}));
    // A wall just beyond the end of the turn.
    const double end = 0.2;
    chain.base(wall({-2.0 * std::sin(end) - kRadius - distance, 2.0 * std::cos(end), 0.0}, Vector3d::UnitX(), 0.3));
    std::vector<Polynomial> values(joints, polynomial({0.0, 1e-9}));
    values.push_back(polynomial({0.0, end}));
    return solve(chain, values, 0.0, 1.0, 0.0, joints > 0 ? error / 2.0 : error);
  };
  for (const int joints : {0, 1}) {
    EXPECT_LT(past(0.9 * error, joints).t_free, 1.0) << "the curve that is meant meets the wall";
    EXPECT_GE(past(30.0 * error, joints).t_free, 1.0) << "tight";
  }
}

/// A single joint between two links that stand far from the base, turned: its axis counts as the second link sees it.
TEST(LeafSolver, SeesTheAxisFromTheSecondBody) {
  const double met = 0.2;
  for (const double turned : {0.0, 0.7, -2.0}) {
    ChainSpec chain;
    chain.turn(Vector3d::UnitZ(), 10.0, {3.0, -2.0, 0.0});
    chain.with(
        wall({0.5 + std::cos(met + kRadius), std::sin(met + kRadius), 0.0}, {-std::sin(met), std::cos(met), 0.0}, 0.3));
    chain.turn(Vector3d::UnitZ(), 10.0, {0.5, 0.0, 0.0}).with(ball(kRadius, Vector3d::UnitX()));
    const LeafStep step = solve(chain, {polynomial({turned}), polynomial({0.0, 0.4})}, 0.0, 1.0);
    EXPECT_LE(step.t_free, 0.5) << turned;
    EXPECT_GE(step.t_free, 0.5 - 1e-3) << "tight, " << turned;
  }
}

/// Random chains of one to three joints and random triangles near each other: never proved beyond what samples show.
TEST(LeafSolver, IsNeverViolated) {
  const unsigned seed = testing::seeded(911);
  std::printf("seed %u\n", seed);
  Draw draw(seed);
  int free = 0, partial = 0, contacts = 0;
  const int draws = testing::scaled(1500, 1500);
  for (int i = 0; i < draws; ++i) {
    ChainSpec chain;
    std::vector<Polynomial> values;
    for (int k = draw.integer(1, 3); k > 0; --k) {
      chain.joint(draw.integer(0, 2) == 0 ? JointType::Prismatic : JointType::Revolute, draw.axis(), -9.0, 9.0,
                  draw.vector(0.3));
      std::vector<double> c{draw.uniform(-1.0, 1.0), draw.uniform(-1.0, 1.0)};
      if (draw.integer(0, 2) == 0) c.insert(c.end(), {draw.uniform(-1.0, 1.0), draw.uniform(-1.0, 1.0)});
      values.push_back(polynomial(c));
    }
    const auto triangle = [&](const Vector3d& near) {
      auto mesh = std::make_shared<TriangleMesh>();
      for (int k = 0; k < 3; ++k) mesh->vertices.push_back(near + draw.vector(0.2));
      mesh->triangles.emplace_back(0, 1, 2);
      return Geometry{MeshPtr(mesh), Eigen::Isometry3d::Identity(), "triangle"};
    };
    const double t0 = draw.uniform(0.0, 0.9), t1 = std::min(1.0, t0 + draw.uniform(0.01, 0.3));
    const Geometry on_a = triangle(draw.vector(0.3));
    const std::string last = chain.spec.links.back().name;
    const truth::Mechanism mechanism(chain.spec);
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(values.size()));
    const truth::Edge edge{none, none, AnglePolicy::Literal, [&](int coordinate, truth::Real t) {
                             const Polynomial& p = values[static_cast<std::size_t>(coordinate)];
                             truth::Real value = 0;
                             for (int k = p.degree; k >= 0; --k) value = value * t + p.c[static_cast<std::size_t>(k)];
                             return value;
                           }};
    const auto pose = [&](truth::Real t) { return mechanism.relative(mechanism.find_link(last), -1, edge, t); };
    const std::vector<Vector3d>& va = std::get<MeshPtr>(on_a.shape)->vertices;
    const truth::Mat4 middle = pose(0.5 * (t0 + t1));
    const Geometry on_b = triangle(truth::to_eigen(middle * truth::from(va[0])) + draw.vector(0.1));
    const std::vector<Vector3d>& vb = std::get<MeshPtr>(on_b.shape)->vertices;
    chain.with(on_a).base(on_b);
    const double margin = draw.integer(0, 1) * 0.02;
    const LeafStep step = solve(chain, values, t0, t1, margin);
    const double until = std::min(step.t_free, t1);
    free += step.t_free >= t1;
    partial += step.t_free > t0 && step.t_free < t1;
    contacts += std::isfinite(step.t_contact);
    const auto distance = [&](double t) {
      const truth::Mat4 X = pose(t);
      truth::Vec a[3], b[3];
      for (int k = 0; k < 3; ++k) a[k] = X * truth::from(va[k]), b[k] = truth::from(vb[k]);
      return truth::triangle_distance(a, b);
    };
    for (int s = 0; s < 40; ++s) {
      const double t = t0 + (until - t0) * s / 40;
      if (!(t < until)) break;
      if (margin > 0.0) {
        ASSERT_GT(distance(t), margin) << i << " at " << t;
      } else {
        ASSERT_GT(distance(t), 0.0) << i << " at " << t;
      }
    }
    if (std::isfinite(step.t_contact)) {
      ASSERT_LE(distance(step.t_contact), margin + 1e-7) << i;
    }
  }
  std::printf("%d draws: %d free, %d partly, %d contacts\n", draws, free, partial, contacts);
  EXPECT_GT(free, draws / 10);
  EXPECT_GT(partial, draws / 15);
  EXPECT_GT(contacts, draws / 50);
}

}  // namespace
}  // namespace planner_ccd
