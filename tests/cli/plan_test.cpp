#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace planner_ccd::test {
namespace {

using nlohmann::json;

// Beside the car and far inside it; the straight line between them is blocked.
const std::string kStart = "1.39626,1.58021,-3.46732,0,-0.03275,0";
const std::string kGoal = "joint6=1.5708,joint1=-0.06981, joint2=0.60434,joint3=-2.60184,joint4=0,joint5=-0.0969";

std::vector<std::string> puma(const std::string& start, const std::string& goal, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {"plan",
                                        "--robot",
                                        source("urdf/puma.urdf"),
                                        "--srdf",
                                        source("urdf/puma.srdf"),
                                        "--scene",
                                        source("models/scenes/puma_car.yaml"),
                                        "--start",
                                        start,
                                        "--goal",
                                        goal};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// A block of 0.1 m that slides along x between -1 and 1 and turns about it by up to 3.14159, and a wall of 1 mm at x = 0.
struct Slider {
  TempFolder folder;
  std::string urdf =
      folder.write("slider.urdf",
                   "<robot name='slider'><link name='base'/><link name='cart'/><link name='block'><collision><geometry>"
                   "<box size='0.1 0.1 0.1'/></geometry></collision></link>"
                   "<joint name='slide' type='prismatic'><parent link='base'/><child link='cart'/><axis xyz='1 0 0'/>"
                   "<limit lower='-1' upper='1' velocity='1' effort='1'/></joint>"
                   "<joint name='turn' type='revolute'><parent link='cart'/><child link='block'/><axis xyz='1 0 0'/>"
                   "<limit lower='-3.14159' upper='3.14159' velocity='1' effort='1'/></joint></robot>");
  std::string scene = folder.write("wall.yaml", "objects: [{name: wall, box: {size: [0.001, 1, 1]}}]\n");

  std::vector<std::string> plan(const std::string& start, const std::string& goal, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"plan", "--robot", urdf, "--scene", scene, "--start",
                                          start,  "--goal",  goal, "--time",  "60"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

#ifdef PLANNER_CCD_CAN_PLAN

/// A goal of 3.1416 was refused where the URDF says 3.14159: five of the 21 problems of a Fetch.
TEST(Plan, ValueRoundedBeyondItsLimitIsTakenToItAndSaid) {
  Slider slider;
  const CommandResult result = run_command(slider.plan("0.5,-3.142", "0.9,3.1416", {"--json"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json plan = json::parse(result.out);
  ASSERT_EQ(plan["clamped"].size(), 2u);
  EXPECT_EQ(plan["clamped"][0], json({{"option", "start"}, {"joint", "turn"}, {"given", -3.142}, {"used", -3.14159}}));
  EXPECT_EQ(plan["clamped"][1], json({{"option", "goal"}, {"joint", "turn"}, {"given", 3.1416}, {"used", 3.14159}}));
  EXPECT_DOUBLE_EQ(plan["path"]["waypoints"].front()[1], -3.14159);
  EXPECT_DOUBLE_EQ(plan["path"]["waypoints"].back()[1], 3.14159);
  const CommandResult text = run_command(slider.plan("0.5,0", "0.9,3.1416"));
  EXPECT_NE(text.out.find("taken to its limit   --goal: turn = 3.1416 as 3.14159\n"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("--start"), std::string::npos) << text.out;
  const CommandResult exact = run_command(slider.plan("0.5,0", "0.9,3.14159", {"--json"}));
  EXPECT_EQ(json::parse(exact.out)["clamped"], json::array());
  // A joint that may not move is the same at both ends, also when both were rounded.
  EXPECT_EQ(run_command(slider.plan("slide=0.5", "slide=0.9", {"--hold", "turn=3.1416"})).exit_code, 0);
}

TEST(Plan, RangeIsTheLongestStepOfThePlanner) {
  Slider slider;
  std::size_t edges[2];
  for (const int fine : {0, 1}) {
    std::vector<std::string> more = {"--json"};
    if (fine == 1) more.insert(more.end(), {"--range", "0.05"});
    const CommandResult result = run_command(slider.plan("0.2,-2", "0.9,2", more));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const json plan = json::parse(result.out);
    edges[fine] = plan["edges_checked"];
    if (fine == 0) {
      EXPECT_GT(plan["options"]["range"], 0.5);
    } else {
      EXPECT_EQ(plan["options"]["range"], 0.05);
      EXPECT_GT(plan["found_waypoints"], 4.0 / 0.05);
    }
  }
  EXPECT_GT(edges[1], 4 * edges[0]);
  const json none = json::parse(run_command(slider.plan("0.2,-2", "0.9,2", {"--json", "--planner", "PRM"})).out);
  EXPECT_TRUE(none["options"]["range"].is_null());
  expect_bad_input(slider.plan("0.2,-2", "0.9,2", {"--planner", "PRM", "--range", "0.1"}),
                   {"--range", "PRM", "no longest step"});
}

TEST(Plan, WritesAPathThatCheckProvesFree) {
  const TempFolder folder;
  const std::string out = folder.path("plan.csv");
  const CommandResult result = run_command(puma(kStart, kGoal, {"--out", out, "--time", "60", "--json"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json plan = json::parse(result.out);
  EXPECT_TRUE(plan["solved"]);
  EXPECT_TRUE(plan["proved_free"]);
  EXPECT_EQ(plan["proof"]["verdict"], "free");
  EXPECT_EQ(plan["proof"]["segments"], plan["waypoints"].get<int>() - 1);
  EXPECT_GT(plan["edges_checked"], plan["edges_free"]);
  EXPECT_GT(plan["checking_share"], 0.0);
  EXPECT_LE(plan["checking_share"], 1.0);
  EXPECT_LE(plan["length"].get<double>(), plan["found_length"].get<double>() + 1e-12);
  const json& rows = plan["path"]["waypoints"];
  EXPECT_EQ(plan["path"]["joints"].size(), 6u);
  EXPECT_GT(rows.size(), 2u);
  EXPECT_DOUBLE_EQ(rows.front()[0], 1.39626);
  EXPECT_DOUBLE_EQ(rows.back()[0], -0.06981);
  EXPECT_DOUBLE_EQ(rows.back()[4], -0.0969);
  EXPECT_EQ(plan["out"], out);

  const CommandResult check =
      run_command({"check", "--robot", source("urdf/puma.urdf"), "--srdf", source("urdf/puma.srdf"), "--scene",
                   source("models/scenes/puma_car.yaml"), "--path", out});
  EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
}

TEST(Plan, SameSeedGivesTheSamePathAndTextSaysWhatItCost) {
  const TempFolder folder;
  std::string texts[2];
  for (std::string& text : texts) {
    const CommandResult result = run_command(puma(kStart, kGoal, {"--seed", "7", "--time", "60"}));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    for (const char* part : {"solved: ", "proved free everywhere", "  checking ", " edges ("}) {
      EXPECT_NE(result.out.find(part), std::string::npos) << result.out;
    }
    text = result.out.substr(result.out.find("joint1,joint2"));
  }
  EXPECT_EQ(texts[0], texts[1]);
}

TEST(Plan, ContinuousJointsAreWrittenWithoutWrapping) {
  const TempFolder folder;
  const std::string urdf = folder.write(
      "turner.urdf",
      "<robot name='turner'><link name='base'/><link name='bar'><collision><origin xyz='0.3 0 0'/><geometry>"
      "<box size='0.6 0.02 0.02'/></geometry></collision></link><joint name='turn' type='continuous'>"
      "<parent link='base'/><child link='bar'/><axis xyz='0 0 1'/></joint></robot>");
  const std::string scene =
      folder.write("post.yaml", "objects: [{name: post, box: {size: [0.05, 0.05, 0.5]}, pose: {xyz: [0.4, 0, 0]}}]\n");
  const CommandResult result = run_command(
      {"plan", "--robot", urdf, "--scene", scene, "--start", "2.5", "--goal", "turn=-2.5", "--time", "60", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json rows = json::parse(result.out)["path"]["waypoints"];
  EXPECT_DOUBLE_EQ(rows.front()[0], 2.5);
  EXPECT_NEAR(rows.back()[0], 2.0 * M_PI - 2.5, 1e-12);
}

TEST(Plan, NoPathInTimeExitsWithThree) {
  const TempFolder folder;
  const std::string urdf = folder.write(
      "slider.urdf",
      "<robot name='slider'><link name='base'/><link name='block'><collision><geometry><box size='0.1 0.1 0.1'/>"
      "</geometry></collision></link><joint name='slide' type='prismatic'><parent link='base'/><child link='block'/>"
      "<axis xyz='1 0 0'/><limit lower='-1' upper='1' velocity='1' effort='1'/></joint></robot>");
  const std::string scene = folder.write("wall.yaml", "objects: [{name: wall, box: {size: [0.001, 1, 1]}}]\n");
  const CommandResult result = run_command({"plan", "--robot", urdf, "--scene", scene, "--start", "-0.5", "--goal",
                                            "0.5", "--time", "0.2", "--json", "--out", folder.path("none.csv")});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  const json plan = json::parse(result.out);
  EXPECT_FALSE(plan["solved"]);
  EXPECT_FALSE(plan["proved_free"]);
  EXPECT_TRUE(plan["path"].is_null());
  EXPECT_TRUE(plan["out"].is_null());
  EXPECT_FALSE(std::filesystem::exists(folder.path("none.csv")));
}

#else

TEST(Plan, SaysWhatIsMissing) { expect_bad_input(puma(kStart, kGoal), {"OMPL", "libompl-dev"}); }

#endif

/// "block meets wall there" for a goal that is 26.6 um clear.
TEST(Plan, RefusedGoalSaysByHowMuch) {
  Slider slider;
  expect_bad_input(
      slider.plan("0.5,0", "0.0505266,0"),
      {"--goal: block is 26.6 um clear of wall there, the tolerance is 0.1 mm: a --tolerance below 26.6 um"});
  expect_bad_input(slider.plan("0.0405,0", "0.5,0"), {"--start: block meets wall there, 10 mm deep"});
  expect_bad_input(slider.plan("0.5,0", "0.0585,0", {"--margin", "0.01"}),
                   {"--goal: block comes within 8 mm of wall there (10 mm asked for by the margin)"});
  slider.scene = slider.folder.write("room.yaml",
                                     "objects: [{name: room, box: {size: [4, 4, 4]}, pose: {xyz: [0, 0, 0]}},"
                                     " {name: wall, box: {size: [0.001, 1, 1]}}]\n");
  expect_bad_input(slider.plan("0.5,0", "0,0"), {"--start: ", "one is inside the other there"});
  slider.scene = slider.folder.write(
      "walls.yaml", "objects: [{name: wall, box: {size: [0.001, 1, 1]}}, {name: floor, box: {size: [1, 1, 0.08]}}]\n");
  expect_bad_input(slider.plan("0.9,0", "0,0"), {"--goal: ", "so it is with 1 more pair"});
  expect_bad_input(slider.plan("0.5,0", "0.9,3.1422"),
                   {"--goal: turn = 3.1422 is beyond its limits", "by more than the 0.0005"});
  expect_bad_input(slider.plan("-1.1,0", "0.9,0"), {"--start: slide = -1.1 is beyond its limits"});
  expect_bad_input(slider.plan("0.5,0", "0.9,0", {"--range", "0"}), {"--range"});
}

#ifdef PLANNER_CCD_CAN_PLAN
/// What is said to be accepted is.
TEST(Plan, SmallerToleranceAcceptsWhatIsClear) {
  Slider slider;
  EXPECT_EQ(run_command(slider.plan("0.5,0", "0.0505266,0", {"--tolerance", "2e-5"})).exit_code, 0);
}
#endif

TEST(Plan, HelpSaysWhoseTimeItIs) {
  const CommandResult result = run_command({"plan", "--help"});
  EXPECT_NE(result.out.find("by the wall clock"), std::string::npos) << result.out;
}

TEST(Plan, BadInputIsNamed) {
  expect_bad_input({"plan", "--robot", source("urdf/puma.urdf"), "--goal", kGoal}, {"--start"});
  expect_bad_input(puma("1,2,3", kGoal), {"--start", "3 values", "6"});
  expect_bad_input(puma("joint1=0", kGoal), {"--start", "joint2"});
  expect_bad_input(puma("joint1=0,joint9=1", kGoal), {"--start", "joint9"});
  expect_bad_input(puma("joint1=0,joint1=1", kGoal), {"--start", "twice"});
  expect_bad_input(puma(kStart, "1,2,3,4,5,six"), {"--goal", "six"});
  expect_bad_input(puma(kStart, "nowhere"), {"--goal", "nowhere"});
  expect_bad_input(puma("9,0,0,0,0,0", kGoal), {"--start", "joint1", "limits"});
  expect_bad_input(puma(kStart, "1.0923045386772803,0.036192315584150536,-2.4685836307190305,0,0.2634766515677332,0"),
                   {"--goal", "gripper is 8.52 um clear of car"});
  expect_bad_input(puma(kStart, kGoal, {"--planner", "magic"}), {"magic"});
  expect_bad_input(puma(kStart, kGoal, {"--time", "0"}), {"--time"});
  expect_bad_input(puma(kStart, kGoal, {"--seed", "-1"}), {"--seed"});
}

}  // namespace
}  // namespace planner_ccd::test
