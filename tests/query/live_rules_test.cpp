// Changes of rules and of held objects, each with a contact that appears or disappears: earlier proofs must not outlive
// them.
#include <gtest/gtest.h>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "planner_ccd/query/prepared_robot.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

using testing::ball;
using testing::shift;

/// A sled with a ball that slides along x, past a wall at 1 and a door at 3, with a number of objects far away.
class LiveRules : public ::testing::TestWithParam<int> {
 protected:
  PreparedRobot robot = [] {
    testing::ChainSpec chain;
    chain.base(ball(0.05, {0.0, 0.0, 5.0})).slide(Eigen::Vector3d::UnitX()).with(ball(0.1));
    return PreparedRobot(std::make_shared<const RobotModel>(chain.spec), {});
  }();
  Scene scene = [] {
    Scene out;
    out.objects.push_back({"wall", {ball(0.1)}, shift({1.0, 0.0, 0.0})});
    out.objects.push_back({"door", {ball(0.1)}, shift({3.0, 0.0, 0.0})});
    for (int i = 0; i < GetParam(); ++i) {
      out.objects.push_back({"far" + std::to_string(i), {ball(0.1)}, shift({0.0, 50.0 + i, 0.0})});
    }
    return out;
  }();
  PathChecker live{robot, scene};
  Workspace w;

  /// The first object hit on the way from 0 to 6; a newly built checker must agree.
  std::string met() {
    live = live.with_scene(scene);
    const PathChecker anew(robot, scene);
    Workspace v;
    const JointVector q0 = JointVector::Constant(1, 0.0), q1 = JointVector::Constant(1, 6.0);
    const EdgeResult first = live.first_contact(q0, q1, w), truth = anew.first_contact(q0, q1, v);
    EXPECT_EQ(first.verdict, truth.verdict);
    EXPECT_EQ(live.any_contact(q0, q1, w).verdict, truth.verdict);
    EXPECT_EQ(live.is_free(q0, q1, w), truth.verdict == Verdict::Free);
    const double near = live.clearance(q0, w).upper, nearest = anew.clearance(q0, v).upper;
    if (near != nearest) {  // both are infinite where all is allowed
      EXPECT_NEAR(near, nearest, 1e-9);
    }
    if (!first.contact || !truth.contact) return "";
    EXPECT_EQ(first.contact->a + first.contact->b, truth.contact->a + truth.contact->b);
    EXPECT_EQ(first.contact->margin, truth.contact->margin);
    EXPECT_NEAR(first.contact->t, truth.contact->t, 1e-3);
    return first.contact->b;
  }
  void build_anew() { live = PathChecker(robot, scene); }
  void put(const char* name, double x, double z) { scene.objects.push_back({name, {ball(0.1)}, shift({x, 0.0, z})}); }
};

INSTANTIATE_TEST_SUITE_P(AmongFewAndMany, LiveRules, ::testing::Values(2, 600));

TEST_P(LiveRules, WhatWasAllowedIsCheckedAgain) {
  EXPECT_EQ(met(), "wall");
  scene.allow = {{"l1", "wall"}};
  EXPECT_EQ(met(), "door");
  scene.allow.push_back({"*", "door"});
  EXPECT_EQ(met(), "");
  scene.allow = {{"door", "l1"}};
  EXPECT_EQ(met(), "wall");
  scene.objects.move("wall", shift({2.0, 0.0, 0.0}));
  EXPECT_EQ(met(), "wall");
  scene.allow = {{"*", "*"}};
  EXPECT_EQ(met(), "");
  scene.allow.clear();
  EXPECT_EQ(met(), "wall");
}

TEST_P(LiveRules, WhatABaseAllowedIsCheckedAgain) {
  scene.allow = {{"l1", "wall"}, {"l1", "door"}};
  build_anew();
  EXPECT_EQ(met(), "");
  scene.allow = {{"l1", "wall"}};
  EXPECT_EQ(met(), "door");
  scene.allow.clear();
  scene.objects.erase("wall");
  EXPECT_EQ(met(), "door");
  put("wall", 1.0, 0.0);  // with the name that was allowed
  EXPECT_EQ(met(), "wall");
  scene.allow = {{"l1", "wall"}, {"l1", "door"}};
  EXPECT_EQ(met(), "");
  scene.allow = {{"base", "wall"}};
  EXPECT_EQ(met(), "wall");
}

