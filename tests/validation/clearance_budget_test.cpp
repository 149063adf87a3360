// Clearances that may cost only so much: bounds stay bounds, and the cost keeps to the budget. Judged by the closed form of a ball that
// slides through a closed box, past a row of balls.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "planner_ccd/io/path_file.hpp"
#include "planner_ccd/validation/path_clearance.hpp"
#include "support/scenarios.hpp"
#include "support/shared_data.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

constexpr double kBall = 0.1, kPost = 0.05, kHalf = 0.25, kBox = 2.0;
constexpr int kPosts = 40;
constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

struct Rail {
  std::shared_ptr<const RobotModel> robot;
  std::unique_ptr<PathChecker> checker;

  Rail() {
    testing::ChainSpec chain;
    chain.slide(Eigen::Vector3d::UnitX()).with(testing::ball(kBall));
    robot = std::make_shared<const RobotModel>(chain.spec);
    Scene scene;
    scene.objects.push_back(
        {"box", {testing::plate_mesh(2.0 * kHalf, 2.0 * kHalf, 2.0 * kHalf)}, testing::shift({kBox, 0.0, 0.0})});
    for (int i = 0; i < kPosts; ++i) {
      scene.objects.push_back(
          {"post" + std::to_string(i), {testing::ball(kPost)}, testing::shift({0.1 * i, 0.5, 0.02 * (i % 3)})});
    }
    checker = std::make_unique<PathChecker>(robot, scene, CollisionMatrix{}, CheckerOptions{});
  }

  Trajectory through(const std::vector<double>& places) const {
    std::vector<TrajectoryPoint> points;
    for (std::size_t i = 0; i < places.size(); ++i) {
      points.push_back({static_cast<double>(i), Eigen::VectorXd::Constant(1, places[i]), {}, {}});
    }
    return make_trajectory(*robot, points);
  }

  static double distance(double x) {
    double least = std::max(0.0, std::abs(x - kBox) - kHalf - kBall);
    for (int i = 0; i < kPosts; ++i) {
      least = std::min(least, std::hypot(x - 0.1 * i, 0.5, 0.02 * (i % 3)) - kBall - kPost);
    }
    return least;
  }
};

