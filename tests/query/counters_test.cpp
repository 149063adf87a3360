#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "support/scenarios.hpp"

/// The cost of fixed edges of our own models, in counts that are the same on every machine, so that no change makes
/// them more expensive unnoticed. A sum may exceed the recorded one by 5 %.
///
/// To record again after a worthwhile change: run `ctest -R query_counters -V`, copy the lines it prints into
/// kRecorded, and explain in the commit why they are larger.
namespace planner_ccd {
namespace {

using testing::Draw;
using testing::Scenario;

constexpr int kEdges = 60;
constexpr int kFewest = 5;  ///< Least number of free edges and of contacts among them.
constexpr double kSlack = 1.05;

struct Cost {
  const char* scenario;
  const char* question;
  std::int64_t evaluations;  ///< Pairs of volumes.
  std::int64_t triangle_pairs;
  std::int64_t kinematics;  ///< Times at which poses were computed.
};

constexpr Cost kRecorded[] = {
    {"arm_clutter", "is_free", 2302, 179, 78}, {"arm_clutter", "first_contact", 9746, 980, 529},
    {"puma_car", "is_free", 4135, 67, 184},    {"puma_car", "first_contact", 6645, 338, 274},
    {"mannequin", "is_free", 19305, 177, 716}, {"mannequin", "first_contact", 53061, 2111, 1485},
    {"rigid", "is_free", 11233, 144, 369},     {"rigid", "first_contact", 130234, 3650, 2264},
};

using EdgeEnds = std::pair<Eigen::VectorXd, Eigen::VectorXd>;

/// From anywhere within the limits; every other edge is cut to the most common length of a planner's edges.
EdgeEnds arm_edge(const RobotModel& robot, Draw& draw, bool medium) {
  Eigen::VectorXd q[2] = {Eigen::VectorXd(robot.dof()), Eigen::VectorXd(robot.dof())};
  for (Eigen::VectorXd& end : q) {
    for (int i = 0; i < robot.dof(); ++i) {
      const Coordinate& c = robot.coordinates()[i];
      end[i] = draw.uniform(std::max(c.lower, -std::numbers::pi), std::min(c.upper, std::numbers::pi));
    }
  }
  if (medium) q[1] = q[0] + (q[1] - q[0]).normalized();
  return {q[0], q[1]};
}

/// From 0.4 m away past the body at the origin, turning by up to half a turn.
EdgeEnds rigid_edge(Draw& draw) {
  Eigen::VectorXd q0(7), q1(7);
  const Eigen::Vector3d from = 0.4 * draw.direction();
  const Eigen::Quaterniond turn(draw.pose(1.0).linear());
  q0 << from, turn.coeffs();
  q1 << Eigen::Vector3d(draw.vector(0.25) - 0.5 * from), (Eigen::Quaterniond(draw.pose(1.0).linear()) * turn).coeffs();
  return {q0, q1};
}

void compare(const Cost& now) {
  std::printf("    {\"%s\", \"%s\", %ld, %ld, %ld},\n", now.scenario, now.question, static_cast<long>(now.evaluations),
              static_cast<long>(now.triangle_pairs), static_cast<long>(now.kinematics));
  for (const Cost& recorded : kRecorded) {
    if (std::string(recorded.scenario) != now.scenario || std::string(recorded.question) != now.question) continue;
    const auto expect = [&](std::int64_t value, std::int64_t limit, const char* what) {
      EXPECT_LE(static_cast<double>(value), kSlack * static_cast<double>(limit))
          << now.scenario << " " << now.question << ": more " << what << " than recorded";
    };
    expect(now.evaluations, recorded.evaluations, "evaluations");
    expect(now.triangle_pairs, recorded.triangle_pairs, "triangle pairs");
    expect(now.kinematics, recorded.kinematics, "kinematics");
    return;
  }
  ADD_FAILURE() << now.scenario << " " << now.question << " has no recorded cost";
}

void run(const char* name, const Scenario& s, bool rigid) {
  const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
  Workspace workspace(checker);
  for (const bool first : {false, true}) {
    Draw draw(5);
    Cost sum{name, first ? "first_contact" : "is_free", 0, 0, 0};
    int verdicts[3] = {0, 0, 0};
    for (int i = 0; i < kEdges; ++i) {
      const auto [q0, q1] = rigid ? rigid_edge(draw) : arm_edge(*s.robot, draw, i % 2 == 0);
      const EdgeResult r = first ? checker.first_contact(q0, q1, workspace) : checker.any_contact(q0, q1, workspace);
      ++verdicts[static_cast<int>(r.verdict)];
      sum.evaluations += r.counters.node_evaluations;
      sum.triangle_pairs += r.counters.primitive_evaluations;
      sum.kinematics += r.counters.kinematics;
    }
    EXPECT_GE(verdicts[0], kFewest) << name;
    EXPECT_GE(verdicts[1], kFewest) << name;
    EXPECT_EQ(verdicts[2], 0) << name;
    compare(sum);
  }
}

TEST(Counters, ArmInClutter) { run("arm_clutter", testing::own_scenario("arm", "arm7", "arm_clutter"), false); }
TEST(Counters, PumaRoundTheCar) { run("puma_car", testing::own_scenario("puma", "puma", "puma_car"), false); }
TEST(Counters, MannequinAgainstItself) { run("mannequin", testing::own_scenario("mannequin", "mannequin", ""), false); }
TEST(Counters, KnotPastGear) { run("rigid", testing::rigid_bodies("torus_knot", "gear"), true); }

}  // namespace
}  // namespace planner_ccd
