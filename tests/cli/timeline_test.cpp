// `planner_ccd check --timeline`: pick and place of the project's Puma in text, JSON, JUnit and page.
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "support/log_writer.hpp"

namespace planner_ccd::test {
namespace {

using nlohmann::json;

/// A scene, a motion of 8 s with way points at 0, 3, 6 and 8 s, and a timeline.
class PickAndPlace {
 public:
  TempFolder folder;

  std::vector<std::string> arguments(const std::string& timeline, std::vector<std::string> more = {},
                                     const std::string& objects = "") const {
    const std::string scene = folder.write("scene.yaml", R"(objects:
  - {name: cup, cylinder: {radius: 0.03, length: 0.1}, pose: {xyz: [0.5, 0.6, 0.3]}}
  - {name: crate, box: {size: [0.2, 0.2, 0.2]}, pose: {xyz: [1.2, -1.0, 0.1]}}
)" + objects);
    const std::string path = folder.write("path.csv",
                                          "time,joint1,joint2,joint3,joint4,joint5,joint6\n0,0,0,0,0,0,0\n"
                                          "3,0.5,-0.5,0.3,0,0.2,0\n6,1.2,-0.4,0.2,0.1,0,0.3\n8,0.2,0.1,0,0,0,0\n");
    std::vector<std::string> out = {"check",
                                    "--robot",
                                    source("urdf/puma.urdf"),
                                    "--srdf",
                                    source("urdf/puma.srdf"),
                                    "--scene",
                                    scene,
                                    "--timeline",
                                    folder.write("timeline.yaml", timeline)};
    if (timeline.find("motion:") == std::string::npos) out.insert(out.end(), {"--path", path});
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }
};

const std::string kPick = R"(moving:
  - name: belt
    carries: [crate]
    poses: [{time: 0, pose: {xyz: [0, 0, 0]}}, {time: 8, pose: {xyz: [0, 2, 0], rpy: [0, 0, 0.5]}}]
events:
  - {waypoint: 1, attach: cup, to: gripper}
  - {time: 5, detach: cup}
)";

void expect_schema(const TempFolder& folder, const std::string& out) {
  const std::string command =
      "python3 -c 'import json, sys, jsonschema; jsonschema.validate(json.load(open(sys.argv[1])), "
      "json.load(open(sys.argv[2])))' " +
      folder.write("out.json", out) + " " + source("planner_ccd/cli/check.schema.json");
  EXPECT_EQ(std::system(command.c_str()), 0) << out;
}

TEST(CheckTimeline, TellsWhatHappenedInTextAndJson) {
  const PickAndPlace world;
  const CommandResult text = run_command(world.arguments(kPick));
  EXPECT_EQ(text.exit_code, 0) << text.out << text.err;
  EXPECT_NE(text.out.find("free: proved everywhere on all 4 segments"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("at 3 s: attach cup to gripper"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("at 5 s: detach cup from gripper"), std::string::npos) << text.out;
  const CommandResult result = run_command(world.arguments(kPick, {"--json"}));
  const json out = json::parse(result.out);
  ASSERT_EQ(out["events"].size(), 2u);
  EXPECT_EQ(out["events"][0]["time"], 3.0);
  EXPECT_EQ(out["events"][1]["from"], "gripper");
  expect_schema(world.folder, result.out);
  const json plain =
      json::parse(run_command(check_puma({"--path", source("models/paths/puma_window.csv"), "--json"})).out);
  EXPECT_TRUE(plain["events"].is_null());
}

TEST(CheckTimeline, ContactsAreThoseOfTheWorldAtTheirTime) {
  const PickAndPlace world;
  const json free = json::parse(run_command(world.arguments(kPick, {"--json"})).out);
  std::string put;
  for (const json& x : free["events"][1]["pose"]["xyz"]) put += (put.empty() ? "" : ", ") + x.dump();
  const std::string wall = "  - {name: wall, box: {size: [0.01, 0.01, 0.01]}, pose: {xyz: [" + put + "]}}\n";
  const std::string junit = world.folder.path("junit.xml"), page = world.folder.path("page.html");
  const CommandResult met = run_command(world.arguments(kPick, {"--all", "--json", "--junit", junit}, wall));
  EXPECT_EQ(met.exit_code, 1) << met.err;
  const json out = json::parse(met.out);
  ASSERT_EQ(out["findings"].size(), 1u) << out["findings"];
  EXPECT_EQ(out["findings"][0]["contact"]["a"], "cup");
  EXPECT_GT(out["findings"][0]["begin"][1], 3.0);
  EXPECT_NEAR(out["findings"][0]["end"][1].get<double>(), 5.0, 1e-9);  // then both of them stand
  expect_schema(world.folder, met.out);
  std::ifstream xml(junit);
  std::stringstream text;
  text << xml.rdbuf();
  EXPECT_NE(text.str().find("<failure type=\"contact\""), std::string::npos) << text.str();
  // Without the events nothing is carried there.
  const std::string belt = kPick.substr(0, kPick.find("events:"));
  EXPECT_EQ(run_command(world.arguments(belt, {}, wall)).exit_code, 0);
}

TEST(CheckTimeline, PlaysFilesOneAfterTheOther) {
  const PickAndPlace world;
  const std::string head = "time,joint1,joint2,joint3,joint4,joint5,joint6\n";
  world.folder.write("a.csv", head + "0,0,0,0,0,0,0\n3,0.5,-0.5,0.3,0,0.2,0\n");
  world.folder.write("b.csv", head + "0,0.5,-0.5,0.3,0,0.2,0\n2,0.2,0.1,0,0,0,0\n");
  const std::string motion = "motion: [{path: a.csv}, {path: b.csv, wait: 0.5}]\n";
  const CommandResult result =
      run_command(world.arguments(motion + "events: [{waypoint: 2, attach: cup, to: gripper}]\n", {"--json"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const json out = json::parse(result.out);
  EXPECT_EQ(out["end"], 5.5);
  EXPECT_EQ(out["events"][0]["time"], 3.5);
  expect_bad_input(world.arguments(motion, {"--path", "x.csv"}), {"--path", "--timeline"});
  expect_bad_input(world.arguments("motion: [{path: b.csv}, {path: a.csv}]\n"),
                   {"timeline.yaml:1", "begins with joint1"});
}

TEST(CheckTimeline, BadInputNamesFileAndLine) {
  const PickAndPlace world;
  const auto refused = [&](const std::string& timeline, const std::vector<std::string>& parts) {
    expect_bad_input(world.arguments(timeline), parts);
  };
  refused("", {"timeline.yaml", "is empty"});
  refused("event: []\n", {"timeline.yaml:1", "event"});
  refused("events:\n  - {time: 3, attach: cup}\n", {"timeline.yaml:2", "'to'"});
  refused("events:\n  - {attach: cup, to: gripper}\n", {"timeline.yaml:2", "either 'time' or 'waypoint'"});
  refused("events:\n  - {time: 3, waypoint: 1, attach: cup, to: gripper}\n", {"either 'time' or 'waypoint'"});
  refused("events:\n  - {waypoint: 1.5, attach: cup, to: gripper}\n", {"timeline.yaml:2", "counted from 0"});
  refused("events:\n  - {time: 3, attach: cup, to: gripper, detach: cup}\n", {"an event is one of"});
  refused("events:\n  - {time: 3, allow: [cup, gripper]}\n", {"[[a, b], [c, d]]"});
  refused("events:\n  - {time: 3, attach: cup, to: griper}\n", {"timeline.yaml:2", "did you mean \"gripper\""});
  refused("events:\n  - {time: 9, attach: cup, to: gripper}\n", {"timeline.yaml:2", "from 0 s to 8 s"});
  refused("events:\n  - {time: 3, attach: cup, to: gripper}\n  - {time: 2, detach: cup}\n",
          {"timeline.yaml:3", "timeline.yaml:2", "order of time"});
  const std::string belt = "moving:\n  - name: belt\n    poses: ";
  refused(belt + "[{time: 0, pose: {}}, {time: 7, pose: {}}]\n", {"timeline.yaml:2", "say where it is all that time"});
  refused(belt + "[{time: 0, pose: {}}, {time: 8, pose: {rpy: [0, 0, 6.2832]}}]\n", {"timeline.yaml:3", "use 'turns'"});
  refused(belt + "[{time: 0, pose: {rpy: [0, 0, 6.2832]}}, {time: 8, pose: {}}]\n", {"timeline.yaml:3", "use 'turns'"});
  refused(belt + "[{time: 0, pose: {quaternion: [0, 0, 0, 1]}}, {time: 8, pose: {rpy: [0, 0, 6.2832]}}]\n",
          {"timeline.yaml:3", "all of them the same"});
  refused(belt + "[]\n", {"no key frames"});
  refused("moving: [{name: cup, slides: {keys: [{time: 0, distance: 0}, {time: 8, distance: 1}]}}]\n", {"\"cup\""});
  refused("moving: [{name: forearm, slides: {keys: [{time: 0, distance: 0}, {time: 8, distance: 1}]}}]\n",
          {"a link or joint \"forearm\""});
  refused("moving: [{name: a, slides: {keys: [{time: 0, angle: 0}]}}]\n", {"angle"});
  refused("moving: [{name: a}]\n", {"'poses', 'turns' and 'slides'"});
  expect_bad_input(world.arguments(kPick, {"--certificate", "x.pccd"}), {"--certificate", "one world"});
}

/// Two Pumas, the second one by its log: as if both had been given as files of one motion.
TEST(CheckTimeline, AnotherRobotsLogMovesBesides) {
  const TempFolder folder;
  const std::vector<std::string> names = {"joint1", "joint2", "joint3", "joint4", "joint5", "joint6"};
  LogWriter log(names);
  std::string csv = "time";
  for (const std::string& name : names) csv += "," + name;
  for (int i = 0; i <= 500; ++i) {
    const double turn = 2.0 * std::sin(0.01 * i);
    log.add(1'763'500'000'000'000'000 + 20'000'000LL * i, {turn, 0.3, 0, 0, 0, 0});
    csv += "\n" + std::to_string(0.02 * i) + "," + nlohmann::json(turn).dump() + ",0.3,0,0,0,0";
  }
  const auto file = [&](double delay) {
    folder.write("b.mcap", log.bytes());
    return folder.write("t.yaml",
                        "moving: [{robot: b_, path: b.mcap, starts: " + nlohmann::json(delay).dump() + "}]\n");
  };
  const std::string own = folder.write(
      "a.csv", "time,joint1,joint2,joint3,joint4,joint5,joint6\n0,0,0,0,0,0,0\n4,0.5,0.3,0.2,0,0,0\n8,1,0.2,0,0,0,0\n");
  std::vector<std::string> common;
  for (const char* prefix : {"a_=", "b_="}) {
    common.insert(common.end(),
                  {"--robot", prefix + source("urdf/puma.urdf"), "--srdf", prefix + source("urdf/puma.srdf")});
  }
  common.insert(common.end(), {"--base", "b_=0.7,0,0", "--path", "a_=" + own, "--ignore-limits", "--json"});
  const auto check = [&](std::vector<std::string> more) {
    more.insert(more.begin(), "check");
    more.insert(more.end(), common.begin(), common.end());
    return run_command(more);
  };
  int met = 0;
  for (const double delay : {0.0, -1.5, -2.0}) {
    const CommandResult result = check({"--timeline", file(delay)});
    ASSERT_LT(result.exit_code, 2) << result.err;
    const json ours = json::parse(result.out);
    expect_schema(folder, result.out);
    const json theirs = json::parse(
        check({"--path", "b_=" + folder.write("b.csv", csv + "\n"), "--delay", "b_=" + nlohmann::json(delay).dump()})
            .out);
    EXPECT_EQ(ours["verdict"], theirs["verdict"]) << delay;
    EXPECT_EQ(ours["end"], 8.0);
    if (ours["verdict"] != "contact") continue;
    ++met;
    EXPECT_NEAR(ours["findings"][0]["begin"][1].get<double>(), theirs["findings"][0]["begin"][1].get<double>(), 1e-3);
    EXPECT_NE(ours["assumptions"].dump().find("between samples of a log"), std::string::npos);
  }
  EXPECT_GT(met, 0);
  const auto refused = [&](const std::string& timeline, const std::vector<std::string>& parts) {
    std::vector<std::string> arguments = {"check", "--timeline", folder.write("bad.yaml", timeline)};
    arguments.insert(arguments.end(), common.begin(), common.end());
    expect_bad_input(arguments, parts);
  };
  refused("moving:\n  - {robot: c_, path: b.mcap}\n", {"bad.yaml:2", "--robot PREFIX=FILE"});
  refused("moving:\n  - {robot: b_, path: none.mcap}\n", {"none.mcap"});
  refused("moving:\n  - {robot: b_, path: b.mcap, starts: 3}\n", {"bad.yaml:2", "from 3 s", "must be known"});
  refused("moving:\n  - {robot: b_, path: b.mcap, max_gap: 0.01}\n", {"bad.yaml:2", "no sample of"});
  refused("moving:\n  - {robot: b_, path: b.mcap, delay: 3}\n", {"bad.yaml:2", "unknown key \"delay\""});
  refused("moving:\n  - {robot: a_, path: b.mcap}\n", {"a_joint1"});
  // A waypoint is one of the motion, not a sample of the log.
  const CommandResult event = check({"--timeline", folder.write("e.yaml",
                                                                "moving: [{robot: b_, path: b.mcap}]\nevents: "
                                                                "[{waypoint: 1, allow: [[a_forearm, b_forearm]]}]\n")});
  ASSERT_LT(event.exit_code, 2) << event.err;
  EXPECT_EQ(json::parse(event.out)["events"][0]["time"], 4.0);
}

TEST(ViewTimeline, ShowsTheMotionAndTheEventsUnchecked) {
  const PickAndPlace world;
  const auto view = [&](const std::string& timeline, const std::string& page) {
    std::vector<std::string> arguments = world.arguments(timeline);
    arguments[0] = "view";
    arguments.erase(arguments.begin() + 1);  // --robot
    arguments.insert(arguments.end(), {"--html", page});
    return run_command(arguments);
  };
  const std::string page = world.folder.path("v.html"), still = world.folder.path("s.html");
  const CommandResult result = view(kPick, page);
  if (result.err.find("this build cannot write pages") != std::string::npos) GTEST_SKIP() << result.err;
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(view("motion: []\nevents: []\n", still).exit_code, 2)
      << "without --path and motion there is nothing to show";
  std::stringstream text;
  text << std::ifstream(page).rdbuf();
  for (const char* event : {"attach cup to gripper", "detach cup from gripper"}) {
    EXPECT_NE(text.str().find(event), std::string::npos) << event;
  }
  expect_bad_input(
      {"view", source("urdf/puma.urdf"), "--timeline", world.folder.write("t.yaml", kPick), "--html", page},
      {"--path is required"});
}

TEST(CheckTimeline, HelpHasTheFormat) {
  const CommandResult help = run_command({"help", "timeline"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* key : {"events:", "moving:", "motion:", "touch_links", "forbid", "turns", "slides", "wait"}) {
    EXPECT_NE(help.out.find(key), std::string::npos) << key;
  }
}

}  // namespace
}  // namespace planner_ccd::test