TEST(ClearanceBudget, LowersBoundsAndNeverTheTruth) {
  const Rail rail;
  int zero = 0, tight = 0, inside = 0;
  for (const std::vector<double>& places :
       {std::vector<double>{kBox, 0.0, kBox}, {0.0, 4.0}, {kBox - 0.01, kBox + 0.01}}) {
    const Trajectory path = rail.through(places);
    for (const std::int64_t budget :
         {std::int64_t{1}, std::int64_t{20}, std::int64_t{200}, std::int64_t{2'000}, kEndless}) {
      ClearanceOptions options;
      options.budget = budget;
      PathClearance clearance(*rail.checker, path, options);
      for (const ClearancePiece& piece : clearance.profile(0.02)) {
        double least = 10.0;
        for (int j = 0; j <= 20; ++j) {
          const double t = piece.from + (piece.to - piece.from) * j / 20.0;
          least = std::min(least, Rail::distance(configuration(*rail.robot, path, t)[0]));
        }
        ASSERT_LE(piece.nearest.lower, least + 1e-12) << "budget " << budget << ", at " << piece.from;
        ASSERT_GE(piece.nearest.upper, least - 0.03) << "a piece is 0.08 m long at most";
        ASSERT_EQ(piece.nearest.known, piece.nearest.lower > 0.0 || piece.nearest.upper <= options.accuracy);
        inside += budget < kEndless && least == 0.0;
        zero += !(piece.nearest.lower > 0.0) && least > 0.1;
        if (budget < kEndless) continue;
        ASSERT_LE(piece.nearest.upper - piece.nearest.lower, options.accuracy * (1.0 + 1e-9)) << piece.from;
        ++tight;
      }
    }
  }
  std::printf("%d pieces to the accuracy, %d without a bound, %d in contact\n", tight, zero, inside);
  EXPECT_GT(tight, 100);
  EXPECT_GT(zero, 100) << "a small budget leaves pieces open";
  EXPECT_GT(inside, 100);
}

/// Many segments in a piece: the ball enters the box in one part of it and is measured inside in a later one, and the budget
/// may end before the next piece looks whether it is inside.
TEST(ClearanceBudget, KnowsWhatIsInsideAcrossManySegments) {
  const Rail rail;
  std::vector<double> places;
  for (int i = 0; i <= 250; ++i) places.push_back(kBox - 0.5 + 0.004 * i);
  const Trajectory path = rail.through(places);
  int inside = 0, bounded = 0;
  for (double budget = 5.0; budget < 20'000.0; budget *= 1.1) {
    ClearanceOptions options;
    options.budget = static_cast<std::int64_t>(budget);
    PathClearance clearance(*rail.checker, path, options);
    for (const ClearancePiece& piece : clearance.profile(10.0)) {
      double least = 10.0;
      for (double t = piece.from; t <= piece.to; t += 0.25) {
        least = std::min(least, Rail::distance(configuration(*rail.robot, path, t)[0]));
      }
      ASSERT_LE(piece.nearest.lower, least + 1e-12) << "budget " << budget << ", at " << piece.from;
      inside += least == 0.0;
      bounded += least > 0.0 && piece.nearest.lower > 0.5 * least;
    }
  }
  std::printf("%d pieces in contact or inside, %d others with a bound\n", inside, bounded);
  EXPECT_GT(inside, 300);
  EXPECT_GT(bounded, 300);
}

TEST(ClearanceBudget, BoundsTheCost) {
  const Rail rail;
  const Trajectory path = rail.through({0.0, 1.6, 0.0, 1.6});
  std::int64_t before = 0;
  for (const std::int64_t budget : {std::int64_t{10}, std::int64_t{50}, std::int64_t{200}, kEndless}) {
    ClearanceOptions options;
    options.accuracy = 1e-6;
    options.budget = budget;
    PathClearance clearance(*rail.checker, path, options);
    const auto pieces = static_cast<std::int64_t>(clearance.profile(0.05).size());
    const std::int64_t spent = clearance.counters().evaluations();
    if (budget < kEndless) {
      EXPECT_LE(spent, budget + 2 * pieces) << "one measurement per piece, and a search's last step";
    }
    EXPECT_GE(spent, before);
    before = spent;
  }
  EXPECT_GT(before, 800) << "without a budget it costs far more";
}

/// The pair that is named first may not be the one that comes nearest when evaluations run out; its bound holds for all pairs.
TEST(ClearanceBudget, TheFirstOfThePairsBoundsThemAll) {
  testing::Draw draw(testing::seeded(523));
  int cut = 0, paths = 0;
  for (int i = 0; i < testing::scaled(60, 30); ++i) {
    const testing::Scenario s = testing::random_scenario(draw, {});
    const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
    Workspace workspace(checker);
    const testing::EdgeDraw edges(*s.robot, 0.5);
    const Eigen::VectorXd q0 = edges.configuration(draw), q1 = edges.beyond(draw, q0);
    const Trajectory path = make_trajectory(*s.robot, {{0.0, q0, {}, {}}, {1.0, q1, {}, {}}});
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k <= 40; ++k) {
      least = std::min(least, checker.clearance(configuration(*s.robot, path, k / 40.0), workspace).lower);
    }
    if (!std::isfinite(least)) continue;
    ++paths;
    for (const std::int64_t most : {2, 5, 10, 20, 50}) {
      ClearanceOptions options;
      options.max_evaluations = most;
      const double lower = PathClearance(checker, path, options).nearest().lower;
      EXPECT_LE(lower, least + 1e-9) << "scenario " << i << ", " << most << " evaluations";
      cut += lower < least - 0.01;
    }
  }
  EXPECT_GT(paths, 20);
  EXPECT_GT(cut, paths / 4);
}

double least_during(const PathChecker& checker, const Trajectory& path, double from, double to, Workspace& workspace) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= 4; ++k) {
    const double t = from + (to - from) * k / 4.0;
    least = std::min(least, checker.clearance(configuration(checker.robot(), path, t), workspace).lower);
  }
  return least;
}

