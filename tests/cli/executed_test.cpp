// What the robot did beside what was planned: `check --executed`.
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "support/log_writer.hpp"

namespace planner_ccd::test {
namespace {

using nlohmann::json;

/// A cart on a rail, planned to stop 50 mm before a wall.
class ExecutedTest : public ::testing::Test {
 protected:
  TempFolder folder;
  std::string urdf = folder.write(
      "cart.urdf",
      "<robot name='cart'><link name='rail'/><link name='cart'><collision><geometry><box size='0.2 0.2 "
      "0.2'/></geometry></collision></link><joint name='slide' type='prismatic'><parent link='rail'/><child "
      "link='cart'/><axis xyz='1 0 0'/><limit lower='-1' upper='4' velocity='1' effort='1'/></joint></robot>");
  std::string scene =
      folder.write("scene.yaml", "objects: [{name: wall, box: {size: [0.2, 2, 2]}, pose: {xyz: [1.5, 0, 0]}}]\n");
  std::string plan = folder.write("plan.csv", "time,slide\n0,0\n5,1.25\n");
  /// Two seconds later by its own clock, and 4 mm ahead in the middle.
  std::string late = folder.write("late.csv", "time,slide\n2,0\n4.5,0.629\n7,1.25\n");

  std::vector<std::string> check(const std::string& executed, std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {"check", "--robot", urdf, "--scene", scene, "--path", plan, "--executed", executed};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  static json report(const CommandResult& result) { return json::parse(result.out); }
};

TEST_F(ExecutedTest, SaysHowFarItWasFromThePlanAndWhetherItStayedWithinTheErrors) {
  const CommandResult within = run_command(check(late, {"--shift", "-2", "--tracking-error", "0.005"}));
  EXPECT_EQ(within.exit_code, 0) << within.out << within.err;
  for (const char* part :
       {"executed ", ": free on all 2 segments", "stayed within the errors that the plan was checked with",
        "the plan's is 2 s behind the executed motion's (given)", "slide: 0.004 at 2.5 s, allowed 0.005"}) {
    EXPECT_NE(within.out.find(part), std::string::npos) << part << " in " << within.out;
  }
  const CommandResult left = run_command(check(late, {"--shift", "-2", "--tracking-error", "0.003", "--json"}));
  EXPECT_EQ(left.exit_code, 1);
  const json executed = report(left)["executed"];
  EXPECT_EQ(report(left)["verdict"], "free");
  EXPECT_EQ(executed["verdict"], "free");
  EXPECT_EQ(executed["within"], false);
  EXPECT_NEAR(executed["joints"][0]["greatest"].get<double>(), 0.004, 1e-9);
  EXPECT_NEAR(executed["joints"][0]["left"].get<double>(), 2.5 * 0.75, 1e-6);
  EXPECT_EQ(run_command(check(late, {"--shift", "-2"})).exit_code, 0) << "nothing was proved for errors";
}

TEST_F(ExecutedTest, FindsTheShiftBetweenTheClocks) {
  // As long as the plan: there is one shift with which it covers the plan.
  const json same = report(run_command(check(late, {"--tracking-error", "0.005", "--json"})));
  EXPECT_EQ(same["exit_code"], 0);
  EXPECT_EQ(same["executed"]["clocks"], "found");
  EXPECT_NEAR(same["executed"]["shift"].get<double>(), -2.0, 1e-9);
  // It waits before and after: 4 mm in the middle become 2 mm there and at both ends.
  const std::string longer = folder.write("longer.csv", "time,slide\n0,0\n2,0\n4.5,0.629\n7,1.25\n9,1.25\n");
  const json found = report(run_command(check(longer, {"--tracking-error", "0.005", "--json"})))["executed"];
  EXPECT_EQ(found["within"], true);
  EXPECT_NEAR(found["shift"].get<double>(), -2.0, 0.02);
}

/// Where its base stood is not known of what ran either.
TEST_F(ExecutedTest, ErrorsOfBasesHoldForWhatRan) {
  const CommandResult result = run_command(check(late, {"--base-error", "0.06", "--json"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(report(result)["executed"]["verdict"], "contact");
  EXPECT_EQ(report(run_command(check(late, {"--tracking-error", "0.06", "--json"})))["executed"]["verdict"], "free");
}

TEST_F(ExecutedTest, TwoLogsAreComparedByTheirStamps) {
  LogWriter planned({"slide"}), ran({"slide"});
  for (int i = 0; i <= 100; ++i) planned.add(100'000'000'000 + i * 50'000'000ll, {0.0125 * i});
  // 20 ms behind, at 0.25 m/s: 5 mm.
  for (int i = -2; i <= 103; ++i) ran.add(100'020'000'000 + i * 50'000'000ll, {0.0125 * std::clamp(i, 0, 100)});
  const std::string log = folder.write("ran.mcap", ran.bytes());
  plan = folder.write("planned.mcap", planned.bytes());
  const CommandResult result = run_command(check(log, {"--tracking-delay", "0.021", "--json"}));
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  const json executed = report(result)["executed"];
  EXPECT_EQ(executed["clocks"], "stamps");
  EXPECT_NEAR(executed["shift"].get<double>(), -0.08, 1e-9);
  EXPECT_NEAR(executed["joints"][0]["greatest"].get<double>(), -0.005, 1e-9);
  EXPECT_EQ(run_command(check(log, {"--tracking-delay", "0.019"})).exit_code, 1);
}

TEST_F(ExecutedTest, IsCheckedByItself) {
  const std::string beyond = folder.write("beyond.csv", "time,slide\n0,0\n5,1.25\n5.5,1.31\n");
  const std::string junit = folder.path("junit.xml");
  const CommandResult hit =
      run_command(check(beyond, {"--shift", "0", "--tracking-error", "0.01", "--json", "--junit", junit}));
  EXPECT_EQ(hit.exit_code, 1);
  EXPECT_EQ(report(hit)["verdict"], "free");
  EXPECT_EQ(report(hit)["executed"]["verdict"], "contact");
  EXPECT_EQ(report(hit)["executed"]["within"], true) << "as long as the plan lasts";
  EXPECT_EQ(report(hit)["executed"]["findings"][0]["contact"]["b"], "wall");
  std::ifstream in(junit);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_NE(text.str().find("name=\"executed: contact\""), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("name=\"executed: within the errors\"/>"), std::string::npos) << text.str();
}

TEST_F(ExecutedTest, WhatCoversAPartOfThePlanDidNotStayWithin) {
  const std::string half = folder.write("half.csv", "time,slide\n0,0\n2.5,0.625\n");
  const CommandResult result = run_command(check(half, {"--shift", "0", "--tracking-error", "0.01"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.out.find("covers the plan only from 0 to 2.5 s of the plan"), std::string::npos) << result.out;
  EXPECT_EQ(run_command(check(half, {"--shift", "100", "--json"})).exit_code, 0);
}

/// Errors that are columns of the plan: 60 mm at its end would meet the wall.
TEST_F(ExecutedTest, ColumnsOfErrorsArePartOfThePlan) {
  const std::vector<std::string> alone = {"check", "--robot", urdf, "--scene", scene, "--json", "--path"};
  const auto with = [&](const std::string& csv, std::vector<std::string> more = {}) {
    more.insert(more.begin(), folder.write("errors.csv", csv));
    more.insert(more.begin(), alone.begin(), alone.end());
    return more;
  };
  const std::string wide = "time,slide,slide.error\n0,0,0.06\n2.5,0.625,0.04\n5,1.25,0.04\n";
  const CommandResult free = run_command(with(wide, {"--executed", late, "--shift", "-2"}));
  EXPECT_EQ(free.exit_code, 0) << free.out << free.err;
  EXPECT_EQ(report(free)["options"]["errors"]["columns"]["slide"], 0.06);
  EXPECT_EQ(report(free)["executed"]["within"], true);
  EXPECT_NEAR(report(free)["executed"]["joints"][0]["allowed"].get<double>(), 0.04, 1e-9);
  EXPECT_EQ(run_command(with("time,slide,slide.error\n0,0,0\n5,1.25,0.06\n")).exit_code, 1);
  const CommandResult narrow =
      run_command(with("time,slide,slide.error\n0,0,0.001\n5,1.25,0.001\n", {"--executed", late, "--shift", "-2"}));
  EXPECT_EQ(narrow.exit_code, 1);
  EXPECT_EQ(report(narrow)["verdict"], "free");
  EXPECT_EQ(report(narrow)["executed"]["within"], false);
  expect_bad_input(with(wide, {"--certificate", folder.path("no.pccd")}), {"--certificate", "columns of errors"});
  expect_bad_input(with(wide, {"--method", "hca"}), {"knows no errors"});
}

TEST_F(ExecutedTest, RefusesWhatItCannotCompare) {
  const std::vector<std::string> alone = {"check", "--robot", urdf, "--path", plan};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), alone.begin(), alone.end());
    return more;
  };
  expect_bad_input(with({"--shift", "1"}), {"--shift", "--executed, which is missing"});
  expect_bad_input(with({"--executed", late, "--executed-topic", "/joint_states"}), {"--executed-topic", "is none"});
  expect_bad_input(with({"--executed", folder.write("untimed.csv", "slide\n0\n1\n")}), {"by the clock"});
  const std::string timeline = folder.write("timeline.yaml", "events: [{at: 1, detach: cup}]\n");
  expect_bad_input(with({"--executed", late, "--timeline", timeline}), {"--executed", "--timeline"});
}

}  // namespace
}  // namespace planner_ccd::test
