// A new user's first day with a robot: mistyped names, files in other units, margins, messages for CI.
#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace planner_ccd::test {
namespace {

using nlohmann::json;

std::string slurp(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A stand on a link called "world", a cart that slides on it, a turning arm on that, and a frame without geometry.
class FirstDay : public ::testing::Test {
 protected:
  TempFolder folder;
  std::string urdf = folder.write(
      "cart.urdf",
      "<robot name='cart'><link name='world'/><link name='stand'><collision><geometry><box size='0.2 0.2 "
      "0.2'/></geometry>"
      "</collision></link><link name='cart'><collision><geometry><box size='0.2 0.2 "
      "0.2'/></geometry></collision></link>"
      "<link name='arm'><collision><origin xyz='0 0 0.3'/><geometry><sphere "
      "radius='0.05'/></geometry></collision></link>"
      "<link name='tool0'/>"
      "<joint name='fix' type='fixed'><parent link='world'/><child link='stand'/></joint>"
      "<joint name='slide' type='prismatic'><parent link='stand'/><child link='cart'/><origin xyz='0.5 0 0'/>"
      "<axis xyz='1 0 0'/><limit lower='-1' upper='4' velocity='1' effort='1'/></joint>"
      "<joint name='turn' type='revolute'><parent link='cart'/><child link='arm'/><axis xyz='1 0 0'/>"
      "<limit lower='-3' upper='3' velocity='1' effort='1'/></joint>"
      "<joint name='tool' type='fixed'><parent link='arm'/><child link='tool0'/></joint></robot>");
  std::string scene =
      folder.write("scene.yaml", "objects: [{name: wall, box: {size: [0.2, 2, 2]}, pose: {xyz: [2, 0, 0]}}]\n");
  /// The cart's front ends 0.05 m before the wall: the front is at 0.6 + slide, the wall at 1.9.
  std::string near = folder.write("near.csv", "time,slide,turn\n0,0,0\n5,1.25,0\n");
  std::string into = folder.write("into.csv", "time,slide,turn\n10,0,0\n12,1.5,0\n");

  std::vector<std::string> check(const std::string& path, std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {"check", "--robot", urdf, "--scene", scene, "--path", path};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  static void expect_says(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts)
      EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' in: " << text;
  }
};

TEST_F(FirstDay, MarginsAreToTheWorldAndSelfMarginsWithinTheRobot) {
  EXPECT_EQ(run_command(check(near)).exit_code, 0);
  EXPECT_EQ(run_command(check(near, {"--margin", "0.049"})).exit_code, 0)
      << "the arm is nearer to its stand than to the wall";
  const CommandResult close = run_command(check(near, {"--margin", "0.06"}));
  EXPECT_EQ(close.exit_code, 1);
  expect_says(close.out, {"too close: cart comes within 50", " mm of wall (margin 60 mm) in segment 0, t = 0.99",
                          " s\n", "error: margin: cart comes within 50",
                          "distance: more than 60 mm to the world and between robots, 0 mm within a robot"});
  EXPECT_EQ(close.out.find("meets"), std::string::npos) << close.out;
  // Within the robot: at the nearest the arm's ball is 0.397 m from the stand.
  EXPECT_EQ(run_command(check(near, {"--self-margin", "0.39"})).exit_code, 0);
  EXPECT_EQ(run_command(check(near, {"--self-margin", "0.41"})).exit_code, 1);
  expect_bad_input(check(near, {"--self-margin", "-1"}), {"--self-margin"});
}

TEST_F(FirstDay, ErrorsOfJointsBasesAndObjectsTakeTheRoom) {
  EXPECT_EQ(run_command(check(near, {"--tracking-error", "0.049", "--tracking-error", "turn=0"})).exit_code, 0);
  const CommandResult close = run_command(check(near, {"--tracking-error", "slide=0.06"}));
  EXPECT_EQ(close.exit_code, 1);
  expect_says(close.out,
              {"too close: cart comes within 50", " mm of wall, and errors may bring them 60 mm nearer in segment 0",
               "errors may take      0.06", "errors: slide 0.06\n"});
  EXPECT_EQ(run_command(check(near, {"--base-error", "0.049"})).exit_code, 0);
  EXPECT_EQ(run_command(check(near, {"--base-error", "0.051"})).exit_code, 1);
  EXPECT_EQ(run_command(check(near, {"--base-error", "0,0.1"})).exit_code, 1) << "the cart's edges turn by 0.1 rad";
  EXPECT_EQ(run_command(check(near, {"--tracking-error", "slide=0.03", "--base-error", "0.03"})).exit_code, 1);
  EXPECT_EQ(run_command(check(near, {"--tracking-delay", "0.1"})).exit_code, 0);
  EXPECT_EQ(run_command(check(near, {"--tracking-delay", "0.3"})).exit_code, 1) << "0.25 m/s";
  const std::string uncertain = folder.write(
      "uncertain.yaml",
      "objects: [{name: wall, box: {size: [0.2, 2, 2]}, pose: {xyz: [2, 0, 0]}, pose_error: {xyz: 0.06}}]\n");
  const CommandResult moved = run_command({"check", "--robot", urdf, "--scene", uncertain, "--path", near, "--json"});
  EXPECT_EQ(moved.exit_code, 1);
  const auto report = nlohmann::json::parse(moved.out);
  EXPECT_NEAR(report["contact"]["error"].get<double>(), 0.06, 1e-12);
  EXPECT_EQ(report["options"]["errors"]["objects"]["wall"]["xyz"], 0.06);
  EXPECT_EQ(report["contact"]["margin"], 0.0);
  const CommandResult limit = run_command(check(near, {"--max-tracking-error", "--json"}));
  EXPECT_EQ(limit.exit_code, 0);
  const auto found = nlohmann::json::parse(limit.out)["tracking_limit"];
  EXPECT_NEAR(found["proved"].get<double>(), 0.05, 1e-3);
  EXPECT_EQ(found["b"], "wall");
  expect_bad_input(check(near, {"--tracking-error", "-1"}), {"--tracking-error -1", "from 0 to 1000"});
  expect_bad_input(check(near, {"--tracking-error", "slid=0.1"}), {"no joint \"slid\"", "did you mean \"slide\"?"});
  expect_bad_input(check(near, {"--tracking-error", "slide="}), {"from 0 to 1000"});
  expect_bad_input(check(near, {"--base-error", "0.1,far"}), {"--base-error", "radians"});
  expect_bad_input(check(near, {"--base-error", "left_=0.1"}), {"is no robot's prefix", "the only robot has none"});
  expect_bad_input(check(near, {"--tracking-error", "0.01", "--certificate", folder.path("no.pccd")}),
                   {"--certificate"});
  expect_bad_input(check(near, {"--tracking-error", "0.01", "--method", "hca"}), {"knows no errors"});
}

TEST_F(FirstDay, TooCloseIsAFindingOfItsOwn) {
  for (const bool all : {false, true}) {
    const std::string junit = folder.path("junit.xml");
    std::vector<std::string> more = {"--margin", "0.06", "--json", "--junit", junit};
    if (all) more.emplace_back("--all");
    const json out = json::parse(run_command(check(near, more)).out);
    ASSERT_EQ(out["findings"].size(), 1u);
    const json& finding = out["findings"][0];
    EXPECT_EQ(finding["kind"], "margin");
    EXPECT_NEAR(finding["value"].get<double>(), 0.05, 1e-3);
    EXPECT_DOUBLE_EQ(finding["limit"].get<double>(), 0.06);
    EXPECT_DOUBLE_EQ(finding["contact"]["margin"].get<double>(), 0.06);
    EXPECT_DOUBLE_EQ(out["options"]["margin"].get<double>(), 0.06);
    EXPECT_DOUBLE_EQ(out["options"]["self_margin"].get<double>(), 0.0);
    expect_says(slurp(junit), {"<failure type=\"margin\"", "name=\"no contact\""});
  }
  const json meets = json::parse(run_command(check(into, {"--margin", "0.06", "--json", "--all"})).out);
  EXPECT_EQ(meets["findings"][0]["kind"], "contact_at_end");
}

TEST_F(FirstDay, PaddingIsOfOneLinkAndReported) {
  const std::string padded = folder.write("padded.yaml", slurp(scene) + "padding: {cart: 0.06}\n");
  const std::vector<std::string> asked = {"check", "--robot", urdf, "--scene", padded, "--path", near};
  const CommandResult text = run_command(asked);
  EXPECT_EQ(text.exit_code, 1);
  expect_says(text.out, {"too close", "padding: cart 60 mm"});
  std::vector<std::string> as_json = asked;
  as_json.emplace_back("--json");
  EXPECT_DOUBLE_EQ(json::parse(run_command(as_json).out)["options"]["padding"]["cart"].get<double>(), 0.06);
  expect_bad_input({"check", "--robot", urdf, "--path", near, "--scene",
                    folder.write("bad.yaml", slurp(scene) + "padding: {crat: 0.06}\n")},
                   {"bad.yaml:2", "crat", "did you mean \"cart\"?"});
  expect_bad_input({"check", "--robot", urdf, "--path", near, "--scene",
                    folder.write("bad.yaml", slurp(scene) + "padding: {wall: 0.06}\n")},
                   {"wall", "give it margins"});
}

TEST_F(FirstDay, ABaseForARobotOnALinkCalledWorld) {
  const CommandResult result = run_command(check(near, {"--base", "0,0,0.5"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(run_command(check(into, {"--base", "-1,0,0"})).exit_code, 0) << "a metre farther from the wall";
}

TEST_F(FirstDay, HelpPrintsWhatFilesLookLike) {
  const std::pair<const char*, const char*> topics[] = {
      {"scene", "padding: {"}, {"path", "one waypoint per row"}, {"trajectory", "joint_names: ["},
      {"mesh", "package://"},  {"json", "\"verdict\""},          {"robots", "--srdf PREFIX="},
      {"plan", "--group"},     {"exit", "3 undecided"}};
  for (const auto& [topic, part] : topics) {
    const CommandResult result = run_command({"help", topic});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.out.rfind("## ", 0), 0u) << topic;
    EXPECT_NE(result.out.find(part), std::string::npos) << topic << ": " << result.out;
  }
  expect_bad_input({"help", "scenes"}, {"scenes"});
  const std::string man = run_command({"man"}).out, help = run_command({"--help"}).out;
  for (const std::string& text : {man, help}) expect_says(text, {"limit", "planner_ccd help"});
  expect_says(
      run_command({"check", "--help"}).out,
      {"Exit codes: 0 free, 1 contact, too close, or a limit that is exceeded", "2 bad input, or what --strict"});
  expect_says(run_command({"plan", "--help"}).out, {"Exit codes: 0 solved", "3 no plan in time"});
  expect_says(run_command({"view", "--help"}).out, {"Exit codes: 0 done, 2 bad input"});
}

TEST_F(FirstDay, BadInputReachesPipelines) {
  const std::string junit = folder.path("bad.xml");
  for (const std::vector<std::string>& wrong : {check(folder.path("none.csv"), {"--json", "--junit", junit}),
                                                check(near, {"--json", "--junit=" + junit, "--marign", "1"})}) {
    std::remove(junit.c_str());
    const CommandResult result = run_command(wrong);
    EXPECT_EQ(result.exit_code, 2);
    const json record = json::parse(result.out);
    EXPECT_EQ(record["exit_code"], 2);
    EXPECT_EQ("planner_ccd: " + record["error"].get<std::string>() + "\n", result.err);
    expect_says(slurp(junit), {"errors=\"1\"", "<error type=\"bad_input\""});
  }
  EXPECT_EQ(run_command(check(folder.path("none.csv"))).out, "");
}

TEST_F(FirstDay, MistypedWordsAreAnsweredWithTheRightOnes) {
  expect_bad_input({"chek", "--robot", urdf}, {"no command \"chek\"", "did you mean \"check\"?"});
  expect_bad_input(check(near, {"--marign", "0.1"}), {"--marign is no option of check", "did you mean \"margin\"?"});
  expect_bad_input(check(near, {"--json", "one", "two"}), {"not expected: \"one\" \"two\""});
  expect_bad_input(check(near, {"--method", "tailor"}),
                   {"--method: \"tailor\" is none of", "did you mean \"taylor\"?"});
  expect_bad_input({"help", "scen"}, {"TOPIC: \"scen\" is none of", "did you mean \"scene\"?"});
  expect_bad_input(check(near, {"-margin", "1"}), {"\"-margin\"", "two dashes: --margin"});
  expect_bad_input(check(near, {"--tolerance"}), {"--tolerance needs a value: --tolerance T"});
  expect_bad_input(check(near, {"--hold", "--all"}), {"--hold needs a value"});
  expect_bad_input(check(near, {"--tolerance", "1", "--tolerance=2"}), {"--tolerance is given more than once"});
  expect_bad_input(check(folder.write("p.csv", "slid,turn\n0,0\n")), {"p.csv:1", "did you mean \"slide\"?"});
  expect_bad_input(check(folder.write("q.csv", "slide\n0\n"), {"--hold", "trun=0"}), {"did you mean \"turn\"?"});
  expect_bad_input(
      {"check", "--robot", urdf, "--path", near, "--scene", folder.write("a.yaml", "allow: [[cart, tol0]]\n")},
      {"a.yaml:1", "did you mean \"tool0\"?"});
  expect_bad_input({"check", "--robot", urdf, "--path", near, "--scene", folder.write("b.yaml", "object: []\n")},
                   {"b.yaml:1", "did you mean \"objects\"?"});
}

TEST_F(FirstDay, UnitsThatLookWrongAreSaid) {
  const CommandResult degrees = run_command(check(folder.write("deg.csv", "slide,turn\n0,0\n0,90\n0,120\n")));
  EXPECT_EQ(degrees.exit_code, 1);
  expect_says(degrees.out, {"warning: degrees: the angles look like degrees"});
  const CommandResult beyond = run_command(check(folder.write("far.csv", "slide,turn\n0,0\n0,3.5\n")));
  EXPECT_EQ(beyond.exit_code, 1);
  EXPECT_EQ(beyond.out.find("degrees: "), std::string::npos) << "3.5 rad is no angle in degrees: " << beyond.out;
  folder.write("big.obj", "v 0 0 0\nv 100 0 0\nv 0 100 0\nf 1 2 3\n");
  const std::string huge =
      folder.write("huge.yaml", "objects: [{name: hall, mesh: big.obj, pose: {xyz: [0, 0, 50]}}]\n");
  expect_says(run_command({"check", "--robot", urdf, "--path", near, "--scene", huge}).out, {"warning: ", "big.obj"});
  const auto warnings = [&](const std::string& object) {
    const std::string file = folder.write("units.yaml", "objects: [{name: hall, " + object + "}]\n");
    const std::string text = run_command({"check", "--robot", urdf, "--path", near, "--scene", file}).out;
    const std::size_t begin = text.find("warning: ");
    return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
  };
  const std::string far = ", pose: {xyz: [0, 0, 900]}";
  for (const char* shape : {"box: {size: [1, 100, 1]}", "sphere: {radius: 50}", "cylinder: {radius: 1, length: 100}",
                            "capsule: {radius: 25, length: 50}", "convex: {points: [[0, 0, 0], [0, 0, 100]]}"}) {
    expect_says(warnings(shape + far), {"warning: ", "units.yaml:1: object \"hall\" spans 100 m; sizes are in metres"});
  }
  EXPECT_EQ(warnings("box: {size: [1, 49, 1]}" + far), "");
  expect_says(warnings("sphere: {radius: 1}, pose: {xyz: [0, 0, 900], rpy: [0, 0, 90]}"),
              {"warning: ", "'rpy' has 90; angles are in radians"});
  EXPECT_EQ(warnings("sphere: {radius: 1}, pose: {xyz: [0, 0, 900], rpy: [0, 0, 6.28]}"), "");
}

TEST_F(FirstDay, DegreesOfJointsWithoutLimitsAreSaid) {
  std::string text = slurp(urdf);
  text.replace(text.find("name='turn' type='revolute'"), 27, "name='turn' type='continuous'");
  const std::string endless = folder.write("endless.urdf", text);
  const CommandResult degrees =
      run_command({"check", "--robot", endless, "--path", folder.write("d.csv", "slide,turn\n0,0\n0,90\n")});
  EXPECT_EQ(degrees.exit_code, 0) << degrees.out;
  expect_says(degrees.out, {"full_turn", "warning: degrees: the angles look like degrees"});
}

TEST_F(FirstDay, TextTellsTheClockAndNoMoreThanThereIs) {
  const CommandResult result = run_command(check(into));
  expect_says(result.out, {"contact: cart meets wall in segment 0, t = 0.86", ", at 11.7",
                           "proved free before   segment 0, t = 0.86"});
  const CommandResult start = run_command(check(folder.write("in.csv", "slide,turn\n1.5,0\n1.6,0\n")));
  expect_says(start.out, {"contact: cart meets wall in segment 0, t = 0\n"});
  EXPECT_EQ(start.out.find("proved free before"), std::string::npos) << start.out;
  const CommandResult spent = run_command(check(into, {"--max-evaluations", "1"}));
  EXPECT_EQ(spent.exit_code, 3);
  expect_says(spent.out, {"undecided: in segment 0 ", " and ", "not settled within the budget", "--max-evaluations",
                          "error: undecided: "});
  EXPECT_EQ(spent.out.find("undecided: undecided"), std::string::npos) << spent.out;
}

TEST_F(FirstDay, ARobotWithoutAnSrdfIsToldHowToGetOne) {
  const std::string folded = folder.write("folded.csv", "slide,turn\n-0.4,0\n-0.4,1\n");  // the cart is in its stand
  const CommandResult result = run_command({"check", "--robot", urdf, "--path", folded});
  EXPECT_EQ(result.exit_code, 0) << "adjacent links are not checked: " << result.out;
  const std::string bent =
      folder.write("bent.csv", "slide,turn\n-0.45,3\n-0.45,2.9\n");  // the arm reaches into the stand
  const std::string low = folder.write("low.urdf", [&] {
    std::string text = slurp(urdf);
    text.replace(text.find("0 0 0.3"), 7, "0 0 0.1");
    return text;
  }());
  const CommandResult met = run_command({"check", "--robot", low, "--path", bent});
  EXPECT_EQ(met.exit_code, 1) << met.out;
  expect_says(met.out, {"hint: ", "inspect ROBOT.urdf --suggest --write-srdf"});
  const std::string srdf = folder.write("low.srdf", "<robot name='cart'/>");
  EXPECT_EQ(run_command({"check", "--robot", low, "--path", bent, "--srdf", srdf}).out.find("hint"), std::string::npos);
}

TEST_F(FirstDay, WhatIsNotReadPointsToWhatIs) {
  const std::string cloud = folder.write("cloud.ply",
                                         "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float "
                                         "y\nproperty float z\nend_header\n0 0 0\n1 1 1\n");
  expect_bad_input({"check", "--robot", urdf, "--path", near, "--scene",
                    folder.write("c.yaml", "objects: [{name: cloud, mesh: cloud.ply}]\n")},
                   {"2 points and no faces", "give it as cloud: {file: ..., radius: ...}"});
  expect_bad_input({"check", "--robot", urdf, "--path", near, "--scene",
                    folder.write("m.yaml", "name: demo\nworld:\n  octomap: {octomap: {data: [1, 2]}}\n")},
                   {"octomap of a PlanningScene", ".bt"});
  const auto refused = [&](const std::string& text, const std::vector<std::string>& parts) {
    expect_bad_input({"check", "--robot", urdf, "--path", near, "--scene", folder.write("other.yaml", text)}, parts);
  };
  refused("collision_objects: []\n", {"other.yaml:1", "part of MoveIt's messages", "world: {collision_objects"});
  refused("scene: {world: {}}\n", {"other.yaml:1", "part of MoveIt's messages"});
  refused(
      "world:\n  collision_objects:\n  - {id: a, header: {frame_id: shelf}, primitives: [{type: sphere, dimensions: "
      "[1]}]}\n",
      {"frame \"shelf\"", "say in fixed_frame_transforms where it is"});
  refused(slurp(urdf), {"other.yaml: this is XML", "a robot of its own"});
}

#ifdef PLANNER_CCD_CAN_PLAN

TEST_F(FirstDay, PlansOfAGroupWithHeldJointsAndPartialGoalsAsARosMessage) {
  const std::string srdf = folder.write(
      "cart.srdf",
      "<robot name='cart'><group name='base'><joint name='slide'/></group><group name='head'><chain base_link='cart' "
      "tip_link='tool0'/></group><group_state name='up' group='head'><joint name='turn' value='0'/></group_state>"
      "<group_state name='out' group='base'><joint name='slide' value='1'/></group_state></robot>");
  const std::string out = folder.path("plan.yaml");
  const auto plan = [&](std::vector<std::string> more) {
    std::vector<std::string> all = {"plan", "--robot", urdf, "--srdf", srdf, "--scene", scene, "--time", "60"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const CommandResult base =
      run_command(plan({"--group", "base", "--start", "slide=0,turn=0.5", "--goal", "out", "--out", out}));
  ASSERT_EQ(base.exit_code, 0) << base.err;
  expect_says(slurp(out),
              {"joint_names: [slide]", "positions: [0], time_from_start: 0", "positions: [1], time_from_start: "});
  const CommandResult replay =
      run_command({"check", "--robot", urdf, "--srdf", srdf, "--scene", scene, "--path", out, "--hold", "turn=0.5"});
  EXPECT_EQ(replay.exit_code, 0) << replay.out << replay.err;
  // The goal names one joint and the other one is held, so the start may omit it.
  const CommandResult held =
      run_command(plan({"--hold", "turn=0.5", "--start", "slide=0", "--goal", "slide=1", "--json"}));
  ASSERT_EQ(held.exit_code, 0) << held.err;
  const json planned = json::parse(held.out);
  for (const json& row : planned["path"]["waypoints"]) EXPECT_EQ(row[1], 0.5);
  expect_bad_input(plan({"--group", "base", "--start", "slide=0,turn=0", "--goal", "slide=1,turn=1"}),
                   {"turn", "may not move"});
  expect_bad_input(plan({"--group", "bsae", "--start", "slide=0,turn=0", "--goal", "slide=1"}),
                   {"did you mean \"base\"?"});
  expect_bad_input(plan({"--start", "slide=0", "--goal", "slide=1"}), {"--start", "turn", "--hold"});
  expect_bad_input(plan({"--start", "slide=0,turn=0", "--goal", "slide=1", "--out", folder.path("p.json")}),
                   {"p.json", "as CSV", ".yaml"});
  expect_bad_input(plan({"--start", "slide=0,turn=0", "--goal", "ou"}), {"--goal", "did you mean \"out\"?"});
}

#endif

}  // namespace
}  // namespace planner_ccd::test
