#include <nlohmann/json.hpp>
#include <set>

#include "cli/command.hpp"
#include "support/scale.hpp"
#include "support/shared_data.hpp"

namespace planner_ccd::test {
namespace {

using nlohmann::json;

const char* const kRobot = R"(<robot name="two_arms">
  <link name="base"><collision><geometry><mesh filename="package://parts/base.obj"/></geometry></collision></link>
  <link name="arm"><collision><geometry><box size="1 1 1"/></geometry></collision>
    <collision><geometry><sphere radius="1"/></geometry></collision></link>
  <link name="tool"><visual><geometry><sphere radius="1"/></geometry></visual></link>
  <link name="far"><collision><geometry><cylinder radius="1" length="1"/></geometry></collision></link>
  <joint name="j1" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 2"/><limit lower="-1" upper="2" velocity="3"/></joint>
  <joint name="j2" type="fixed"><parent link="arm"/><child link="tool"/></joint>
  <joint name="j3" type="continuous"><parent link="tool"/><child link="far"/><mimic joint="j1" multiplier="-2" offset="0.5"/></joint>
</robot>)";

// The robot above with its mesh: an open one.
struct RobotFiles {
  TempFolder folder;
  std::string urdf = folder.write("robot/r.urdf", kRobot);
  std::string parts =
      std::filesystem::path(folder.write("elsewhere/parts/base.obj", kTriangleObj)).parent_path().string();
  std::string package = "parts=" + parts;
};

json inspect(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "inspect");
  arguments.push_back("--json");
  const CommandResult result = run_command(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return json::parse(result.out);
}

TEST(Inspect, JsonHoldsWhatTheReadmePromises) {
  const RobotFiles files;
  const json report = inspect({files.urdf, "--package", files.package});
  EXPECT_EQ(report["robot"], "two_arms");
  EXPECT_EQ(report["file"], files.urdf);
  EXPECT_EQ(report["dof"], 1);
  EXPECT_EQ(report["triangles"], 1);
  ASSERT_EQ(report["bodies"].size(), 3u);
  EXPECT_EQ(report["bodies"][0], json::parse(R"({"parent": null, "joint": null, "links": ["base"]})"));
  EXPECT_EQ(report["bodies"][1], json::parse(R"({"parent": 0, "joint": "j1", "links": ["arm", "tool"]})"));
  ASSERT_EQ(report["links"].size(), 4u);
  EXPECT_EQ(report["links"][0],
            json::parse(R"({"name": "base", "body": 0, "parent_joint": null, "triangles": 1, "collision":
    [{"type": "mesh", "source": "package://parts/base.obj", "triangles": 1, "vertices": 3, "closed": false}]})"));
  EXPECT_EQ(report["links"][1]["collision"].size(), 2u);
  EXPECT_EQ(report["links"][2]["collision"].size(), 0u);
  ASSERT_EQ(report["joints"].size(), 3u);
  EXPECT_EQ(report["joints"][0],
            json::parse(R"({"name": "j1", "type": "revolute", "parent": "base", "child": "arm", "axis": [0, 0, 1],
    "lower": -1, "upper": 2, "velocity": 3, "mimic": null, "coordinates": ["j1"]})"));
  EXPECT_EQ(report["joints"][2]["mimic"], json::parse(R"({"joint": "j1", "multiplier": -2, "offset": 0.5})"));
  EXPECT_EQ(report["joints"][2]["lower"], nullptr);
  EXPECT_EQ(report["pairs"], json::parse(R"([["base", "far"]])"));
  std::map<std::set<std::string>, std::string> reasons;
  for (const json& e : report["excluded"]) reasons[{e["a"], e["b"]}] = e["reason"];
  EXPECT_EQ(reasons.size(), 5u);
  EXPECT_EQ((reasons[{"base", "arm"}]), "adjacent");
  EXPECT_EQ((reasons[{"arm", "far"}]), "adjacent");
  EXPECT_EQ((reasons[{"base", "tool"}]), "no geometry");
  EXPECT_NE(report["assumptions"].dump().find("open meshes"), std::string::npos);
  const std::string warnings = report["warnings"].dump();
  EXPECT_NE(warnings.find("--use-visual takes the visual): tool"), std::string::npos);
}

TEST(Inspect, OptionsAreHonoured) {
  const RobotFiles files;
  const std::string above = std::filesystem::path(files.parts).parent_path().string();
  const json visual = inspect({files.urdf, "--package-path", "/tmp", "--package-path", above, "--use-visual"});
  EXPECT_EQ(visual["links"][2]["collision"][0]["type"], "sphere");
  const std::string srdf = files.folder.write(
      "r.srdf", "<robot name='two_arms'><disable_collisions link1='base' link2='far' reason='Never'/></robot>");
  const json ruled = inspect({"--srdf", srdf, "--package=" + files.package, files.urdf});
  EXPECT_TRUE(ruled["pairs"].empty());
  EXPECT_NE(ruled["excluded"].dump().find(R"("detail":"SRDF: Never","reason":"disabled")"), std::string::npos);
}

TEST(Inspect, TextSaysTheSameToPeople) {
  const RobotFiles files;
  const CommandResult result = run_command({"inspect", files.urdf, "--package", files.package});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* part : {"two_arms: 1 coordinate, 2 moving bodies, 4 links, 1 triangle", "box, sphere", "[-1, 2]",
                           "= -2 * j1 + 0.5", "checked pairs: 1", "adjacent", "no geometry", "open meshes"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << "'" << part << "' is not in:\n" << result.out;
  }
}

std::set<std::string> names(const json& a, const json& b) { return {a.get<std::string>(), b.get<std::string>()}; }

std::set<std::set<std::string>> excluded_pairs(const json& report) {
  std::set<std::set<std::string>> pairs;
  for (const json& e : report["excluded"]) {
    if (e["reason"] != "proved apart") pairs.insert(names(e["a"], e["b"]));
  }
  return pairs;
}

TEST(Inspect, SuggestsPairsAndWritesThemForOthersToRead) {
  const TempFolder folder;
  const std::string root = testing::source_dir();
  for (const std::string name : {"puma", "mannequin"}) {
    const std::string urdf = root + "/urdf/" + name + ".urdf", srdf = root + "/urdf/" + name + ".srdf";
    const std::string written = folder.path(name + ".srdf");
    const json report = inspect({urdf, "--srdf", srdf, "--write-srdf", written, "--seed", "3", "--suggest", "500"});
    EXPECT_EQ(report["suggested"]["samples"], 500);
    EXPECT_EQ(report["suggested"]["seed"], 3);
    std::set<std::set<std::string>> expected = excluded_pairs(report);
    int proved = 0;
    for (const json& pair : report["suggested"]["pairs"]) {
      proved += pair["proved"] ? 1 : 0;
      EXPECT_LE(pair["contacts"], 500);
      EXPECT_TRUE(expected.insert(names(pair["a"], pair["b"])).second);
    }
    EXPECT_GT(proved, 0);
    EXPECT_GT(report["suggested"]["pairs"].size(), static_cast<std::size_t>(proved));
    const json again = inspect({urdf, "--srdf", written});
    EXPECT_EQ(excluded_pairs(again), expected);
    EXPECT_FALSE(again.contains("suggested"));
    EXPECT_EQ(report["suggested"], inspect({"--suggest=500", urdf, "--srdf", srdf, "--seed", "3"})["suggested"]);
  }
  // The number is optional, and the option may be anywhere.
  const RobotFiles files;
  EXPECT_EQ(inspect({"--suggest", files.urdf, "--package", files.package})["suggested"]["samples"], 10000);
  const CommandResult text = run_command({"inspect", files.urdf, "--package", files.package, "--suggest"});
  EXPECT_NE(text.out.find("suggested to leave out: "), std::string::npos) << text.out;
  expect_bad_input({"inspect", files.urdf, "--package", files.package, "--seed", "1"}, {"--seed", "--suggest"});
  expect_bad_input({"inspect", files.urdf, "--package", files.package, "--suggest", "0"},
                   {"--suggest", "whole number"});
  expect_bad_input({"inspect", files.urdf, "--package", files.package, "--suggest", "1.5"}, {"whole number"});
  expect_bad_input({"inspect", files.urdf, "--package", files.package, "--write-srdf", "/nonexistent/x"},
                   {"/nonexistent/x: cannot be written"});
}

TEST(Inspect, PairsProvedApartAreListedAndCheckPassesThemOver) {
  const std::string root = testing::source_dir(), urdf = root + "/urdf/arm7.urdf", srdf = root + "/urdf/arm7.srdf";
  std::set<std::set<std::string>> listed;
  const json with = inspect({urdf, "--srdf", srdf}),
             without = inspect({urdf, "--srdf", srdf, "--cell-evaluations", "0"});
  for (const json& e : with["excluded"]) {
    if (e["reason"] == "proved apart") listed.insert(names(e["a"], e["b"]));
  }
  EXPECT_GE(listed.size(), 5u);
  for (const json& e : without["excluded"]) {
    EXPECT_NE(e["reason"], "proved apart");
  }
  const auto passed_over = [&](const std::string& path) {
    const CommandResult result = run_command({"check", "--robot", urdf, "--srdf", srdf, "--path", path, "--json"});
    const json report = json::parse(result.out);
    std::set<std::set<std::string>> pairs;
    for (const json& pair : report["proved_apart"]) pairs.insert(names(pair[0], pair[1]));
    return pairs;
  };
  EXPECT_EQ(passed_over(root + "/models/paths/arm_free.csv"), listed);
  // On a path beyond a joint's limits, the pairs that this joint moves relative to each other are searched.
  const TempFolder folder;
  const std::string beyond =
      folder.write("beyond.csv", "joint1,joint2,joint3,joint4,joint5,joint6,joint7\n0,0,0,-1,0,0,0\n0,99,0,-1,0,0,0\n");
  const auto fewer = passed_over(beyond);
  EXPECT_LT(fewer.size(), listed.size());
  EXPECT_FALSE(fewer.count({"base_link", "link2"}));
}

TEST(Inspect, BadInputEndsInOneMessageAndExitCodeTwo) {
  const RobotFiles files;
  expect_bad_input({"inspect", "/nonexistent.urdf"}, {"/nonexistent.urdf: no such file"});
  expect_bad_input({"inspect", files.urdf},
                   {files.urdf + ":2: <mesh>", "package://parts/base.obj: not found", "--package parts=DIR"});
  expect_bad_input({"inspect", files.folder.path()}, {"folder"});
  expect_bad_input({"inspect", files.urdf, "--package", "parts"}, {"--package parts: must read NAME=DIR"});
  expect_bad_input({"inspect", files.urdf, "--package", "parts=/nonexistent"}, {"no such folder"});
  expect_bad_input({"inspect", files.urdf, "--package-path", "/nonexistent"},
                   {"--package-path /nonexistent: there is no such folder"});
  expect_bad_input({"inspect", files.urdf, "--package", files.package, "--package", files.package}, {"given twice"});
  expect_bad_input({"inspect", files.urdf, "--package", files.package, "--srdf", "/nonexistent"},
                   {"/nonexistent: no such file"});
  const std::string loop = files.folder.write(
      "loop.urdf",
      "<robot name='r'><link name='a'/><link name='b'/><joint name='1' type='fixed'><parent link='a'/>"
      "<child link='b'/></joint><joint name='2' type='fixed'><parent link='b'/><child link='a'/></joint></robot>");
  expect_bad_input({"inspect", loop}, {loop, "loop"});
}

TEST(Command, WrongUseEndsInOneMessageAndExitCodeTwo) {
  expect_bad_input({}, {"subcommand", "--help"});
  expect_bad_input({"inspekt"}, {"inspekt", "did you mean \"inspect\""});
  expect_bad_input({"inspect"}, {"ROBOT.urdf"});
  expect_bad_input({"inspect", "a.urdf", "b.urdf"}, {"a.urdf", "needs a prefix", "PREFIX=a.urdf"});
  expect_bad_input({"inspect", "a.urdf", "--nothing"}, {"--nothing"});
  expect_bad_input({"inspect", "a.urdf", "--srdf"}, {"--srdf"});
}

TEST(Command, HelpAndVersionSucceed) {
  const CommandResult help = run_command({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.out.find("inspect"), std::string::npos);
  const CommandResult inspect_help = run_command({"inspect", "--help"});
  EXPECT_EQ(inspect_help.exit_code, 0);
  for (const char* option : {"--srdf", "--package", "--package-path", "--use-visual", "--json"}) {
    EXPECT_NE(inspect_help.out.find(option), std::string::npos) << option;
  }
  EXPECT_EQ(run_command({"--version"}).out.rfind("planner_ccd ", 0), 0u);
}

TEST(SharedRobots, AllInspectWithTheRecordedCounts) {
  const std::string data = robots_data();
  if (data.empty()) GTEST_SKIP() << testing::kNoSharedData;
  std::ifstream file(data + "/robots/INDEX.json");
  const json index = json::parse(file);
  const auto count = static_cast<int>(index.size()), stride = count / std::min(count, testing::scaled(count, 6));
  for (int i = 0; i < count; i += stride) {
    const json& record = index[static_cast<std::size_t>(i)];
    const std::string folder = data + "/robots/" + record["package_search_dir"].get<std::string>();
    SCOPED_TRACE(record["urdf"].get<std::string>());
    const json report = inspect({data + "/robots/" + record["urdf"].get<std::string>(), "--package-path", folder});
    EXPECT_EQ(report["links"].size(), record["links"].get<std::size_t>());
    EXPECT_EQ(report["dof"], record["dof"]);
  }
}

}  // namespace
}  // namespace planner_ccd::test
