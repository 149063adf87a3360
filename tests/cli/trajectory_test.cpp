// `planner_ccd check` on trajectories: formats, findings, clearance, machine-readable reports.
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

/// The fender path (contact in segment 3) at 2 s per segment, as a message printed by ROS tools.
std::string fender_message() {
  std::stringstream csv(slurp(source("models/paths/puma_fender.csv")));
  std::string line, names, points;
  int row = 0;
  while (std::getline(csv, line)) {
    if (line.empty() || line[0] == '#') continue;
    if (names.empty()) {
      names = line;
      continue;
    }
    points += "- positions: [" + line +
              "]\n  velocities: []\n  accelerations: []\n  effort: []\n  time_from_start:\n    sec: " +
              std::to_string(2 * row++) + "\n    nanosec: 0\n";
  }
  return "header: {stamp: {sec: 0, nanosec: 0}, frame_id: ''}\njoint_names: [" + names + "]\npoints:\n" + points +
         "---\n";
}

void expect_schema(const std::string& out) {
  const TempFolder folder;
  const std::string command =
      "python3 -c 'import json, sys, jsonschema; jsonschema.validate(json.load(open(sys.argv[1])), "
      "json.load(open(sys.argv[2])))' " +
      folder.write("out.json", out) + " " + source("planner_ccd/cli/check.schema.json");
  EXPECT_EQ(std::system(command.c_str()), 0) << out;
}

TEST(CheckTrajectory, MessageGetsTheVerdictOfTheCsv) {
  const TempFolder folder;
  const std::string file = folder.write("t.yaml", fender_message());
  const CommandResult result = run_command(check_puma({"--trajectory", file, "--json"}));
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const json out = json::parse(result.out);
  EXPECT_EQ(out["segment"], 3);
  EXPECT_NEAR(out["contact"]["t"][1], 0.573093, 2e-4);
  EXPECT_TRUE(out["timed"]);
  ASSERT_EQ(out["findings"].size(), 1u) << out["findings"];
  EXPECT_EQ(out["findings"][0]["kind"], "contact");
  EXPECT_NEAR(out["findings"][0]["begin"][1], 2.0 * 3.573093, 4e-4);
  expect_schema(result.out);
}

TEST(CheckTrajectory, AllListsWhenEveryContactEnds) {
  const TempFolder folder;
  const std::string file = folder.write("t.yaml", fender_message()), junit = folder.path("junit.xml");
  const CommandResult result = run_command(check_puma({"--path", file, "--all", "--json", "--junit", junit}));
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const json out = json::parse(result.out);
  ASSERT_GE(out["findings"].size(), 1u);
  for (const json& finding : out["findings"]) {
    EXPECT_FALSE(finding["end"].is_null());
    EXPECT_LE(finding["begin"][0], finding["begin"][1]);
    EXPECT_LE(finding["begin"][1], finding["end"][1]);
  }
  expect_schema(result.out);
  const std::string xml = slurp(junit);
  EXPECT_NE(xml.find("<failure type=\"contact\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("name=\"no joint_limit\""), std::string::npos) << xml;
  EXPECT_EQ(std::system(("python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' " + junit).c_str()), 0);
}

