#include <gtest/gtest.h>

#include <cstdio>

#include "support/scenarios.hpp"
#include "support/verdict_check.hpp"

/// Random edges, each claim of the checker compared with the oracle. For every scenario:
///   P1  no Free and no t_free is contradicted by any sample,
///   P2  every contact is real: within margin + tolerance at its witness,
///   P3  the draw is not vacuous: at least 30 % of the edges on either side.
/// PLANNER_CCD_TEST_SCALE makes it longer, PLANNER_CCD_TEST_SEED draws other edges.
namespace planner_ccd {
namespace {

using testing::Draw;
using testing::Judge;
using testing::Scenario;
using testing::Tally;

const unsigned kSeed = testing::seeded(41);
constexpr int kFewEdges = 16;     ///< For one of our robots: fewer may all end the same way.
constexpr int kFewScenarios = 3;  ///< Random ones, of a dozen edges each.

/// Edges from a mostly free start; lengths adapt so that about half of them hit.
void drive(Judge& judge, Draw& draw, int edges, double& length, const EdgeOptions& options, const std::string& label) {
  testing::EdgeDraw edge_draw(judge.checker().robot(), length);
  for (int i = 0; i < edges && !::testing::Test::HasFailure(); ++i) {
    Eigen::VectorXd q0 = edge_draw.configuration(draw);
    const int tries = draw.integer(0, 9) == 0 ? 0 : 60;
    for (int k = 0; k < tries && judge.checker().in_contact(q0, judge.workspace(), options); ++k) {
      q0 = edge_draw.configuration(draw);
    }
    Eigen::VectorXd q1 = edge_draw.beyond(draw, q0);
    const int seeks = draw.integer(0, 2) == 0 ? 10 : 0;  // ends in contact, in scenes with much free space
    for (int k = 0; k < seeks && !judge.checker().in_contact(q1, judge.workspace(), options); ++k) {
      q1 = edge_draw.beyond(draw, q0);
    }
    edge_draw.learn(judge.check(q0, q1, options, label + " edge " + std::to_string(i)).verdict);
  }
  length = edge_draw.length();
}

void expect_both_verdicts(const Tally& tally, const std::string& name) {
  tally.print(name);
  EXPECT_EQ(tally.contradictions, 0);
  EXPECT_EQ(tally.too_early, 0);
  EXPECT_EQ(tally.inconsistent, 0);
  EXPECT_EQ(tally.undecided, 0);
  const double share = tally.edges < 40 ? 0.1 : tally.edges < 100 ? 0.2 : 0.3;  // small draws vary
  EXPECT_GE(tally.free, share * static_cast<double>(tally.edges));
  EXPECT_GE(tally.contact, share * static_cast<double>(tally.edges));
}

void run_own(const Scenario& s, int edges, double length, const EdgeOptions& options = {}) {
  Draw draw(kSeed);
  Judge judge(s);
  drive(judge, draw, testing::scaled(edges, kFewEdges), length, options, s.name);
  expect_both_verdicts(judge.tally(), s.name);
}

void run_random(const std::string& name, const testing::RandomScenario& what, int scenarios, const EdgeOptions& options,
                unsigned seed) {
  Draw draw(seed);
  Tally tally;
  double length = 3.0;
  constexpr int kEdges = 12;
  for (int i = 0; i < testing::scaled(scenarios, kFewScenarios) && !::testing::Test::HasFailure(); ++i) {
    const Scenario s = testing::random_scenario(draw, what);
    Judge judge(s);
    if (judge.oracle().pairs().empty()) continue;
    drive(judge, draw, kEdges, length, options, name + " " + std::to_string(i));
    tally += judge.tally();
  }
  expect_both_verdicts(tally, name);
}

TEST(Campaign, PumaRoundTheCar) { run_own(testing::own_scenario("puma and car", "puma", "puma_car"), 40, 4.0); }

TEST(Campaign, MannequinAgainstItself) {
  Scenario s = testing::own_scenario("mannequin", "mannequin", "");
  s.options.cell_evaluations = 1000;
  run_own(s, 25, 2.0);
}

TEST(Campaign, HandAndBall) {
  Scenario s = testing::own_scenario("hand and ball", "hand", "ball");
  s.options.cell_evaluations = 1000;
  run_own(s, 25, 1.0);
}

TEST(Campaign, ArmInClutter) { run_own(testing::own_scenario("arm in clutter", "arm7", "arm_clutter"), 25, 1.5); }

TEST(Campaign, ArmInClutterWithMargin) {
  Scenario s = testing::own_scenario("arm, margin 1 cm", "arm7", "arm_clutter");
  s.options.margin = 0.01;
  s.options.self_margin = 0.004;
  EdgeOptions options;
  options.tolerance = 1e-3;
  run_own(s, 15, 1.0, options);
}

TEST(Campaign, SeveralRobots) {
  Scenario s = testing::several_robots();
  s.options.cell_evaluations = 500;
  run_own(s, 25, 4.0);
}

TEST(Campaign, RigidBodies) {
  for (const auto& [moving, fixed] :
       {std::pair{"hammer", "work_piece"}, {"duck_26k", "hammer"}, {"torus_knot", "gear"}}) {
    run_own(testing::rigid_bodies(moving, fixed), 16, 4.0);
  }
}

TEST(Campaign, TwoRigidBodiesThatBothMove) {
  Draw meshes(kSeed + 6);
  run_own(testing::two_rigid_bodies({testing::blob_mesh(meshes, 0.15)}, {testing::blob_mesh(meshes, 0.2)}), 40, 2.0);
  run_own(testing::two_rigid_bodies({testing::plate_mesh(0.3, 0.2, 0.001)}, {testing::needle_mesh(0.4, 0.0001)}), 40,
          2.0);
}

TEST(Campaign, ThinPlatesSheetsAndNeedles) {
  testing::RandomScenario what;
  what.material = testing::Material::Thin;
  run_random("thin things", what, 20, {}, kSeed);
}

TEST(Campaign, Primitives) {
  testing::RandomScenario what;
  what.material = testing::Material::Primitives;
  what.objects = 10;
  run_random("primitives", what, 10, {}, kSeed + 1);
}

TEST(Campaign, AllJointTypesWithMeshes) {
  testing::RandomScenario what;
  what.material = testing::Material::Meshes;
  what.size = 0.17;
  what.objects = 8;
  run_random("all joint types, meshes", what, 15, {}, kSeed + 2);
}

TEST(Campaign, LongChainsWrapped) {
  testing::RandomScenario what;
  what.links = 10;
  EdgeOptions options;
  options.angles = AnglePolicy::Wrap;
  options.tolerance = 1e-3;
  run_random("long chains, wrapped", what, 6, options, kSeed + 3);
}

TEST(Campaign, AttachedObjectsAndMargins) {
  testing::RandomScenario what;
  what.attached = true;
  what.margin = 0.02;
  EdgeOptions options;
  options.tolerance = 1e-3;
  run_random("attached, margins", what, 6, options, kSeed + 4);
}

TEST(Campaign, SmallTolerance) {
  testing::RandomScenario what;
  what.all_joint_types = false;
  EdgeOptions options;
  options.tolerance = 1e-7;
  run_random("tolerance 1e-7", what, 8, options, kSeed + 5);
}

}  // namespace
}  // namespace planner_ccd
