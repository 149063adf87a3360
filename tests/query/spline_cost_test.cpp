// The cost of a spline beside a straight line of the same extent, in counters that are the same on every machine.
#include <gtest/gtest.h>
#include <time.h>

#include <cstdio>
#include <numbers>

#include "planner_ccd/motion/trajectory.hpp"
#include "support/scenarios.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;
using testing::Scenario;

constexpr int kEdges = 60;
constexpr double kMost = 3.0;  ///< Times the evaluations of a straight line.

enum Kind { Line, CubicRest, QuinticRest, CubicThrough, QuinticThrough, kKinds };
constexpr const char* kNames[kKinds] = {"line", "cubic, at rest at both ends", "quintic, at rest at both ends",
                                        "cubic, passing", "quintic, passing"};

struct Cost {
  double evaluations = 0.0, seconds = 0.0;
};

double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// From q0 to q1 in a second. Splines at rest at both ends follow the straight line at another pace; passing ones have
/// at each end the line's velocity plus a deviation of up to half its length, and bend away from the line.
TrajectorySegment segment(const RobotModel& robot, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1, Kind kind,
                          const Eigen::VectorXd (&aside)[2]) {
  std::vector<TrajectoryPoint> points(2);
  points[1].time = 1.0;
  for (int i = 0; i < 2; ++i) {
    TrajectoryPoint& p = points[i];
    p.position = i == 0 ? q0 : q1;
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(q0.size());
    const bool through = kind == CubicThrough || kind == QuinticThrough;
    if (kind != Line) p.velocity = through ? Eigen::VectorXd((q1 - q0) + 0.5 * (q1 - q0).norm() * aside[i]) : zero;
    if (kind == QuinticRest || kind == QuinticThrough) p.acceleration = zero;
  }
  return make_trajectory(robot, points).segments[0];
}

void run(const char* name, const Scenario& s) {
  const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
  Workspace workspace(checker);
  for (const bool first : {false, true}) {
    Draw draw(7);
    Cost cost[kKinds];
    int free = 0, contact = 0;
    for (int i = 0; i < kEdges; ++i) {
      Eigen::VectorXd q[2] = {Eigen::VectorXd(s.robot->dof()), Eigen::VectorXd(s.robot->dof())};
      Eigen::VectorXd aside[2] = {q[0], q[0]};
      for (int k = 0; k < s.robot->dof(); ++k) {
        const Coordinate& c = s.robot->coordinates()[k];
        for (int end = 0; end < 2; ++end) {
          q[end][k] = draw.uniform(std::max(c.lower, -std::numbers::pi), std::min(c.upper, std::numbers::pi));
          aside[end][k] = draw.uniform(-1.0, 1.0);
        }
      }
      for (Eigen::VectorXd& direction : aside) direction.normalize();
      if (i % 2 == 0) q[1] = q[0] + (q[1] - q[0]).normalized();
      Cost now[kKinds];
      bool same = true;
      Verdict verdict = Verdict::Undecided;
      for (int kind = 0; kind < kKinds; ++kind) {
        const TrajectorySegment piece = segment(*s.robot, q[0], q[1], static_cast<Kind>(kind), aside);
        const double start = thread_seconds();
        const EdgeResult r = first ? checker.first_contact(piece, workspace) : checker.any_contact(piece, workspace);
        now[kind].seconds = thread_seconds() - start;
        now[kind].evaluations = static_cast<double>(r.counters.evaluations());
        if (kind == Line) verdict = r.verdict;
        same = same && r.verdict == verdict;
      }
      if (!same) continue;  // a passing spline that hits something the line does not, or the reverse
      (verdict == Verdict::Free ? free : contact) += 1;
      for (int kind = 0; kind < kKinds; ++kind) {
        cost[kind].evaluations += now[kind].evaluations;
        cost[kind].seconds += now[kind].seconds;
      }
    }
    EXPECT_GE(free, 5) << name;
    EXPECT_GE(contact, 5) << name;
    for (int kind = 0; kind < kKinds; ++kind) {
      const double times = cost[kind].evaluations / cost[Line].evaluations;
      std::printf("  %s, %s, %s: %.0f evaluations (%.2f lines), %.2f ms (%.2f lines)\n", name,
                  first ? "first contact" : "is it free", kNames[kind], cost[kind].evaluations, times,
                  1e3 * cost[kind].seconds, cost[kind].seconds / cost[Line].seconds);
      EXPECT_LE(times, kMost) << name << ": " << kNames[kind];
    }
  }
}

TEST(SplineCost, ArmInClutter) { run("arm_clutter", testing::own_scenario("arm", "arm7", "arm_clutter")); }
TEST(SplineCost, PumaRoundTheCar) { run("puma_car", testing::own_scenario("puma", "puma", "puma_car")); }

}  // namespace
}  // namespace planner_ccd
