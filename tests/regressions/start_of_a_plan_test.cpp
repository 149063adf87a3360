#include <nlohmann/json.hpp>

#include "planner_ccd/io/log.hpp"
#include "planner_ccd/io/timeline_file.hpp"
#include "planner_ccd/io/trajectory_file.hpp"
#include "planner_ccd/validation/check_trajectory.hpp"
#include "regressions/doors.hpp"
#include "support/log_writer.hpp"

/// A plan whose trajectory_start is 0.5 away from its first point was free without a finding, in files and in logs; MoveIt executes no
/// such plan. Start states of planar and floating joints were not read, and a message's second trajectory was checked with the other
/// joints where they were before its first one.
namespace planner_ccd::test {
namespace {

/// A block on a rail, on a cart that moves in a plane.
const std::string kUrdf =
    "<robot name='cart'><link name='base'/><link name='cart'/><link name='slide'><collision><geometry><box size='0.2 "
    "0.2 0.2'/>"
    "</geometry></collision></link><link name='wheel'/><joint name='p' type='planar'><parent link='base'/><child "
    "link='cart'/>"
    "<axis xyz='0 0 1'/></joint><joint name='j' type='prismatic'><parent link='cart'/><child link='slide'/>"
    "<axis xyz='1 0 0'/><limit lower='-9' upper='9' velocity='100' effort='1'/></joint><joint name='c' "
    "type='continuous'>"
    "<parent link='cart'/><child link='wheel'/></joint></robot>";
const std::string kScene = "objects: [{name: wall, box: {size: [0.2, 0.2, 0.2]}, pose: {xyz: [1, 50, 0]}}]\n";

/// A DisplayTrajectory of j and c from 0 to 1, with the start state's joints and frames.
std::string plan(const std::string& start) {
  return "trajectory_start: " + start +
         "\ntrajectory:\n- joint_trajectory: {joint_names: [j, c], points: [{positions: [0, 0], time_from_start: 0}, "
         "{positions: [1, 1], time_from_start: 1}]}\n";
}
std::string joints(const std::string& j, const std::string& c = "0", const std::string& more = "") {
  return "{joint_state: {name: [p/x, p/y, p/theta, j, c], position: [0, 0, 0, " + j + ", " + c + "]}" + more + "}";
}

/// Kind, severity ("!": error) and part of the message of the only finding; none if `kind` is empty.
struct Expected {
  std::string kind;
  bool error = false;
  std::string message = {};
};

void expect(const std::string& file, const Expected& expected) {
  const Doors doors(kUrdf, kScene);
  doors.write("plan.yaml", file);
  const auto robot = doors.robot();
  const PathChecker checker(robot, doors.scene(), {});
  Workspace workspace(checker);
  const auto motion = load_trajectory(doors.path("plan.yaml"), *robot).value.trajectory;
  const std::vector<Finding> found = check_trajectory(checker, motion, workspace).findings;
  ASSERT_EQ(found.size(), expected.kind.empty() ? 0u : 1u) << (found.empty() ? "" : found[0].message);
  if (!found.empty()) {
    EXPECT_EQ(to_string(found[0].kind), expected.kind);
    EXPECT_EQ(found[0].severity == Severity::Error, expected.error);
    EXPECT_NE(found[0].message.find(expected.message), std::string::npos) << found[0].message;
  }
#ifdef PLANNER_CCD_COMMAND
  const CommandResult told = run_command({"check", "--robot", doors.path("robot.urdf"), "--scene",
                                          doors.path("scene.yaml"), "--path", doors.path("plan.yaml"), "--json",
                                          "--junit", doors.path("junit.xml"), "--html", doors.path("page.html")});
  EXPECT_EQ(told.exit_code, expected.error ? 1 : 0) << told.out << told.err;
  const nlohmann::json json = nlohmann::json::parse(told.out);
  EXPECT_EQ(json["verdict"], "free");
  ASSERT_EQ(json["findings"].size(), found.size());
  std::stringstream junit;
  junit << std::ifstream(doors.path("junit.xml")).rdbuf();
  EXPECT_EQ(junit.str().find("failure type=\"start_jump\"") != std::string::npos, expected.error) << junit.str();
  if (!found.empty()) {
    EXPECT_EQ(json["findings"][0]["kind"], expected.kind);
    EXPECT_EQ(json["findings"][0]["value"], found[0].value);
    const CommandResult text = run_command({"check", "--robot", doors.path("robot.urdf"), "--scene",
                                            doors.path("scene.yaml"), "--path", doors.path("plan.yaml")});
    EXPECT_NE(text.out.find(expected.message), std::string::npos) << text.out;
  }
#endif
  expect_python(
      "import planner_ccd\nrobot = planner_ccd.Robot('" + doors.path("robot.urdf") +
      "')\nchecker = planner_ccd.PathChecker(robot, planner_ccd.Scene.load('" + doors.path("scene.yaml") +
      "', robot))\nimport pickle\nmotion = planner_ccd.Trajectory.load(robot, '" + doors.path("plan.yaml") +
      "')\nfor one in motion, pickle.loads(pickle.dumps(motion)), motion.stretched(2):\n"
      "  report = checker.check_trajectory(one)\n  found = [(f.kind, f.error) for f in report.findings]\n"
      "  assert found == " +
      (expected.kind.empty() ? "[]" : "[('" + expected.kind + "', " + (expected.error ? "True" : "False") + ")]") +
      ", found\n  assert report.ok == " + (expected.error ? "False" : "True") + "\n");
}

TEST(StartOfAPlan, IsWhereTheMotionBegins) {
  expect(plan(joints("0")), {});
  expect(plan(joints("0.5")), {"start_jump", true, "begins 0.5 from where the robot is said to stand, in j"});
  expect(plan(joints("0.0099")), {"start_jump", false, "begins 0.0099 from"});
  expect(plan(joints("0.0101")), {"start_jump", true, "begins 0.0101 from"});
  expect(plan(joints("1e-9")), {});
}

TEST(StartOfAPlan, TurnsOfJointsWithoutLimitsAreOnePlace) {
  expect(plan(joints("0", "6.283185307179586")), {});
  expect(plan(joints("0", "3.0")), {"start_jump", true, "begins 3 from"});
}

/// The cart's start stands in a multi-DOF state; its motion begins 0.3 m, or 0.2 rad, away.
TEST(StartOfAPlan, OfJointsOfSeveralCoordinates) {
  const auto file = [](const std::string& transform, const std::string& name = "p") {
    return "trajectory_start: {joint_state: {name: [j, c], position: [0, 0]}, multi_dof_joint_state: {joint_names: [" +
           name + "], transforms: [" + transform +
           "]}}\ntrajectory:\n- joint_trajectory: {joint_names: [j, c], points: [{positions: [0, 0], time_from_start: "
           "0}, "
           "{positions: [1, 1], time_from_start: 1}]}\n  multi_dof_joint_trajectory: {joint_names: [p], points: "
           "[{transforms: "
           "[{translation: {x: 0, y: 0, z: 0}, rotation: {x: 0, y: 0, z: 0, w: 1}}], time_from_start: 0}, {transforms: "
           "[{translation: {x: 1, y: 0, z: 0}, rotation: {x: 0, y: 0, z: 0, w: 1}}], time_from_start: 1}]}\n";
  };
  const auto at = [](const std::string& x, const std::string& turn) {
    return "{translation: {x: " + x + ", y: 0, z: 0}, rotation: {x: 0, y: 0, " + turn + "}}";
  };
  expect(file(at("0", "z: 0, w: 1")), {});
  expect(file(at("0.3", "z: 0, w: 1")), {"start_jump", true, "begins 0.3 from where the robot is said to stand, in p"});
  expect(file(at("0", "z: 0.09983341664682815, w: 0.9950041652780258")), {"start_jump", true, "begins 0.2 from"});
  // A frame that the robot does not have, as MoveIt's virtual joints.
  const auto robot = Doors(kUrdf, kScene).robot();
  const auto elsewhere = parse_trajectory(file(at("5", "z: 0, w: 1"), "world_joint"), "t.yaml", *robot);
  EXPECT_TRUE(any_contains(elsewhere.warnings, "moves joints that the robot does not have"));
  EXPECT_TRUE(any_contains(elsewhere.warnings, "world_joint"));
  EXPECT_TRUE(parse_trajectory(file(at("0", "z: 0, w: 1"), "world_joint"), "t.yaml", *robot).warnings.empty());
}

/// A cart that the plan does not move stands where the start state's frame is, and need not be held.
TEST(StartOfAPlan, PlacesWhatStandsStill) {
  const auto robot = Doors(kUrdf, kScene).robot();
  const auto motion =
      parse_trajectory(
          plan("{joint_state: {name: [j, c], position: [0, 0]}, multi_dof_joint_state: {joint_names: [p], transforms: "
               "[{translation: {x: 7, y: 0, z: 0}, rotation: {x: 0, y: 0, z: 0, w: 1}}]}}"),
          "t.yaml", *robot)
          .value.trajectory;
  EXPECT_EQ(configuration(*robot, motion, 0.5)[0], 7.0);
}

/// A DisplayTrajectory of two: j goes from 0 to 1, then c from 0 to 1; with where the robot stands before.
CdrBody display(double j, double x, double second) {
  CdrBody body;
  body.text("cart").count(2);
  for (const auto& [name, from] : {std::pair("j", 0.0), std::pair("c", second)}) {
    body.header(0).texts({name}).count(2);
    for (const double q : {0.0, 1.0})
      body.reals({from + q}).reals({}).reals({}).reals({}).time(q == 0.0 ? 0 : 1'000'000'000);
    body.header(0).texts({}).count(0);
  }
  body.header(0).texts({"j", "c"}).reals({j, 0.0}).reals({}).reals({});
  body.header(0).texts({"p"}).count(1);
  for (const double value : {x, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0}) body.real(value);
  return body.count(0).count(0).count(0);
}

TEST(StartOfAPlan, OfALog) {
  const Doors doors(kUrdf, kScene);
  const auto robot = doors.robot();
  const PathChecker checker(robot, doors.scene(), {});
  Workspace workspace(checker);
  const auto write = [&](double j, double second) {
    LogWriter writer("/display", "moveit_msgs/msg/DisplayTrajectory");
    writer.add(1'763'500'000'000'000'000, display(j, 4.0, second));
    doors.write("plan.mcap", writer.bytes());
    return load_log(doors.path("plan.mcap"), *robot).value;
  };
  const auto jumps = [&](const LogMotion& log) {
    std::vector<double> values;
    for (std::size_t i = 0; i < log.parts(); ++i) {
      for (const Finding& f : check_trajectory(checker, log.part(i), workspace).findings) values.push_back(f.value);
    }
    return values;
  };
  EXPECT_EQ(jumps(write(0.0, 0.0)), std::vector<double>{});
  EXPECT_EQ(jumps(write(0.5, 0.0)), std::vector<double>{0.5});
  EXPECT_EQ(jumps(write(0.0, 0.25)), std::vector<double>{0.25}) << "the second begins where the first has left c: at 0";
  const LogMotion log = write(0.0, 0.0);
  ASSERT_EQ(log.parts(), 2u);
  EXPECT_EQ(configuration(*robot, log.part(0), 0.0)[0], 4.0) << "the cart, by its frame";
  EXPECT_EQ(configuration(*robot, log.part(1), 0.0)[3], 1.0) << "j is where the first trajectory left it";
#ifdef PLANNER_CCD_COMMAND
  (void)write(0.5, 0.0);
  const CommandResult told = run_command({"check", "--robot", doors.path("robot.urdf"), "--scene",
                                          doors.path("scene.yaml"), "--path", doors.path("plan.mcap"), "--json"});
  EXPECT_EQ(told.exit_code, 1) << told.out << told.err;
  EXPECT_EQ(nlohmann::json::parse(told.out)["findings"][0]["kind"], "start_jump");
#endif
}

/// In parts of a timeline's motion; and a start state beside several robots' files, or frames that move, is not lost.
TEST(StartOfAPlan, OfMotionsPutTogether) {
  const Doors doors(kUrdf, kScene);
  const auto robot = doors.robot();
  doors.write("first.yaml", plan(joints("0.5")));
  doors.write("rest.csv", "time,p/x,p/y,p/theta,j,c\n0,0,0,0,1,1\n1,0,0,0,2,1\n");
  const auto second = [&](const std::string& start) {
    doors.write("second.yaml",
                "trajectory_start: {joint_state: {name: [p/x, p/y, p/theta, j, c], position: [0, 0, 0, " + start +
                    ", 1]}}\ntrajectory:\n- joint_trajectory: {joint_names: [j, c], points: [{positions: [2, 1], "
                    "time_from_start: 0}, {positions: [3, 1], time_from_start: 1}]}\n");
    std::vector<TimelineFile::MotionFile> parts(3);
    const char* files[] = {"first.yaml", "rest.csv", "second.yaml"};
    for (std::size_t i = 0; i < 3; ++i) {
      parts[i].path = doors.path(files[i]);
      parts[i].where = "part " + std::to_string(i);
    }
    return load_motion_parts(parts, *robot);
  };
  expect_input_error([&] { (void)second("2.5"); },
                     {"part 2", "second.yaml", "begins 0.5 from", "where the part before ends"});
  const Trajectory motion = second("2").value;
  ASSERT_EQ(motion.start.size(), 5);
  EXPECT_EQ(motion.start[3], 0.5);
  const std::vector<int> owner(5, 0);
  EXPECT_EQ(merge(*robot, {motion}, owner).start, motion.start);
  EXPECT_EQ(merge(*robot, {second("2").value, motion}, {0, 0, 0, 1, 1}).start[3], 0.5);
}

}  // namespace
}  // namespace planner_ccd::test