TEST_P(LiveRules, WhatComesByANameInTheRulesHasThem) {
  scene.allow = {{"l1", "wall"}};
  EXPECT_EQ(met(), "door");
  scene.objects.erase("wall");
  put("wall", 2.0, 0.0);  // another object, in one change
  EXPECT_EQ(met(), "door");
  scene.allow.clear();
  EXPECT_EQ(met(), "wall");
}

TEST_P(LiveRules, MarginsGrowAndShrink) {
  scene.objects.erase("door");
  scene.objects.move("wall", shift({1.0, 0.0, 0.5}));  // passed at a distance of 0.3
  EXPECT_EQ(met(), "");
  const auto with = [&](std::vector<PairMargin> margins) {
    scene.margins = std::move(margins);
    return met();
  };
  EXPECT_EQ(with({{"l1", "wall", 0.4}}), "wall");
  EXPECT_EQ(with({{"l1", "wall", 0.2}}), "");
  EXPECT_EQ(with({{"wall", "*", 0.4}}), "wall");
  EXPECT_EQ(with({{"wall", "*", 0.4}, {"wall", "l1", 0.1}}), "");
  EXPECT_EQ(with({{"wall", "*", 0.4}, {"*", "l1", 0.1}}), "") << "the later one counts";
  EXPECT_EQ(with({{"*", "l1", 0.1}, {"wall", "*", 0.4}}), "wall");
  EXPECT_EQ(with({{"*", "l1", 0.4}}), "wall");
  EXPECT_EQ(with({{"*", "l1", 0.4}, {"l1", "wall", 0.2}}), "");
  EXPECT_EQ(with({}), "");
  build_anew();
  scene.padding = {{"l1", 0.4}};
  EXPECT_EQ(met(), "wall");
  scene.padding = {{"l1", 0.2}};
  EXPECT_EQ(with({{"l1", "wall", 0.15}}), "wall");
  EXPECT_EQ(with({{"l1", "wall", 0.05}}), "");
}

TEST_P(LiveRules, WhatIsHeldSweepsMore) {
  scene.objects.erase("door");
  scene.objects.erase("wall");
  put("cup", -3.0, 0.0);
  put("shelf", 2.0, 1.0);
  EXPECT_EQ(met(), "");
  scene.attach("cup", "l1", shift({0.0, 0.0, 1.0}), {});
  EXPECT_EQ(met(), "shelf");
  scene.allow = {{"cup", "shelf"}};
  EXPECT_EQ(met(), "");
  put("lamp", 4.0, 1.0);
  EXPECT_EQ(met(), "lamp");
  scene.objects.move("lamp", shift({4.0, 0.0, 1.3}));
  EXPECT_EQ(met(), "");
  scene.margins = {{"cup", "lamp", 0.2}};
  EXPECT_EQ(met(), "lamp");
  scene.margins.clear();
  scene.allow.clear();
  EXPECT_EQ(met(), "shelf");
  scene.detach("cup", shift({3.0, 0.0, 0.0}));
  EXPECT_EQ(met(), "cup");
  scene.objects.move("cup", shift({-3.0, 0.0, 0.0}));
  EXPECT_EQ(met(), "");
  scene.attach("cup", "l1", shift({0.0, 0.0, 2.0}), {});
  EXPECT_EQ(met(), "");
  scene.attached[0].object.pose = shift({0.0, 0.0, 1.0});
  EXPECT_EQ(met(), "shelf");
  scene.attached[0].object.pose = shift({0.0, 0.0, 2.0});
  scene.attached[0].object.geometry = {ball(1.0)};
  EXPECT_EQ(met(), "shelf");
}

