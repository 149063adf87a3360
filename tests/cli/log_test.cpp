// `planner_ccd check` and `inspect` of logs.
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "support/log_writer.hpp"

namespace planner_ccd::test {
namespace {

using nlohmann::json;

std::vector<std::string> puma(std::vector<std::string> more) {
  more.push_back("--ignore-limits");
  return check_puma(std::move(more));
}

/// The fender path (contact in segment 3 at t = 0.573), sampled at 2 s per segment.
std::string fender_log(double step, double skip_from = 1e9, double skip_to = 1e9) {
  std::ifstream csv(source("models/paths/puma_fender.csv"));
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
  std::string line;
  while (std::getline(csv, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::stringstream cells(line);
    std::string cell;
    const bool header = names.empty();
    if (!header) rows.emplace_back();
    while (std::getline(cells, cell, ',')) {
      if (header) {
        cell.erase(0, cell.find_first_not_of(' '));
        names.push_back(cell);
      } else {
        rows.back().push_back(std::stod(cell));
      }
    }
  }
  LogWriter writer(names);
  const double end = 2.0 * static_cast<double>(rows.size() - 1);
  const auto count = static_cast<int>(std::lround(end / step));
  for (int k = 0; k <= count; ++k) {
    const double t = step * k;
    if (t > skip_from && t < skip_to) continue;
    const auto i = std::min(static_cast<std::size_t>(t / 2.0), rows.size() - 2);
    const double share = t / 2.0 - static_cast<double>(i);
    std::vector<double> q;
    for (std::size_t j = 0; j < names.size(); ++j) q.push_back(rows[i][j] + share * (rows[i + 1][j] - rows[i][j]));
    writer.add(1'763'500'000'000'000'000 + std::llround(t * 1e9), q);
  }
  return writer.bytes();
}

void expect_schema(const std::string& out) {
  const TempFolder folder;
  const std::string command =
      "python3 -c 'import json, sys, jsonschema; jsonschema.validate(json.load(open(sys.argv[1])), "
      "json.load(open(sys.argv[2])))' " +
      folder.write("out.json", out) + " " + source("planner_ccd/cli/check.schema.json");
  EXPECT_EQ(std::system(command.c_str()), 0) << out;
}

TEST(CheckLog, SamplesGetTheVerdictOfThePath) {
  const TempFolder folder;
  const CommandResult result = run_command(puma({"--path", folder.write("run.mcap", fender_log(0.01)), "--json"}));
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const json out = json::parse(result.out);
  ASSERT_EQ(out["findings"].size(), 1u) << out["findings"];
  EXPECT_EQ(out["findings"][0]["kind"], "contact");
  EXPECT_NEAR(out["findings"][0]["begin"][1], 2.0 * 3.573093, 1e-3);
  EXPECT_EQ(out["segment"], 714);
  EXPECT_EQ(out["log"]["topic"], "/joint_states");
  EXPECT_EQ(out["log"]["messages"], 1001);
  expect_schema(result.out);
}

/// A block slides into a wall while the log goes on in its second part: the contact is that of the path itself, in one piece.
TEST(CheckLog, ContactsAcrossPartsAreThoseOfTheWhole) {
  const TempFolder folder;
  const std::string robot = folder.write("block.urdf", R"(<robot name="block"><link name="ground"/>
    <link name="block"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
    <joint name="slide" type="prismatic"><parent link="ground"/><child link="block"/><axis xyz="1 0 0"/>
      <limit lower="-2" upper="2" effort="1" velocity="1"/></joint></robot>)");
  const std::string scene =
      folder.write("s.yaml", "objects:\n  - {name: wall, box: {size: [0.1, 1, 1]}, pose: {xyz: [1, 0, 0]}}\n");
  const auto check = [&](const std::string& path) {
    const CommandResult result =
        run_command({"check", "--robot", robot, "--scene", scene, "--path", path, "--all", "--json"});
    EXPECT_EQ(result.exit_code, 1) << result.err;
    expect_schema(result.out);
    return json::parse(result.out);
  };
  LogWriter writer({"slide"});
  constexpr int kSamples = 36000;  // At 4 kHz; 32,768 segments are a part, which ends at 8.192 s.
  for (int k = 0; k <= kSamples; ++k) writer.add(1'763'500'000'000'000'000 + k * 250'000LL, {k * 2.5e-4 * 0.11});
  const json logged = check(folder.write("run.mcap", writer.bytes()));
  EXPECT_EQ(logged["log"]["parts"], 2);
  EXPECT_EQ(logged["segments"], kSamples);
  const json path = check(folder.write("p.csv", "time,slide\n0,0\n9,0.99\n"));
  for (const json* out : {&logged, &path}) {
    ASSERT_EQ((*out)["findings"].size(), 1u) << (*out)["findings"];
    EXPECT_NEAR((*out)["findings"][0]["begin"][1], 0.9 / 0.11, 1e-3);  // 8.1818 s
    EXPECT_NEAR((*out)["findings"][0]["end"][0], 9.0, 1e-3);
  }
}

TEST(CheckLog, GapsLeaveItUndecided) {
  const TempFolder folder;
  const std::string file = folder.write("run.mcap", fender_log(0.01, 1.0, 1.5));
  const std::vector<std::string> early = {"--path", file, "--to", "3"};
  const CommandResult result = run_command(puma({"--path", file, "--to", "3", "--json"}));
  EXPECT_EQ(result.exit_code, 3) << result.err;
  const json out = json::parse(result.out);
  EXPECT_EQ(out["verdict"], "free");
  ASSERT_EQ(out["findings"].size(), 1u);
  EXPECT_EQ(out["findings"][0]["kind"], "undecided");
  EXPECT_NEAR(out["findings"][0]["begin"][1], 1.0, 1e-6);
  EXPECT_NEAR(out["findings"][0]["end"][1], 1.5, 1e-6);
  EXPECT_NE(out["findings"][0]["message"].get<std::string>().find("for 0.5 s"), std::string::npos);
  expect_schema(result.out);
  EXPECT_EQ(run_command(puma({"--path", file, "--to", "3", "--max-gap", "0.6"})).exit_code, 0);
  const CommandResult text = run_command(puma({"--path", file, "--to", "3"}));
  EXPECT_NE(text.out.find("/joint_states (sensor_msgs/JointState), "), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("0 s is 2025-11-18 21:06:40.000 UTC"), std::string::npos) << text.out;
}

TEST(CheckLog, OptionsOfLogsAreForLogs) {
  const TempFolder folder;
  const std::string path = source("models/paths/puma_window.csv"), log = source("tests/io/logs/plans_ros2.mcap");
  expect_bad_input(puma({"--path", path, "--topic", "/x"}), {"--topic is for logs"});
  expect_bad_input(puma({"--path", path, "--max-gap", "1"}), {"--max-gap is for logs"});
  expect_bad_input(puma({"--path", log}), {"--topic", "/plan"});
  expect_bad_input(puma({"--path", log, "--topic", "/plan"}), {"plans_ros2.mcap", "\"b\" is not a joint"});
  expect_bad_input(puma({"--path", log, "--topic", "/plan", "--max-gap", "0"}), {"--max-gap"});
  expect_bad_input(puma({"--path", log, "--topic", "/plan", "--delay", "1"}), {"--delay"});
  expect_bad_input(puma({"--path", log, "--path", path}), {"checked alone"});
  const std::string run = folder.write("run.mcap", fender_log(1e-4));
  expect_bad_input(puma({"--path", run, "--clearance", "1e-3"}), {"--clearance", "--from"});
}

TEST(InspectLog, ListsTopicsAndWhatToDo) {
  const std::string file = source("tests/io/logs/states_none.bag");
  const CommandResult text = run_command({"inspect", file});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("  check  /joint_states  sensor_msgs/JointState           60 messages\n"), std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("         /text"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("--topic /joint_states"), std::string::npos) << text.out;
  const json out = json::parse(run_command({"inspect", file, "--json"}).out);
  EXPECT_EQ(out["topics"].size(), 3u);
  EXPECT_EQ(out["topics"][1]["type"], "trajectory_msgs/JointTrajectory");
  EXPECT_EQ(out["topics"][2]["can_be_checked"], false);
}

}  // namespace
}  // namespace planner_ccd::test
