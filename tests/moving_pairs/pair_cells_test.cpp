#include "planner_ccd/moving_pairs/pair_cells.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <numbers>

#include "planner_ccd/scene/collision_world.hpp"
#include "support/oracle.hpp"
#include "support/scenarios.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;

const unsigned kSeed = testing::seeded(1234);

/// A difficult value for cells: anywhere, beyond the limits, on a limit, or exactly where a box is repeatedly halved.
double hard_value(Draw& draw, const Coordinate& c) {
  const bool limited = std::isfinite(c.lower) && std::isfinite(c.upper);
  const double lower = limited ? c.lower : -std::numbers::pi, upper = limited ? c.upper : std::numbers::pi;
  switch (draw.integer(0, 4)) {
    case 0: return draw.uniform(lower - 1.0, upper + 1.0);
    case 1: return draw.integer(0, 1) == 0 ? lower : upper;
    case 2:
    case 3: {
      const int cuts = 1 << draw.integer(1, 6);
      return lower + (upper - lower) * draw.integer(0, cuts) / cuts +
             (limited ? 0.0 : 2.0 * upper * draw.integer(-2, 2));
    }
    default: return limited ? draw.uniform(lower, upper) : draw.uniform(-20.0, 20.0);
  }
}

/// Errors of the joints' values, some of them 0; those of floating joints are not about their coordinates.
JointVector draw_errors(Draw& draw, const RobotModel& robot) {
  JointVector errors = JointVector::Zero(robot.dof());
  const double size = std::exp(draw.uniform(std::log(1e-3), std::log(0.5)));
  for (int i = 0; i < errors.size(); ++i) {
    if (draw.integer(0, 3) > 0) errors[i] = draw.uniform(0.0, size);
  }
  for (const Joint& joint : robot.joints()) {
    if (joint.type == JointType::Floating && joint.q_index >= 0) errors.segment<7>(joint.q_index).setZero();
  }
  return errors;
}

struct Shares {
  long segments = 0, pairs = 0, samples_free = 0, samples_unknown = 0, near = 0, touching = 0, touch = 0;
  long free_in_tubes = 0, near_in_tubes = 0;
  double free_share = 0.0;
};