/// Random robots of all kinds, in contact, inside each other and apart.
TEST(ClearanceBudget, BoundsOfProfilesHoldHoweverFarTheyWereRefined) {
  testing::Draw draw(testing::seeded(524));
  int coarse = 0, fine = 0, unknown = 0, touching = 0;
  for (int i = 0; i < testing::scaled(40, 20); ++i) {
    testing::RandomScenario what;
    what.attached = i % 3 == 0;
    const testing::Scenario s = testing::random_scenario(draw, what);
    const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
    Workspace workspace(checker);
    const testing::EdgeDraw edges(*s.robot, 0.3);
    std::vector<TrajectoryPoint> points;
    JointVector q = edges.configuration(draw);
    for (int k = 0; k < 3; ++k) {
      points.push_back({static_cast<double>(k), q, {}, {}});
      q = edges.beyond(draw, q);
    }
    const Trajectory path = make_trajectory(*s.robot, points);
    for (const std::int64_t budget : {10, 100, 1'000, 10'000, 100'000}) {
      ClearanceOptions options;
      options.relative = 0.05;
      options.budget = budget;
      PathClearance clearance(checker, path, options);
      for (const ClearancePiece& piece : clearance.profile(i % 2 == 0 ? 0.1 : 3.0)) {
        const PairClearance& c = piece.nearest;
        const double least = least_during(checker, path, piece.from, piece.to, workspace);
        ASSERT_LE(c.lower, least + 1e-9) << "scenario " << i << ", budget " << budget << ", at " << piece.from;
        ASSERT_LE(c.lower, c.upper);
        if (std::isinf(c.upper)) continue;
        ASSERT_LE(checker.clearance(configuration(*s.robot, path, c.time), workspace).lower, c.upper + 1e-9);
        ASSERT_EQ(c.known, c.lower > 0.0 || c.upper <= options.accuracy);
        touching += least == 0.0;
        unknown += !c.known;
        (c.upper - c.lower <= std::max(options.accuracy, 0.0501 * c.upper) ? fine : coarse) += c.lower > 0.0;
      }
    }
  }
  std::printf("%d pieces fine, %d coarse, %d not known, %d in contact\n", fine, coarse, unknown, touching);
  EXPECT_GT(fine, 150);
  EXPECT_GT(coarse, 50);
  EXPECT_GT(unknown, 30);
  EXPECT_GT(touching, 100);
}

/// The budget was spent from front to back: 44 % of this motion, which comes no nearer than 57 mm, had a bound above 0.
TEST(ClearanceBudget, OfAPageSufficesForAllOfTheMotion) {
  const testing::Scenario s = testing::own_scenario("arm in clutter", "arm7", "arm_clutter");
  const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
  const Trajectory path =
      make_trajectory(*s.robot, load_path(testing::source_dir() + "/models/paths/arm_free.csv", *s.robot).value);
  Workspace workspace(checker);
  TrajectoryResult report = check_trajectory(checker, path, workspace);
  ASSERT_EQ(report.verdict, Verdict::Free);
  TrajectoryOptions options;
  options.profile_step = path.segments.back().t1 / 100.0;
  ASSERT_TRUE(add_clearance(checker, path, options, report));
  ASSERT_GE(report.profile.size(), 100u);
  std::vector<double> ratios;
  for (const ClearancePiece& piece : report.profile) {
    EXPECT_TRUE(piece.nearest.known) << piece.from;
    EXPECT_GT(piece.nearest.lower, 0.02) << piece.from;
    ratios.push_back(piece.nearest.lower / piece.nearest.upper);
  }
  std::sort(ratios.begin(), ratios.end());
  EXPECT_GT(ratios[0], 0.5);
  EXPECT_GT(ratios[ratios.size() / 2], 0.9);
  // A tenth of what a page spends is too little to be fine, but not to know something of every piece.
  PathClearance cheap(checker, path, {.relative = 0.05, .budget = picture_budget(path, report) / 10});
  for (const ClearancePiece& piece : cheap.profile(options.profile_step))
    EXPECT_TRUE(piece.nearest.known) << piece.from;
}

}  // namespace
}  // namespace planner_ccd
