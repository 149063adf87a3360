// OMPL's contract of MotionValidator and StateValidityChecker, with every claim checked by the oracle.
#include <gtest/gtest.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>

#include <cstdio>

#include "adapters/ompl/ompl_support.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/validation/moving_frame.hpp"

namespace planner_ccd::testing {
namespace {

constexpr unsigned kSeed = 20266;

OmplCase random_case(Draw& draw) {
  for (;;) {
    RandomScenario what;
    what.links = draw.integer(2, 4);
    what.objects = 8;
    what.size = 0.3;
    what.material = Material::Meshes;
    what.cell_evaluations = 300;
    what.margin = draw.integer(0, 2) == 0 ? 0.01 : 0.0;
    Scenario s = random_scenario(draw, what);
    if (s.robot->dof() > 0) return OmplCase(std::move(s));
  }
}

struct Counts {
  int free = 0, contact = 0, at_start = 0, state_free = 0, states = 0;
};

/// Checks one motion from s1 to s2 against everything that OMPL's documentation states.
void try_motion(const OmplCase& c, const ob::State* s1, const ob::State* s2, Counts& counts) {
  const auto& validator = *c.si->getMotionValidator();
  const unsigned before[] = {validator.getValidMotionCount(), validator.getInvalidMotionCount()};
  ob::ScopedState<> last(c.space), untouched(c.space), expected(c.space);
  c.space->copyState(untouched.get(), s2);
  c.space->copyState(last.get(), s2);
  std::pair<ob::State*, double> last_valid(last.get(), -7.0);
  const bool free = c.si->checkMotion(s1, s2);
  ASSERT_EQ(c.si->checkMotion(s1, s2, last_valid), free);
  EXPECT_EQ(validator.getValidMotionCount() - before[0], free ? 2u : 0u);
  EXPECT_EQ(validator.getInvalidMotionCount() - before[1], free ? 0u : 2u);
  if (free) {
    ++counts.free;
    EXPECT_EQ(last_valid.second, -7.0);
    EXPECT_EQ(last_valid.first, last.get());
    EXPECT_TRUE(c.space->equalStates(last.get(), untouched.get()));
    EXPECT_FALSE(c.oracle_sees_contact(s1, s2));
    return;
  }
  ++counts.contact;
  const double t = last_valid.second;
  ASSERT_GE(t, 0.0);
  ASSERT_LT(t, 1.0);
  std::pair<ob::State*, double> without_state(nullptr, -7.0);
  EXPECT_FALSE(c.si->checkMotion(s1, s2, without_state));
  EXPECT_EQ(without_state.second, t);
  if (t == 0.0) {
    ++counts.at_start;
    EXPECT_TRUE(c.space->equalStates(last.get(), s1));
    return;
  }
  c.space->interpolate(s1, s2, t, expected.get());
  EXPECT_TRUE(c.space->equalStates(last.get(), expected.get()));
  EXPECT_TRUE(c.si->isValid(last.get()));
  EXPECT_TRUE(c.si->checkMotion(s1, last.get()));
  EXPECT_FALSE(c.oracle_sees_contact(s1, last.get()));
  // The state may alias s2.
  ob::ScopedState<> end(c.space);
  c.space->copyState(end.get(), s2);
  std::pair<ob::State*, double> in_place(end.get(), -7.0);
  EXPECT_FALSE(c.si->checkMotion(s1, end.get(), in_place));
  EXPECT_EQ(in_place.second, t);
  EXPECT_TRUE(c.space->equalStates(end.get(), expected.get()));
}

TEST(OmplMotionValidator, KeepsOmplsContractOnAllJointTypes) {
  std::printf("seed %u\n", kSeed);
  Draw draw(kSeed);
  Counts counts;
  for (int i = 0; i < scaled(12, 12); ++i) {
    const OmplCase c = random_case(draw);
    ob::ScopedState<> s1(c.space), s2(c.space), near(c.space);
    for (int k = 0; k < 12; ++k) {
      draw_state(draw, *c.scenario.robot, c.map, 1.0, s1.get());
      for (int tries = 0; tries < 30 && !c.si->isValid(s1.get()); ++tries) {
        draw_state(draw, *c.scenario.robot, c.map, 1.0, s1.get());
      }
      draw_state(draw, *c.scenario.robot, c.map, 1.0, s2.get());
      c.space->interpolate(s1.get(), s2.get(), draw.uniform(0.1, 1.0), near.get());
      try_motion(c, s1.get(), near.get(), counts);
    }
  }
  const int all = counts.free + counts.contact;
  std::printf("%d free, %d not, %d of them from the start\n", counts.free, counts.contact, counts.at_start);
  EXPECT_GT(counts.free, all * 3 / 20);
  EXPECT_GT(counts.contact - counts.at_start, all * 3 / 20);
}

TEST(OmplMotionValidator, LastValidStateIsCloseToTheContact) {
  const OmplCase c(own_scenario("puma and car", "puma", "puma_car"));
  Draw draw(kSeed);
  ob::ScopedState<> s1(c.space), s2(c.space);
  Workspace workspace(*c.checker);
  double worst = 0.0;
  int seen = 0;
  for (int i = 0; i < std::max(250, scaled(400)); ++i) {
    draw_state(draw, *c.scenario.robot, c.map, 1.5, s1.get());
    draw_state(draw, *c.scenario.robot, c.map, 1.5, s2.get());
    c.space->enforceBounds(s1.get());
    c.space->enforceBounds(s2.get());
    std::pair<ob::State*, double> last(nullptr, 0.0);
    if (!c.si->isValid(s1.get()) || c.si->checkMotion(s1.get(), s2.get(), last)) continue;
    JointVector q0, q1;
    ASSERT_TRUE(c.map.read_motion(s1.get(), s2.get(), q0, q1));
    const EdgeResult edge = c.checker->first_contact(q0, q1, workspace);
    ASSERT_LT(last.second, edge.t_free);
    worst = std::max(worst, edge.t_free - last.second);
    ++seen;
  }
  std::printf("%d motions into contact; %g of the motion given away at most\n", seen, worst);
  EXPECT_GT(seen, 20);
  EXPECT_LT(worst, 0.05);
}

TEST(OmplMotionValidator, EndBeyondTheBoundsIsNotValid) {
  const OmplCase c(own_scenario("puma alone", "puma", ""));
  const auto& bounds = c.space->as<ob::RealVectorStateSpace>()->getBounds();
  ob::ScopedState<> s1(c.space), s2(c.space), last(c.space);
  c.map.write(c.scenario.robot->neutral(), s1.get());
  c.map.write(c.scenario.robot->neutral(), s2.get());
  s2[0] = 2.0 * bounds.high[0];
  EXPECT_FALSE(c.si->isValid(s2.get()));
  EXPECT_FALSE(c.si->checkMotion(s1.get(), s2.get()));
  std::pair<ob::State*, double> last_valid(last.get(), -7.0);
  EXPECT_FALSE(c.si->checkMotion(s1.get(), s2.get(), last_valid));
  EXPECT_NEAR(last_valid.second, 0.5, 1e-3);
  EXPECT_TRUE(c.si->isValid(last.get()));
}

TEST(OmplStateValidityChecker, ValidStatesAreClearAndClearanceIsALowerBound) {
  Draw draw(kSeed + 1);
  Counts counts;
  for (int i = 0; i < std::max(4, scaled(8)); ++i) {
    const OmplCase c = random_case(draw);
    EXPECT_EQ(c.si->getStateValidityChecker()->getSpecs().clearanceComputationType,
              ob::StateValidityCheckerSpecs::BOUNDED_APPROXIMATE);
    ob::ScopedState<> state(c.space);
    for (int k = 0; k < 20; ++k) {
      draw_state(draw, *c.scenario.robot, c.map, 1.0, state.get());
      const double truth = c.truth_at(state.get());
      double distance = -1.0;
      const bool valid = c.si->getStateValidityChecker()->isValid(state.get(), distance);
      ++counts.states;
      counts.state_free += valid;
      if (valid) {
        EXPECT_GT(truth, 0.0);
      } else {
        EXPECT_LT(truth, 1.1e-4);
      }
      const double nearest = c.distance_at(state.get());
      EXPECT_LE(distance, nearest);
      if (nearest < 1e6) {
        EXPECT_GE(distance, nearest * (1.0 - 1e-9) - 1e-9);
      }
    }
  }
  EXPECT_GT(counts.state_free, counts.states / 4);
  EXPECT_LT(counts.state_free, counts.states * 3 / 4);
}

TEST(OmplStateValidityChecker, NumbersThatAreNotFiniteAreNotValid) {
  const OmplCase c(own_scenario("puma alone", "puma", ""));
  ob::ScopedState<> good(c.space), bad(c.space);
  c.map.write(c.scenario.robot->neutral(), good.get());
  c.map.write(c.scenario.robot->neutral(), bad.get());
  bad[2] = std::nan("");
  EXPECT_TRUE(c.si->isValid(good.get()));
  EXPECT_FALSE(c.si->isValid(bad.get()));
  EXPECT_FALSE(c.si->checkMotion(good.get(), bad.get()));
  std::pair<ob::State*, double> last(bad.get(), -7.0);
  EXPECT_FALSE(c.si->checkMotion(good.get(), bad.get(), last));
  EXPECT_EQ(last.second, 0.0);
  EXPECT_TRUE(c.space->equalStates(bad.get(), good.get()));
}

TEST(OmplValidators, CheckerThatIsMissingOrOfAnotherRobotIsRefused) {
  const OmplCase c(own_scenario("puma alone", "puma", ""));
  EXPECT_THROW(prove_motions(c.si, nullptr), InputError);
  const Scenario arm = own_scenario("arm", "arm7", "");
  const auto other = std::make_shared<const PathChecker>(arm.robot, arm.scene, arm.matrix);
  EXPECT_THROW(prove_motions(c.si, other), InputError);
  const auto prover = prove_motions(c.si, c.checker);
  EXPECT_THROW(prover->use(*other), InputError);
}

/// To a planner a conveyor stood still, with what it carries, wherever the states or the other joints' values had it.
TEST(OmplValidators, RobotWithJointsThatMoveByTheClockIsRefused) {
  const Scenario s = own_scenario("puma alone", "puma", "");
  const MovingFrame belt{.name = "belt", .type = JointType::Prismatic, .times = {0.0, 9.0}, .values = {0.0, 1.0}};
  const auto robot = std::make_shared<const RobotModel>(with_moving_frames(s.spec, {belt}));
  const auto checker = std::make_shared<const PathChecker>(robot, s.scene, s.matrix);
  const auto expect_refused = [&](const ob::StateSpacePtr& space, const OmplOptions& options) {
    try {
      prove_motions(std::make_shared<ob::SpaceInformation>(space), checker, options);
      ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("\"belt\" moves by the clock"), std::string::npos) << error.what();
    }
  };
  expect_refused(ompl_state_space(*robot), {});
  OmplSpaceOptions own;
  for (const Joint& joint : s.robot->joints()) {
    if (joint.q_size > 0) own.joints.push_back(joint.name);
  }
  OmplOptions held;
  held.map.elsewhere = robot->neutral();
  expect_refused(ompl_state_space(*robot, own), held);
}

TEST(OmplValidators, FollowTheWorld) {
  const OmplCase c(own_scenario("puma alone", "puma", ""));
  const auto prover = prove_motions(c.si, c.checker);
  ob::ScopedState<> state(c.space);
  c.map.write(c.scenario.robot->neutral(), state.get());
  const auto is_valid = [&] { return c.si->isValid(state.get()) && c.si->checkMotion(state.get(), state.get()); };
  EXPECT_TRUE(is_valid());
  Scene scene = c.scenario.scene;
  scene.objects.push_back({"everywhere", {{Sphere{3.0}, Eigen::Isometry3d::Identity(), "sphere"}}, Pose::Identity()});
  prover->use(prover->checker().with_scene(scene));
  EXPECT_FALSE(c.si->isValid(state.get()));
  EXPECT_FALSE(c.si->checkMotion(state.get(), state.get()));
  EXPECT_EQ(c.si->getStateValidityChecker()->clearance(state.get()), 0.0);
  Pose away = Pose::Identity();
  away.translation().x() = 20.0;
  scene.objects.move("everywhere", away);
  prover->use(prover->checker().with_scene(scene));
  EXPECT_TRUE(is_valid());
}

}  // namespace
}  // namespace planner_ccd::testing
