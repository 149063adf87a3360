// Pairs that need no checking: proved apart within the joint limits, or suggested from random configurations.
#include "planner_ccd/validation/suggest_pairs.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/planner_ccd.hpp"
#include "support/scale.hpp"
#include "support/shared_data.hpp"

namespace planner_ccd {
namespace {

const std::string kRoot = testing::source_dir();

Geometry box(double size) { return {Box{Eigen::Vector3d::Constant(size)}, Eigen::Isometry3d::Identity(), "box"}; }

/// Links base, shift (no geometry), tip: two sliders x in [0.5, 1], y in [-0.1, 0.1] between boxes of 0.2 m.
std::shared_ptr<const RobotModel> two_sliders() {
  RobotSpec spec;
  spec.name = "sliders";
  spec.links = {{"base", {box(0.2)}, {}}, {"shift", {}, {}}, {"tip", {box(0.2)}, {}}};
  JointSpec x;
  x.name = "x";
  x.type = JointType::Prismatic;
  x.parent = "base";
  x.child = "shift";
  x.lower = 0.5;
  x.upper = 1.0;
  JointSpec y = x;
  y.name = "y";
  y.parent = "shift";
  y.child = "tip";
  y.axis = Eigen::Vector3d::UnitY();
  y.lower = -0.1;
  y.upper = 0.1;
  spec.joints = {x, y};
  return std::make_shared<const RobotModel>(spec);
}

TEST(ProvedApart, APairOfTheBaseIsPassedOverWithinItsLimitsAndSearchedBeyondThem) {
  const auto robot = two_sliders();
  const PathChecker checker(robot, {}, {});
  ASSERT_EQ(checker.proved_apart().size(), 1u);
  const auto at = [](double x, double y) { return (Eigen::VectorXd(2) << x, y).finished(); };
  const Eigen::VectorXd far = at(1.0, 0.1), near = at(0.5, -0.1), beyond = at(0.0, 0.0);
  EXPECT_EQ(checker.proved_apart({far, near}).size(), 1u);
  EXPECT_TRUE(checker.proved_apart({far, beyond}).empty());
  Workspace workspace(checker);
  EXPECT_EQ(checker.first_contact(far, near, workspace).verdict, Verdict::Free);
  const EdgeResult hit = checker.first_contact(far, beyond, workspace);
  ASSERT_EQ(hit.verdict, Verdict::Contact);
  EXPECT_NEAR(hit.contact->q[0], 0.2, 1e-3);
  EXPECT_FALSE(checker.is_free(beyond, beyond, workspace));
  // Without cells nothing is proved in advance, and the answers are the same.
  CheckerOptions none;
  none.cell_evaluations = 0;
  const PathChecker plain(robot, {}, {}, none);
  EXPECT_TRUE(plain.proved_apart().empty());
  Workspace other(plain);
  EXPECT_EQ(plain.first_contact(far, near, other).verdict, Verdict::Free);
  EXPECT_EQ(plain.first_contact(far, beyond, other).verdict, Verdict::Contact);
}

PathChecker checker_of(const std::string& name, std::int64_t cells) {
  const auto robot = std::make_shared<const RobotModel>(load_urdf(kRoot + "/urdf/" + name + ".urdf").value);
  const auto matrix = build_collision_matrix(*robot, load_srdf(kRoot + "/urdf/" + name + ".srdf", *robot).value);
  CheckerOptions options;
  options.cell_evaluations = cells;
  return PathChecker(robot, {}, matrix, options);
}

/// A proof is checked by sampling: a checker without proofs must not find a proved pair in contact.
TEST(ProvedApart, IsNeverContradictedByRandomConfigurations) {
  std::size_t proved_pairs = 0;
  for (const char* name : {"puma", "arm7", "hand", "mannequin"}) {
    const auto proved = checker_of(name, 10'000).proved_apart();
    proved_pairs += proved.size();
    SuggestOptions options;
    options.samples = std::max(200, testing::scaled(2000));
    options.seed = 77;
    std::set<std::pair<std::string, std::string>> never;
    for (const PairSuggestion& pair : suggest_pairs(checker_of(name, 0), options).pairs) {
      EXPECT_FALSE(pair.proved);
      if (pair.reason == SuggestedReason::Never) never.insert(std::minmax(pair.a, pair.b));
    }
    for (const LinkPair& pair : proved) {
      EXPECT_EQ(never.count(std::minmax(pair.a, pair.b)), 1u) << name << ": " << pair.a << " and " << pair.b;
    }
  }
  EXPECT_GE(proved_pairs, 20u) << "vacuous";
}

TEST(SuggestPairs, TellsAlwaysDefaultAndNeverApart) {
  RobotSpec spec;
  spec.name = "kinds";
  // An arm that turns: `always` sits on its axis, `swings` meets the post in some configurations, `rests` in the neutral one.
  const auto at = [](Geometry g, double x, double z) {
    g.pose.translation() = Eigen::Vector3d(x, 0.0, z);
    return g;
  };
  spec.links = {{"post", {box(0.2), at(box(0.2), 1.0, 0.0)}, {}},
                {"always", {box(0.2)}, {}},
                {"swings", {box(0.2)}, {}},
                {"far", {box(0.2)}, {}},
                {"rests", {box(0.2)}, {}}};
  const auto hinge = [&](const std::string& link, double x, double y, double z) {
    JointSpec joint;
    joint.name = "to_" + link;
    joint.type = JointType::Continuous;
    joint.parent = "post";
    joint.child = link;
    joint.axis = Eigen::Vector3d::UnitZ();
    joint.origin.translation() = Eigen::Vector3d(0.0, 0.0, z);
    spec.joints.push_back(joint);
    for (Geometry& g : spec.links[spec.joints.size()].collision) g.pose.translation() = Eigen::Vector3d(x, y, 0.0);
  };
  hinge("always", 0.0, 0.0, 0.0);
  hinge("swings", 0.0, 1.0, 0.0);
  hinge("far", 1.0, 0.0, 3.0);
  hinge("rests", 1.0, 0.0, 0.0);
  const auto robot = std::make_shared<const RobotModel>(spec);
  CheckerOptions none;
  none.cell_evaluations = 0;
  const PathChecker checker(robot, {}, {}, none);
  SuggestOptions options;
  options.samples = 300;
  const PairSuggestions found = suggest_pairs(checker, options);
  EXPECT_EQ(found.pairs_asked, 10);
  std::map<std::pair<std::string, std::string>, PairSuggestion> by_name;
  for (const PairSuggestion& pair : found.pairs) by_name.insert({{pair.a, pair.b}, pair});
  ASSERT_TRUE(by_name.count({"post", "always"}));
  EXPECT_EQ(by_name.at({"post", "always"}).reason, SuggestedReason::Always);
  EXPECT_EQ(by_name.at({"post", "always"}).contacts, 300);
  ASSERT_TRUE(by_name.count({"post", "rests"}));
  EXPECT_EQ(by_name.at({"post", "rests"}).reason, SuggestedReason::Default);
  EXPECT_GT(by_name.at({"post", "rests"}).contacts, 0);
  ASSERT_TRUE(by_name.count({"post", "far"}));
  EXPECT_EQ(by_name.at({"post", "far"}).reason, SuggestedReason::Never);
  EXPECT_FALSE(by_name.count({"post", "swings"})) << "sometimes in contact: must be checked";
  EXPECT_FALSE(by_name.count({"swings", "rests"}));
}

TEST(SuggestPairs, DependOnTheSeedAlone) {
  const PathChecker checker = checker_of("mannequin", 1000);
  SuggestOptions options;
  options.samples = 100;
  const auto contacts = [&] {
    std::vector<int> counts;
    for (const PairSuggestion& pair : suggest_pairs(checker, options).pairs) counts.push_back(pair.contacts);
    return counts;
  };
  const std::vector<int> once = contacts();
  EXPECT_EQ(once, contacts());
  options.seed = 2;
  EXPECT_NE(once, contacts());
  options.samples = 0;
  EXPECT_THROW(contacts(), InputError);
}

}  // namespace
}  // namespace planner_ccd
