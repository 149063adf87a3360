#include <gtest/gtest.h>

#include <cstdio>

#include "planner_ccd/papers/by_name.hpp"
#include "support/scenarios.hpp"
#include "support/verdict_check.hpp"

/// All methods on the same edges: each one's claims hold, and verdicts differ only where the clearance is within the
/// tolerance of the margin.
namespace planner_ccd {
namespace {

using testing::Draw;
using testing::Scenario;

void compare(const Scenario& s, Draw& draw, int edges, double& length, int (&verdicts)[3], int& borderline) {
  testing::Judge judge(s);
  if (judge.oracle().pairs().empty()) return;
  testing::EdgeDraw edge_draw(*s.robot, length);
  for (int i = 0; i < edges && !::testing::Test::HasFailure(); ++i) {
    const Eigen::VectorXd q0 = edge_draw.configuration(draw);
    const Eigen::VectorXd q1 = edge_draw.beyond(draw, q0);
    EdgeOptions options;
    options.tolerance = 1e-3;
    const EdgeResult taylor = judge.check(q0, q1, options, s.name + " taylor");
    edge_draw.learn(taylor.verdict);
    ++verdicts[static_cast<int>(taylor.verdict)];
    for (const std::string& method : search_method_names()) {
      options.method = search_method_named(method);
      const std::string label = s.name + " " + method;
      const EdgeResult first = judge.checker().first_contact(q0, q1, judge.workspace(), options);
      const EdgeResult any = judge.checker().any_contact(q0, q1, judge.workspace(), options);
      judge.check_claims({q0, q1}, first, options, true, label);
      if (any.verdict == Verdict::Contact || any.verdict != first.verdict)
        judge.check_claims({q0, q1}, any, options, false, label + ", any");
      for (const EdgeResult* r : {&first, &any}) {
        if (r->verdict == Verdict::Undecided || r->verdict == taylor.verdict) continue;
        ++borderline;  // Both claims hold: no sample is in contact, the witness is within the tolerance.
      }
    }
  }
  length = edge_draw.length();
}

TEST(Methods, AllAgreeWithTaylorOnEveryScenario) {
  Draw draw(testing::seeded(31));
  int verdicts[3] = {0, 0, 0};
  int borderline = 0;
  double length = 1.0, short_length = 0.1;
  for (int i = 0; i < testing::scaled(8, 5); ++i) {
    testing::RandomScenario what;
    what.links = 3;
    what.objects = 4;
    what.cell_evaluations = 200;
    what.all_joint_types = i % 2 == 0;
    what.attached = i % 3 == 0;
    if (i % 4 == 0) what.margin = 0.01;
    compare(testing::random_scenario(draw, what), draw, 6, length, verdicts, borderline);
  }
  Scenario puma = testing::own_scenario("puma and car", "puma", "puma_car");
  compare(puma, draw, testing::scaled(3), short_length, verdicts, borderline);
  std::printf("  %d free, %d contact, %d undecided, %d borderline\n", verdicts[0], verdicts[1], verdicts[2],
              borderline);
  EXPECT_EQ(verdicts[2], 0);
  EXPECT_LE(borderline, 0.1 * (verdicts[0] + verdicts[1]) + 1);
  EXPECT_GE(verdicts[0], 0.2 * (verdicts[0] + verdicts[1]));
  EXPECT_GE(verdicts[1], 0.2 * (verdicts[0] + verdicts[1]));
}

}  // namespace
}  // namespace planner_ccd