void try_segments(Draw& draw, const testing::Scenario& s, int segments, Shares& shares) {
  const CollisionWorld world(*s.robot, s.scene, s.matrix, {s.options.margin, s.options.self_margin});
  const truth::Oracle oracle(s.spec, s.scene, s.matrix, s.options.margin, s.options.self_margin);
  EdgeMotion motion(*s.robot);
  for (int p = 0; p < static_cast<int>(world.problem().pairs.size()); ++p) {
    if (world.problem().chains[world.problem().pairs[p].chain].body_b == 0) continue;
    const PairCells cells = PairCells::build(world.problem(), p, 2000);
    if (cells.empty()) continue;
    const std::string a = world.colliders()[world.collider_a(p)].name, b = world.colliders()[world.collider_b(p)].name;
    const int truth_pair = oracle.find_pair(a, b);
    ASSERT_GE(truth_pair, 0);
    ++shares.pairs;
    shares.free_share += cells.free_share();
    EXPECT_TRUE(cells.free_share() >= 0.0 && cells.free_share() <= 1.0) << cells.free_share();
    for (int k = 0; k < segments; ++k) {
      Eigen::VectorXd q0(s.robot->dof()), q1(s.robot->dof());
      for (int i = 0; i < q0.size(); ++i) {
        q0[i] = hard_value(draw, s.robot->coordinates()[i]);
        q1[i] = draw.integer(0, 3) == 0 ? q0[i] : hard_value(draw, s.robot->coordinates()[i]);
      }
      motion.set_linear(q0, q1, AnglePolicy::Literal);
      const bool in_tube = k % 2 == 1;
      MotionErrors errors;
      if (in_tube) errors.tracking = draw_errors(draw, *s.robot);
      motion.set_errors(errors);
      PairCells::Intervals unknown, touching;
      cells.unknown(motion, unknown, &touching);
      ++shares.segments;
      double before = -1.0;
      for (const auto& [t0, t1] : unknown) {
        EXPECT_TRUE(0.0 <= t0 && t0 <= t1 && t1 <= 1.0 && t0 > before) << t0 << " " << t1;
        before = t1;
      }
      const truth::Edge edge{q0, q1};
      const auto try_time = [&](double t) {
        bool open = false;
        for (const auto& [t0, t1] : unknown) open = open || (t0 <= t && t <= t1);
        if (open) {
          ++shares.samples_unknown;
          return;
        }
        ++shares.samples_free;
        truth::Edge there = edge;
        for (int i = 0; in_tube && i < q0.size(); ++i) {
          const double e = errors.tracking[i] * (draw.integer(0, 1) ? draw.integer(0, 1) * 2 - 1 : draw.uniform(-1, 1));
          there.q0[i] += e, there.q1[i] += e;
        }
        const truth::Real margin = oracle.pairs()[truth_pair].margin;
        const truth::Real d = oracle.distance(there, truth_pair, t, margin + 0.03L) - margin;
        shares.near += d < 0.02;
        shares.free_in_tubes += in_tube;
        shares.near_in_tubes += in_tube && d < 0.02;
        EXPECT_GT(static_cast<double>(d), 0.0) << a << " and " << b << " at " << t << " of a free cell";
        EXPECT_FALSE(oracle.nested_at(there, truth_pair, t)) << a << " and " << b << " nested at " << t;
      };
      for (const auto& [t0, t1] : touching) {
        if (in_tube) continue;
        ++shares.touching;
        shares.touch += oracle.distance(edge, truth_pair, 0.5 * (t0 + t1), 0.01L) <= oracle.pairs()[truth_pair].margin;
      }
      for (int i = 0; i <= 16; ++i) try_time(i / 16.0);
      for (const auto& [t0, t1] : unknown) {  // just outside the unknown parts
        try_time(std::max(0.0, std::nextafter(t0, -1.0)));
        try_time(std::min(1.0, std::nextafter(t1, 2.0)));
      }
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(PairCells, WhatTheyProveIsFreeAndTheRestIsUnknown) {
  Draw draw(kSeed);
  Shares shares;
  for (int i = 0; i < testing::scaled(25, 5) && !HasFailure(); ++i) {
    testing::RandomScenario what;
    what.links = draw.integer(2, 5);
    what.objects = 0;
    what.size = 0.25;
    what.all_joint_types = draw.integer(0, 3) == 0;
    what.margin = draw.integer(0, 1) == 0 ? 0.0 : 0.01;
    testing::Scenario s = testing::random_scenario(draw, what);
    s.matrix = CollisionMatrix();  // include neighbours, with one joint between them
    try_segments(draw, s, 20, shares);
  }
  std::printf(
      "  %ld pairs, %.0f %% of their ranges proved free; %ld segments, %ld samples free (%ld within 2 cm), %ld "
      "unknown\n",
      shares.pairs, 100.0 * shares.free_share / static_cast<double>(shares.pairs), shares.segments, shares.samples_free,
      shares.near, shares.samples_unknown);
  std::printf("  %ld of %ld parts where a contact was likely have one\n", shares.touch, shares.touching);
  std::printf("  %ld of the free samples in tubes, %ld within 2 cm\n", shares.free_in_tubes, shares.near_in_tubes);
  EXPECT_GT(2 * shares.touch, shares.touching);
  EXPECT_GT(4 * shares.free_in_tubes, shares.samples_free);
  const auto all = static_cast<double>(shares.samples_free + shares.samples_unknown);
  EXPECT_GT(static_cast<double>(shares.samples_free), 0.3 * all);
  EXPECT_GT(static_cast<double>(shares.samples_unknown), 0.3 * all);
  if (shares.segments >= 1000) {
    EXPECT_GT(shares.near, 100);
    EXPECT_GT(shares.near_in_tubes, 30);
  }
}

TEST(PairCells, OfRealArmsAreMostlyFree) {
  Draw draw(kSeed + 1);
  for (const char* name : {"puma", "arm7"}) {
    Shares shares;
    const testing::Scenario s = testing::own_scenario(name, name, "");
    try_segments(draw, s, 10, shares);
    std::printf("  %s: %ld pairs with cells, %.0f %% free\n", name, shares.pairs,
                100.0 * shares.free_share / static_cast<double>(shares.pairs));
    EXPECT_GT(shares.pairs, 0);
  }
}

}  // namespace
}  // namespace planner_ccd
