// Several robots in one scene: their names, bases, rules, clocks, and messages about bad combinations.
#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace planner_ccd::test {
namespace {

using nlohmann::json;

/// `command` with two 7R arms that stand face to face, 1.1 m apart.
std::vector<std::string> two_arms(const std::string& command, const std::vector<std::string>& more) {
  std::vector<std::string> words = {command};
  for (const std::string prefix : {"left_", "right_"}) {
    if (command == "check") words.emplace_back("--robot");
    words.push_back(prefix + "=" + source("urdf/arm7.urdf"));
    words.insert(words.end(), {"--srdf", prefix + "=" + source("urdf/arm7.srdf")});
    if (command == "check") words.insert(words.end(), {"--path", prefix + "=" + source("models/paths/arm_pick.csv")});
  }
  words.insert(words.end(), {"--base", "right_=1.1,0,0,0,0,3.14159"});
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

bool validates(const std::string& out) {
  const TempFolder folder;
  return std::system(("python3 -c 'import json, sys, jsonschema; jsonschema.validate(json.load(open(sys.argv[1])), "
                      "json.load(open(sys.argv[2])))' " +
                      folder.write("out.json", out) + " " + source("planner_ccd/cli/check.schema.json"))
                         .c_str()) == 0;
}

/// A cart on a rail along x with a cube of 0.2 m, and its motion: from 0 to 1 m in 2 s.
struct Cart {
  TempFolder folder;
  std::string urdf = folder.write(
      "cart.urdf",
      "<robot name='cart'><link name='rail'/><link name='car'><collision><geometry><box size='0.2 0.2 0.2'/></geometry>"
      "</collision></link><joint name='x' type='prismatic'><parent link='rail'/><child link='car'/><axis xyz='1 0 0'/>"
      "<limit lower='-5' upper='5' velocity='9' effort='1'/></joint></robot>");
  std::string path = folder.write("go.csv", "time,x\n0,0\n2,1\n");

  std::vector<std::string> two(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"check", "--json", "--robot", "a_=" + urdf, "--robot", "b_=" + urdf};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST(SeveralRobots, MeetOnlyBecauseOfTheirTiming) {
  const CommandResult together = run_command(two_arms("check", {"--json", "--all"}));
  EXPECT_EQ(together.exit_code, 1) << together.err;
  const json out = json::parse(together.out);
  EXPECT_TRUE(validates(together.out));
  for (const json& finding : out["findings"]) {
    const std::string a = finding["contact"]["a"], b = finding["contact"]["b"];
    EXPECT_NE(a.rfind("left_", 0) == 0, b.rfind("left_", 0) == 0) << a << " and " << b;
  }
  ASSERT_EQ(out["robots"].size(), 2u);
  EXPECT_EQ(out["robots"][1]["prefix"], "right_");
  EXPECT_NEAR(out["robots"][1]["base"]["xyz"][0], 1.1, 1e-12);
  const CommandResult delayed = run_command(two_arms("check", {"--json", "--all", "--delay", "right_=3"}));
  EXPECT_EQ(delayed.exit_code, 0) << delayed.out << delayed.err;
  EXPECT_NEAR(json::parse(delayed.out)["end"], 7.7, 1e-12);
}

/// Face to face 2 m apart, both with speed 0.5: the cubes' faces meet when 2 - 0.2 = 0.5 (t - t_a) + 0.5 (t - t_b). A
/// turned base, a delay and times in the file must move the contact accordingly.
TEST(SeveralRobots, ContactComesWhenItIsComputedByHand) {
  const Cart cart;
  const std::vector<std::string> paths = {"--path", "a_=" + cart.path, "--path", "b_=" + cart.path};
  const auto first = [&](std::vector<std::string> more) {
    more.insert(more.end(), paths.begin(), paths.end());
    const CommandResult result = run_command(cart.two(more));
    EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
    return json::parse(result.out)["findings"][0]["begin"][1].get<double>();
  };
  const std::string turned = "b_=2,0,0,0,0,3.141592653589793";
  EXPECT_NEAR(first({"--base", turned}), 1.8, 1e-3);
  // The other one already stands at 1 m when its partner starts: 2 - 0.2 - 1 = 0.5 (t - 3).
  EXPECT_NEAR(first({"--base", turned, "--delay", "a_=3"}), 4.6, 1e-3);
  EXPECT_NEAR(first({"--base", turned, "--delay", "b_=0.4"}), 2.0, 1e-3);
  EXPECT_NEAR(first({"--base", "b_=-1,0,0,0,0,0", "--base", "a_=0.75,0,0,0,0,3.141592653589793"}), 1.55, 1e-3);
}

TEST(SeveralRobots, HaveRulesAndLimitsOfTheirOwn) {
  const Cart cart;
  const std::string rules = cart.folder.write(
      "all.srdf", "<robot name='both'><disable_collisions link1='a_car' link2='b_car' reason='User'/></robot>");
  const std::string limits = cart.folder.write("limits.yaml", "joint_limits: {x: {max_velocity: 0.4}}");
  const std::vector<std::string> base = {"--base", "b_=2,0,0,0,0,3.14159",
                                         "--path", "a_=" + cart.path,
                                         "--hold", "b_x=0",
                                         "--path", "b_=" + cart.folder.write("rest.csv", "time,x\n0,0\n1,0\n")};
  std::vector<std::string> words = {"--limits", "b_=" + limits};
  words.insert(words.end(), base.begin(), base.end());
  EXPECT_EQ(run_command(cart.two(words)).exit_code, 0);
  words[1] = "a_=" + limits;
  const CommandResult slow = run_command(cart.two(words));
  EXPECT_EQ(slow.exit_code, 1) << slow.out;
  EXPECT_EQ(json::parse(slow.out)["findings"][0]["joint"], "a_x");
  const std::vector<std::string> both = {"--base", "b_=1,0,0",        "--path",  "a_=" + cart.path,
                                         "--path", "b_=" + cart.path, "--delay", "b_=9"};
  EXPECT_EQ(run_command(cart.two(both)).exit_code, 1);
  words = {"--allow-nothing-checked", "--srdf", rules};  // the only pair of bodies is excluded
  words.insert(words.end(), both.begin(), both.end());
  EXPECT_EQ(run_command(cart.two(words)).exit_code, 0);
}

TEST(SeveralRobots, AreInspectedAsOneAndTheirSrdfsJoined) {
  const TempFolder folder;
  const std::string written = folder.path("both.srdf");
  const CommandResult two = run_command(two_arms("inspect", {"--json", "--write-srdf", written}));
  ASSERT_EQ(two.exit_code, 0) << two.err;
  const CommandResult one =
      run_command({"inspect", source("urdf/arm7.urdf"), "--srdf", source("urdf/arm7.srdf"), "--json"});
  const json both = json::parse(two.out), alone = json::parse(one.out);
  EXPECT_EQ(both["dof"], 2 * alone["dof"].get<int>());
  EXPECT_EQ(both["triangles"], 2 * alone["triangles"].get<int>());
  EXPECT_EQ(both["robots"][0]["name"], "arm7");
  std::size_t across = 0, within = 0;
  for (const json& pair : both["pairs"]) {
    const bool left = pair[0].get<std::string>().rfind("left_", 0) == 0;
    (left != (pair[1].get<std::string>().rfind("left_", 0) == 0) ? across : within) += 1;
  }
  EXPECT_EQ(within, 2 * alone["pairs"].size());
  for (const json& e : both["excluded"]) {
    const bool left = e["a"].get<std::string>().rfind("left_", 0) == 0;
    across += e["reason"] == "proved apart" && left != (e["b"].get<std::string>().rfind("left_", 0) == 0);
  }
  EXPECT_EQ(across, 63u) << "8 x 8 links but for the two bases, which stand still";
  // The joined SRDF replaces both, and keeps groups and states.
  std::vector<std::string> again = {
      "inspect", "left_=" + source("urdf/arm7.urdf"), "--json", "right_=" + source("urdf/arm7.urdf"), "--srdf", written,
      "--base",  "right_=1.1,0,0,0,0,3.14159"};
  const CommandResult read = run_command(again);
  ASSERT_EQ(read.exit_code, 0) << read.err;
  EXPECT_EQ(json::parse(read.out)["pairs"], both["pairs"]);
  std::ifstream in(written);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_NE(text.str().find("group_state name=\"right_home\""), std::string::npos) << text.str();
}

TEST(SeveralRobots, AreShownOnOnePage) {
  const TempFolder folder;
  const CommandResult result = run_command(two_arms("view", {"--html", folder.path("v.html")}));
  if (result.err.find("this build cannot write pages") != std::string::npos) GTEST_SKIP() << result.err;
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(folder.path("v.html")));
}

TEST(SeveralRobots, BadCombinationsExitWithTwoAndSayWhatToDo) {
  const Cart cart;
  const std::string go = cart.path, robot = cart.urdf;
  const auto check = [&](std::vector<std::string> more) {
    more.insert(more.begin(), "check");
    return more;
  };
  expect_bad_input(check({"--robot", robot, "--robot", robot, "--path", go}), {"needs a prefix", "PREFIX="});
  expect_bad_input(check({"--robot", "a=" + robot, "--robot", "a=" + robot}), {"\"a\" is the prefix of", "already"});
  expect_bad_input(check({"--robot", "=" + robot}), {"PREFIX=FILE"});
  expect_bad_input(check({"--robot", "a="}), {"PREFIX=FILE"});
  expect_bad_input(cart.two({"--srdf", "c_=" + robot}), {"\"c_\"", "a_, b_"});
  expect_bad_input(cart.two({"--base", "0,0,0"}), {"which robot", "a_, b_"});
  expect_bad_input(cart.two({"--base", "c_=0,0,0"}), {"\"c_\"", "a_, b_"});
  expect_bad_input(cart.two({"--base", "a_=0,0,0", "--base", "a_=1,0,0"}), {"has a base already"});
  for (const char* base : {"0,0", "0,0,0,0", "0,0,x", "0,0,nan", "", "0,0,0,0,0,0,0", "0,0,,", "1e300,0,0"}) {
    expect_bad_input(cart.two({"--base", std::string("a_=") + base}), {"--base a_="});
  }
  expect_bad_input(cart.two({"--path", "a_=" + go, "--path", "b_=" + go, "--delay", "2"}), {"--delay", "no --path"});
  expect_bad_input(cart.two({"--path", "a_=" + go, "--path", "b_=" + go, "--delay", "a_=x"}), {"SECONDS"});
  expect_bad_input(cart.two({"--path", "a_=" + go}), {"b_x", "--hold"});
  expect_bad_input(cart.two({"--path", go}), {"\"x\" is not a joint", "a_x, b_x"});
  expect_bad_input(cart.two({"--path", "a_=" + go, "--path", "a_=" + go}), {"a_x", "already"});
  const std::string untimed = cart.folder.write("untimed.csv", "x\n0\n1\n");
  expect_bad_input(cart.two({"--path", "a_=" + go, "--path", "b_=" + untimed}), {"no times", "column of times"});
  expect_bad_input(check({"--robot", robot, "--path", untimed, "--delay", "1"}), {"untimed.csv", "no times"});
  expect_bad_input(cart.two({"--path", "a_=" + go, "--path", "b_=" + go, "--limits", "c_=" + go}), {"go.csv"});
  // "a" + "_x" and "a_" + "x" give the same name.
  const std::string other = cart.folder.write(
      "other.urdf",
      "<robot name='o'><link name='r'/><link name='c'/><joint name='_x' type='continuous'><parent link='r'/>"
      "<child link='c'/></joint></robot>");
  expect_bad_input(check({"--robot", "a=" + other, "--robot", "a_=" + robot, "--path", go}),
                   {"a_x", "twice", "different prefixes"});
}

/// An arm of one joint with a tool that slides out of its end, and the same written as one.
struct ToolOnArm {
  TempFolder folder;
  static std::string box(const std::string& name) {
    return "<link name='" + name + "'><collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link>";
  }
  static std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                           const std::string& rest) {
    return "<joint name='" + name + "' " + rest + "<parent link='" + parent + "'/><child link='" + child +
           "'/></joint>";
  }
  const std::string turn = "type='revolute'><axis xyz='0 0 1'/><limit lower='-3' upper='3' velocity='1' effort='1'/>";
  const std::string slide =
      "type='prismatic'><axis xyz='1 0 0'/><origin xyz='0.3 0 0'/><limit lower='0' upper='1' velocity='1' effort='1'/>";
  const std::string arm_text = box("base") + "<link name='tool0'/>" + joint("j", "base", "tool0", turn);
  std::string arm = folder.write("arm.urdf", "<robot name='arm'>" + arm_text + "</robot>");
  std::string tool = folder.write(
      "tool.urdf", "<robot name='tool'>" + box("palm") + box("tip") + joint("out", "palm", "tip", slide) + "</robot>");
  std::string whole = folder.write(
      "whole.urdf",
      "<robot name='arm'>" + arm_text + box("g_palm") + box("g_tip") + joint("g_out", "g_palm", "g_tip", slide) +
          joint("held", "tool0", "g_palm", "type='fixed'><origin xyz='0.5 0 0.1' rpy='0 0 1.57'/>") + "</robot>");
  std::string rules = folder.write("tool.srdf", "<robot name='tool'><disable_default_collisions link='tip'/></robot>");
  std::string scene =
      folder.write("scene.yaml", "objects: [{name: post, box: {size: [0.1, 0.1, 1]}, pose: {xyz: [0.2, 1.05, 0]}}]");
  std::string path = folder.write("go.csv", "time,j,g_out\n0,-1.2,0\n1,-0.6,0.4\n2,0.4,0.6\n");

  std::vector<std::string> check(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"check", "--json", "--all", "--scene", scene, "--path", path};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST(MountedTool, IsPartOfTheRobot) {
  const ToolOnArm t;
  const std::string mount = "g_=" + t.tool + ":tool0,0.5,0,0.1,0,0,1.57";
  const CommandResult two = run_command(t.check({"--robot", t.arm, "--mount", mount}));
  const CommandResult one = run_command(t.check({"--robot", t.whole}));
  EXPECT_EQ(two.exit_code, 1) << two.err << two.out;
  EXPECT_TRUE(validates(two.out));
  const json mounted = json::parse(two.out), whole = json::parse(one.out);
  EXPECT_EQ(mounted["findings"], whole["findings"]);
  EXPECT_EQ(mounted["assumptions"], whole["assumptions"]);
  EXPECT_EQ(mounted["robots"][1]["link"], "tool0");
  EXPECT_EQ(mounted["robots"][1]["prefix"], "g_");
  EXPECT_EQ(mounted["robots"][0]["link"], nullptr);
  // Rules of the tool come by its prefix and are about its links.
  const auto pairs = [](const CommandResult& result) { return json::parse(result.out)["pairs"].size(); };
  const std::vector<std::string> inspect = {"inspect", t.arm, "--mount", mount, "--json"};
  std::vector<std::string> ruled = inspect;
  ruled.insert(ruled.end(), {"--srdf", "g_=" + t.rules});
  EXPECT_EQ(run_command(ruled).exit_code, 0) << run_command(ruled).err;
  EXPECT_EQ(pairs(run_command(inspect)), pairs(run_command(ruled))) << "base and tip are still checked";
  // On one of several robots, and apart from the other's files.
  const CommandResult several = run_command({"inspect", "a_=" + t.arm, "b_=" + t.arm, "--base", "b_=3,0,0", "--mount",
                                             "g_=" + t.tool + ":b_tool0", "--json"});
  EXPECT_EQ(several.exit_code, 0) << several.err;
  EXPECT_EQ(json::parse(several.out)["dof"], 3);
}

TEST(MountedTool, WhatCannotBeMountedIsSaid) {
  const ToolOnArm t;
  const auto bad = [&](const std::vector<std::string>& more, const std::vector<std::string>& says) {
    std::vector<std::string> words = {"inspect", t.arm};
    words.insert(words.end(), more.begin(), more.end());
    expect_bad_input(words, says);
  };
  bad({"--mount", "g_=" + t.tool}, {"--mount", "FILE:LINK"});
  bad({"--mount", "g_=" + t.tool + ":"}, {"FILE:LINK"});
  bad({"--mount", "g_=" + t.tool + ":,0,0,0"}, {"FILE:LINK"});
  bad({"--mount", "g_=" + t.tool + ":tool0,0,0"}, {"X,Y,Z"});
  bad({"--mount", "g_=" + t.tool + ":tool"}, {"no link \"tool\"", "did you mean \"tool0\"?"});
  bad({"--mount", t.arm + ":tool0"}, {"'j' would be there twice"});
  bad({"--mount", "g_=" + t.tool + ":tool0", "--base", "g_=0,0,0"}, {"--base", "is mounted"});
  bad({"--mount", "g_=" + t.tool + ":tool0", "--mount", "g_=" + t.tool + ":tool0"},
      {"\"g_\" is the prefix of", "already"});
  bad({"--mount", "g_=" + t.tool + ":tool0", "--srdf", "h_=" + t.rules}, {"\"h_\" is no robot's prefix", "g_"});
}

/// Whatever these options contain: a verdict, or exit code 2 with one message.
TEST(SeveralRobots, MangledOptionsNeverEndInAnythingElse) {
  const Cart cart;
  unsigned state = 20261118;
  const auto next = [&](unsigned below) { return (state = state * 1664525u + 1013904223u) / 65536u % below; };
  int bad = 0;
  for (int i = 0; i < 60; ++i) {
    std::vector<std::string> words =
        cart.two({"--base", "b_=2,0,0", "--path", "a_=" + cart.path, "--path", "b_=" + cart.path, "--delay", "b_=1"});
    std::string& word = words[std::vector<std::size_t>{3, 5, 7, 9, 11, 13}[next(6)]];
    for (unsigned k = 0; k <= next(3); ++k) word[next(std::min<unsigned>(12, word.size()))] = "=,._ab019-e /"[next(13)];
    const CommandResult result = run_command(words);
    ASSERT_LE(result.exit_code, 3) << word << result.err;
    if (result.exit_code != 2) continue;
    ++bad;
    EXPECT_EQ(result.out.substr(0, 12), "{\n  \"error\":") << word;  // cart.two() asks for JSON
    EXPECT_EQ(result.err.rfind("planner_ccd: ", 0), 0u) << word << result.err;
  }
  EXPECT_GT(bad, 20);
}

}  // namespace
}  // namespace planner_ccd::test