TEST_P(LiveRules, WhatIsNoneIsRefused) {
  const auto refused = [&](const Scene& asked) { EXPECT_THROW((void)live.with_scene(asked), InputError); };
  for (const bool held : {false, true}) {
    if (held) {
      put("cup", -3.0, 0.0);
      scene.attach("cup", "l1", shift({0.0, 0.0, -1.0}), {});
    }
    scene.allow = {{"l1", "wall"}};
    EXPECT_EQ(met(), "door");
    Scene wrong = scene;
    wrong.objects.erase("wall");
    refused(wrong);
    wrong = scene;
    wrong.allow.push_back({"l1", "nothing"});
    refused(wrong);
    wrong = scene;
    wrong.margins = {{"l1", "wall", -0.1}};
    refused(wrong);
    wrong = scene;
    wrong.padding = {{"wall", 0.1}};
    refused(wrong);
    wrong = scene;
    wrong.attached.push_back({{"door", {ball(0.1)}, Pose::Identity()}, "l1", {}});
    refused(wrong);
    wrong = scene;
    wrong.attached.push_back({{"more", {ball(0.1)}, Pose::Identity()}, "nowhere", {}});
    refused(wrong);
    EXPECT_EQ(met(), "door");
  }
}

/// Proofs for whole ranges of joint values (cells) are reused for unchanged held objects, and for nothing else.
TEST(LiveCells, AreOfWhatIsHeldAsItWas) {
  testing::ChainSpec chain;
  chain.slide(Eigen::Vector3d::UnitX()).with(ball(0.1, {1.0, 0.0, 0.0}));
  chain.turn(Eigen::Vector3d::UnitZ(), 3.0).with(ball(0.1, {0.0, 0.0, 0.5}));
  const auto robot = std::make_shared<const RobotModel>(chain.spec);
  Scene scene;
  scene.objects.push_back({"shelf", {ball(0.1)}, shift({0.0, 9.0, 0.0})});
  scene.attached.push_back({{"tool", {ball(0.1)}, shift({2.0, 0.0, 0.0})}, "l2", {}});
  PathChecker live(robot, scene, {});
  Workspace w;
  const auto free = [&] {
    live = live.with_scene(scene);
    return live.is_free((JointVector(2) << 0.0, 1.0).finished(), (JointVector(2) << 0.0, -1.0).finished(), w);
  };
  EXPECT_TRUE(free());
  scene.attached[0].object.pose = shift({1.0, 0.0, 0.0});
  EXPECT_FALSE(free());
  scene.attached[0].object.pose = shift({2.0, 0.0, 0.0});
  EXPECT_TRUE(free());
  scene.attached[0].object.geometry = {ball(1.0)};
  EXPECT_FALSE(free());
  scene.attached[0].object.geometry = {ball(0.1)};
  scene.margins = {{"tool", "l1", 0.9}};
  EXPECT_FALSE(free());
  scene.margins = {{"tool", "l1", 0.7}};
  EXPECT_TRUE(free());
  scene.margins.clear();
  scene.attached[0].link = "l1";
  EXPECT_TRUE(free());
  scene.attached[0].link = "l2";
  EXPECT_TRUE(free());
  scene.attached.push_back({{"other", {ball(0.1)}, shift({1.0, 0.0, 0.0})}, "l2", {}});
  EXPECT_FALSE(free());
}

/// Two links that always stay 3 cm apart: cells prove that for all joint values, but no margin of 5 cm.
TEST(LiveRulesOfLinks, CellsServeTheirOwnMarginOnly) {
  testing::ChainSpec chain;
  chain.slide(Eigen::Vector3d::UnitX()).with(ball(0.1));
  chain.slide(Eigen::Vector3d::UnitX(), 1.0).with(ball(0.1, {0.0, 0.0, 0.23}));
  const PreparedRobot robot(std::make_shared<const RobotModel>(chain.spec), {});
  Scene scene;
  PathChecker live(robot, scene);
  Workspace w;
  const JointVector q0 = Eigen::Vector2d(0.0, -0.5), q1 = Eigen::Vector2d(0.0, 0.5);
  for (const double margin : {0.0, 0.05, 0.02, 0.04, 0.0}) {
    scene.margins = {{"l1", "l2", margin}};
    live = live.with_scene(scene);
    EXPECT_EQ(live.is_free(q0, q1, w), margin < 0.03) << margin;
  }
}

}  // namespace
}  // namespace planner_ccd
