#include <cmath>
#include <nlohmann/json.hpp>

#include "planner_ccd/io/motion_limits_file.hpp"
#include "planner_ccd/io/trajectory_file.hpp"
#include "planner_ccd/validation/check_trajectory.hpp"
#include "regressions/doors.hpp"

/// Of MoveIt's joint_limits.yaml min_position, max_position and max_jerk were read and dropped: motions beyond them had no finding
/// and exit code 0.
namespace planner_ccd::test {
namespace {

const std::string kUrdf =
    "<robot name='slider'><link name='base'/><link name='slide'><collision><geometry><box size='0.2 0.2 0.2'/>"
    "</geometry></collision></link><joint name='j' type='prismatic'><parent link='base'/><child link='slide'/>"
    "<axis xyz='1 0 0'/><limit lower='0' upper='2' velocity='100' effort='1'/></joint></robot>";
const std::string kScene = "objects: [{name: wall, box: {size: [0.2, 0.2, 0.2]}, pose: {xyz: [1, 5, 0]}}]\n";
/// From 0 to 1 m in 1 s by a cubic at rest at both ends: accelerates by 6, and its acceleration changes by 12 a second.
const std::string kCubic = "time,j,j.velocity\n0,0,0\n1,1,0\n";

std::string limits(const std::string& of_j, const std::string& more = "") {
  return more + "joint_limits:\n  j: {" + of_j + "}\n";
}

/// The kinds of findings through every entry point, "!" before those that are errors.
void expect_findings(const std::string& file, const std::string& motion, const std::vector<std::string>& expected) {
  const Doors doors(kUrdf, kScene);
  doors.write("limits.yaml", file);
  doors.write("motion.csv", motion);
  const auto named = [](const std::string& kind, bool error) { return (error ? "!" : "") + kind; };

  const auto robot = doors.robot();
  const PathChecker checker(robot, doors.scene(), {});
  Workspace workspace(checker);
  TrajectoryOptions options;
  options.limits = load_motion_limits(doors.path("limits.yaml"), *robot).value;
  const auto trajectory = load_trajectories({{doors.path("motion.csv"), ""}}, *robot).value;
  std::vector<std::string> found;
  for (const Finding& f : check_trajectory(checker, trajectory, workspace, options).findings)
    found.push_back(named(to_string(f.kind), f.severity == Severity::Error));
  EXPECT_EQ(found, expected) << file;
  const bool bad =
      std::any_of(expected.begin(), expected.end(), [](const std::string& kind) { return kind[0] == '!'; });
#ifdef PLANNER_CCD_COMMAND
  const CommandResult told =
      run_command({"check", "--robot", doors.path("robot.urdf"), "--scene", doors.path("scene.yaml"), "--path",
                   doors.path("motion.csv"), "--limits", doors.path("limits.yaml"), "--json", "--junit",
                   doors.path("junit.xml"), "--html", doors.path("page.html")});
  EXPECT_EQ(told.exit_code, bad ? 1 : 0) << told.out << told.err;
  found.clear();
  const nlohmann::json json = nlohmann::json::parse(told.out);
  for (const auto& f : json["findings"]) found.push_back(named(f["kind"], f["severity"] == "error"));
  EXPECT_EQ(found, expected) << file;
  const auto text_of = [&](const std::string& name) {
    std::stringstream text;
    text << std::ifstream(doors.path(name)).rdbuf();
    return text.str();
  };
  EXPECT_EQ(text_of("junit.xml").find("failures=\"0\"") == std::string::npos, bad) << text_of("junit.xml");
  EXPECT_GT(text_of("page.html").size(), 1000u);
#endif
  std::string list;
  for (const std::string& kind : expected) list += "'" + kind + "', ";
  expect_python("import planner_ccd\nrobot = planner_ccd.Robot('" + doors.path("robot.urdf") +
                "')\nchecker = planner_ccd.PathChecker(robot, planner_ccd.Scene.load('" + doors.path("scene.yaml") +
                "', robot))\nlimits = planner_ccd.MotionLimits.load(robot, '" + doors.path("limits.yaml") +
                "')\nreport = checker.check_trajectory(planner_ccd.Trajectory.load(robot, '" +
                doors.path("motion.csv") +
                "'), planner_ccd.TrajectoryOptions(limits=limits))\nfound = [('!' if f.error else '') + f.kind for f "
                "in report.findings]\nassert found == [" +
                list + "], found\n");
}

TEST(LimitsOfAFile, PositionsNarrowTheRobots) {
  expect_findings(limits("has_position_limits: true, min_position: 0.1, max_position: 0.9"), kCubic,
                  {"!joint_limit", "!joint_limit"});
  expect_findings(limits("max_position: 0.9"), kCubic, {"!joint_limit"});
  expect_findings(limits("has_position_limits: true, min_position: -1, max_position: 1.0"), kCubic, {});
  expect_findings(limits("has_position_limits: false, min_position: 0.1, max_position: 0.9"), kCubic, {});
}

TEST(LimitsOfAFile, JerksAreKept) {
  expect_findings(limits("has_jerk_limits: true, max_jerk: 11.9"), kCubic, {"!jerk_limit"});
  expect_findings(limits("has_jerk_limits: true, max_jerk: 12"), kCubic, {});
  expect_findings(limits("has_jerk_limits: false, max_jerk: 1"), kCubic, {});
}

/// At knots a limit may have no meaning: that is said, too.
TEST(LimitsOfAFile, WhatCannotBeJudgedIsSaid) {
  const std::string lines = "time,j\n0,0\n1,0.5\n2,0.6\n", path = "j\n0\n1\n";
  expect_findings(limits("max_jerk: 1000"), lines, {"jerk_limit"});
  expect_findings(limits("max_acceleration: 1000"), lines, {"acceleration_limit"});
  expect_findings(limits("max_velocity: 10"), lines, {});
  expect_findings(limits("max_jerk: 1000"), "time,j,j.velocity\n0,0,0\n1,0.5,0.5\n2,0.6,0\n", {"jerk_limit"});
  expect_findings(limits("max_jerk: 1000"), path, {"velocity_limit"});
}

TEST(LimitsOfAFile, NothingInItIsPassedOver) {
  const RobotModel robot(parse_urdf(kUrdf, "r.urdf", "").value);
  const auto read = [&](const std::string& text) { return parse_motion_limits(text, "l.yaml", robot); };
  const auto told = read(limits("has_effort_limits: true, max_effort: 5, angle_wraparound: true",
                                "default_velocity_scaling_factor: 0.1\n"));
  ASSERT_EQ(told.warnings.size(), 1u);
  for (const char* part : {"l.yaml", "max_effort of j", "angle_wraparound of j", "default_velocity_scaling_factor"})
    EXPECT_TRUE(any_contains(told.warnings, part)) << told.warnings[0].text;
  EXPECT_TRUE(read(limits("has_effort_limits: false, max_effort: 5, angle_wraparound: false, has_jerk_limits: false"))
                  .warnings.empty());
  const auto wide = read(limits("min_position: -1, max_position: 1"));
  EXPECT_TRUE(any_contains(wide.warnings, "wider than its own limits, [0, 2]"));
  EXPECT_EQ(wide.value.lower[0], 0.0);
  EXPECT_EQ(wide.value.upper[0], 1.0);
  EXPECT_TRUE(any_contains(read(limits("has_position_limits: false, max_position: 1")).warnings,
                           "has_position_limits is false"));
  expect_input_error([&] { read(limits("min_position: 1, max_position: 0.5")); },
                     {"l.yaml:2", "greater than 'max_position'"});
  expect_input_error([&] { read(limits("min_position: 3, max_position: 4")); }, {"l.yaml:2", "no position of \"j\""});
  expect_input_error([&] { read(limits("has_jerk_limits: true")); }, {"l.yaml:2", "'max_jerk' is missing"});
  const RobotModel turns(parse_urdf("<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='continuous'>"
                                    "<parent link='a'/><child link='b'/></joint></robot>",
                                    "r.urdf", "")
                             .value);
  expect_input_error([&] { parse_motion_limits(limits("max_position: 1"), "l.yaml", turns); },
                     {"l.yaml:2", "turns without limits"});
#ifdef PLANNER_CCD_COMMAND
  const Doors doors(kUrdf, kScene);
  doors.write("l.yaml", limits("max_effort: 5"));
  doors.write("p.csv", kCubic);
  const CommandResult result =
      run_command({"check", "--robot", doors.path("robot.urdf"), "--scene", doors.path("scene.yaml"), "--path",
                   doors.path("p.csv"), "--limits", doors.path("l.yaml")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("left out: max_effort of j"), std::string::npos) << result.out;
  expect_python("import planner_ccd\nrobot = planner_ccd.Robot('" + doors.path("robot.urdf") +
                "')\n(warning,) = planner_ccd.MotionLimits.load(robot, '" + doors.path("l.yaml") +
                "').warnings\nassert 'max_effort of j' in warning\n");
#endif
}

}  // namespace
}  // namespace planner_ccd::test