TEST(CheckTrajectory, ClearanceIsReportedFromBothSides) {
  const TempFolder folder;
  const std::string csv = folder.path("profile.csv");
  const CommandResult result =
      run_command(check_puma({"--path", source("models/paths/puma_window.csv"), "--clearance", "1e-3",
                              "--clearance-csv", csv, "--clearance-step", "0.5", "--json"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const json out = json::parse(result.out);
  const json& pairs = out["clearance"]["pairs"];
  ASSERT_GT(pairs.size(), 0u);
  // tests/cli/check_test.cpp: a margin of 0.02 m is kept, one of 0.2 m is not.
  EXPECT_GT(pairs[0]["upper"], 0.02);
  EXPECT_LT(pairs[0]["lower"], 0.2);
  for (const json& pair : pairs) EXPECT_LE(pair["upper"].get<double>() - pair["lower"].get<double>(), 1.001e-3);
  EXPECT_GE(out["clearance"]["profile"].size(), 28u);
  expect_schema(result.out);
  const std::string text = slurp(csv);
  EXPECT_EQ(text.rfind("from,to,lower,upper,time,a,b\n", 0), 0u) << text.substr(0, 100);
}

TEST(CheckTrajectory, LimitsMakeTheExitCodeOneUnlessIgnored) {
  const TempFolder folder;
  const std::string hurry =
      folder.write("t.csv", "time,joint1,joint2,joint3,joint4,joint5,joint6\n0,0,0,0,0,0,0\n0.01,0.3,0,0,0,0,0\n");
  std::vector<std::string> arguments = {
      "check", "--robot", source("urdf/puma.urdf"), "--srdf", source("urdf/puma.srdf"), "--path", hurry, "--json"};
  const CommandResult result = run_command(arguments);
  EXPECT_EQ(result.exit_code, 1) << result.out;
  const json out = json::parse(result.out);
  EXPECT_EQ(out["verdict"], "free");
  EXPECT_EQ(out["findings"][0]["kind"], "velocity_limit");
  EXPECT_EQ(out["findings"][0]["joint"], "joint1");
  expect_schema(result.out);
  arguments.push_back("--ignore-limits");
  EXPECT_EQ(run_command(arguments).exit_code, 0);
}

TEST(CheckTrajectory, BadInputExitsWithTwoAndNamesFileAndLine) {
  const TempFolder folder;
  const auto file = [&](const std::string& text) { return folder.write("bad.yaml", text); };
  expect_bad_input(
      check_puma({"--path", file("joint_names: [joint1]\npoints:\n- {positions: [x], time_from_start: 0}\n")}),
      {"bad.yaml:3", "finite number"});
  expect_bad_input(
      check_puma({"--path", file("joint_names: [joint1]\npoints:\n- {positions: [1], time_from_start: 0}\n")}),
      {"bad.yaml", "joint2", "--hold"});
  expect_bad_input(check_puma({"--path", file("{\"points\": [")}), {"bad.yaml:1"});
  expect_bad_input(check_puma({}), {"--path"});
  const std::string path = source("models/paths/puma_window.csv");
  expect_bad_input(check_puma({"--path", path, "--clearance", "0"}), {"--clearance"});
  expect_bad_input(check_puma({"--path", path, "--clearance-csv", "x"}), {"--clearance"});
  expect_bad_input(check_puma({"--path", path, "--hold", "joint1"}), {"--hold"});
  expect_bad_input(check_puma({"--path", path, "--limits", folder.write("l.yaml", "joint_limits: {joint9: {}}")}),
                   {"joint9"});
  expect_bad_input(check_puma({"--path", path, "--junit", "/no/such/folder/j.xml"}), {"--junit"});
}

/// Every seed of the fuzz corpus, truncated and with bytes changed: either it is read, or exit code 2 with the file's
/// name.
TEST(CheckTrajectory, MangledFilesNeverEndInAnythingElse) {
  const TempFolder folder;
  const std::string robot =
      folder.write("r.urdf",
                   "<robot name='r'><link name='w'/><link name='la'/><link name='lb'/><joint name='a' type='revolute'>"
                   "<parent link='w'/><child link='la'/><limit lower='-9' upper='9' velocity='1' effort='1'/></joint>"
                   "<joint name='b' type='continuous'><parent link='la'/><child link='lb'/></joint></robot>");
  unsigned state = 20261118;
  const auto next = [&](unsigned below) { return (state = state * 1664525u + 1013904223u) / 65536u % below; };
  int bad = 0;
  for (const char* seed : {"csv", "echo", "bezier", "b_spline"}) {
    const std::string text = slurp(source(std::string("tests/fuzz/corpus/trajectory/") + seed));
    for (int i = 0; i < 12; ++i) {
      std::string mangled = text.substr(0, i % 3 == 0 ? next(static_cast<unsigned>(text.size())) : text.size());
      for (int k = 0; k < i % 4 && !mangled.empty(); ++k) {
        mangled[next(static_cast<unsigned>(mangled.size()))] = "[]{}:,-\n 9eEn#\"'"[next(16)];
      }
      const CommandResult result =
          run_command({"check", "--robot", robot, "--path", folder.write("m", mangled), "--allow-nothing-checked"});
      ASSERT_LE(result.exit_code, 3) << mangled << result.err;
      if (result.exit_code != 2) continue;
      ++bad;
      EXPECT_NE(result.err.find(folder.path("m")), std::string::npos) << result.err << mangled;
    }
  }
  EXPECT_GT(bad, 10);
}

}  // namespace
}  // namespace planner_ccd::test
