// Trajectories as files: CSV with derivatives, ROS and MoveIt messages in YAML and JSON, curves, several robots.
#include "planner_ccd/io/trajectory_file.hpp"

#include <gtest/gtest.h>

#include "io/io_support.hpp"
#include "planner_ccd/io/motion_limits_file.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd::test {
namespace {

/// Joints a and b (continuous), f (floating), m (mimics a).
const RobotModel& model() {
  static const RobotModel robot(parse_urdf(R"(<robot name='r'><link name='w'/><link name='la'/><link name='lb'/>
    <link name='lf'/><link name='lm'/>
    <joint name='a' type='revolute'><parent link='w'/><child link='la'/>
      <limit lower='-2' upper='2' velocity='3' effort='1'/></joint>
    <joint name='b' type='continuous'><parent link='la'/><child link='lb'/></joint>
    <joint name='f' type='floating'><parent link='w'/><child link='lf'/></joint>
    <joint name='m' type='revolute'><parent link='w'/><child link='lm'/><limit lower='-2' upper='2' velocity='3' effort='1'/>
      <mimic joint='a'/></joint></robot>)",
                                           "test.urdf", "")
                                    .value);
  return robot;
}

TrajectoryFileOptions held() {
  TrajectoryFileOptions options;
  for (const char* name : {"f/trans_x", "f/trans_y", "f/trans_z", "f/rot_x", "f/rot_y", "f/rot_z"}) {
    options.hold[name] = 0.0;
  }
  options.hold["f/rot_w"] = 1.0;
  return options;
}

TrajectoryFile parse(const std::string& text, const TrajectoryFileOptions& options = held()) {
  return parse_trajectory(text, "t.yaml", model(), options).value;
}

std::string failure(const std::string& text, const TrajectoryFileOptions& options = held()) {
  try {
    parse_trajectory(text, "t.yaml", model(), options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void expect_failure(const std::string& text, const std::vector<std::string>& parts) {
  const std::string message = failure(text);
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' is not in: " << message << "\nof\n" << text;
  }
}

/// As `ros2 topic echo` prints it.
const char* const kEcho = R"(header:
  stamp:
    sec: 0
    nanosec: 0
  frame_id: ''
joint_names:
- b
- a
points:
- positions:
  - 0.5
  - 1.0
  velocities:
  - 0.1
  - 0.2
  accelerations: []
  effort: []
  time_from_start:
    sec: 0
    nanosec: 0
- positions:
  - 0.7
  - 1.5
  velocities:
  - 0.0
  - 0.0
  accelerations: []
  effort: []
  time_from_start:
    sec: 1
    nanosec: 500000000
---
)";

TEST(TrajectoryFile, RosMessageAsEchoed) {
  const TrajectoryFile file = parse(kEcho);
  ASSERT_EQ(file.points.size(), 2u);
  EXPECT_EQ(file.points[0].position[0], 1.0);
  EXPECT_EQ(file.points[0].position[1], 0.5);
  EXPECT_EQ(file.points[0].velocity[0], 0.2);
  EXPECT_EQ(file.points[1].time, 1.5);
  EXPECT_EQ(file.points[0].acceleration.size(), 0);
  EXPECT_EQ(file.trajectory.segments[0].value[0].degree, 3);
  EXPECT_EQ(file.trajectory.segments[0].value[2].degree, 0) << "held";
  EXPECT_TRUE(file.trajectory.timed);
  EXPECT_EQ(file.lines[1], 21);
}

TEST(TrajectoryFile, JsonOfMoveItWithTheStartOfTheJointsThatStandStill) {
  const TrajectoryFile file = parse_trajectory(R"({"model_id": "r", "trajectory": [{"joint_trajectory":
     {"header": {"frame_id": "w"}, "joint_names": ["a"], "points": [
       {"positions": [0.0], "velocities": [0], "accelerations": [0], "time_from_start": {"secs": 0, "nsecs": 0}},
       {"positions": [1e0], "velocities": [0], "accelerations": [0], "time_from_start": {"secs": 2, "nsecs": 0}}]},
     "multi_dof_joint_trajectory": {"joint_names": ["f"], "points": [
       {"transforms": [{"translation": {"x": 1, "y": 2, "z": 3}, "rotation": {"x": 0, "y": 0, "z": 0, "w": 1}}],
        "velocities": [], "accelerations": [], "time_from_start": {"secs": 0, "nsecs": 0}},
       {"transforms": [{"translation": {"x": 1, "y": 2, "z": 4}, "rotation": {"x": 0, "y": 0, "z": 1, "w": 0}}],
        "velocities": [], "accelerations": [], "time_from_start": {"secs": 2, "nsecs": 0}}]}}],
     "trajectory_start": {"joint_state": {"name": ["a", "b", "m"], "position": [9, 0.25, 9]}}})",
                                               "t.json", model())
                                  .value;
  const TrajectorySegment& s = file.trajectory.segments[0];
  EXPECT_EQ(s.value[0].degree, 5);
  const Eigen::VectorXd middle = configuration(model(), s, 0.5);
  EXPECT_NEAR(middle[0], 0.5, 1e-12);
  EXPECT_EQ(middle[1], 0.25);
  EXPECT_NEAR(middle[4], 3.5, 1e-12);
  EXPECT_NEAR(middle[7], std::sqrt(0.5), 1e-12);
}

TEST(TrajectoryFile, GoalsAndNumbersForTimes) {
  const TrajectoryFile file = parse(
      "goal: {trajectory: {joint_names: [a, b], points: ["
      "{positions: [0, 0], time_from_start: 0.5}, {positions: [1, 1], time_from_start: 1}]}}");
  EXPECT_EQ(file.points[0].time, 0.5);
  EXPECT_EQ(file.trajectory.segments[0].value[0].degree, 1);
  EXPECT_EQ(
      parse_trajectory("joint_names: [a, b]\npoints: [{positions: [0, 0], time_from_start: 0.5}]", "t", model(), held())
          .warnings.size(),
      1u);
}

TEST(TrajectoryFile, CsvWithAndWithoutTimesAndDerivatives) {
  const TrajectoryFile plain = parse("a,b\n0,0\n1,2\n");
  EXPECT_FALSE(plain.trajectory.timed);
  EXPECT_EQ(plain.trajectory.segments[0].t1, 1.0);
  const TrajectoryFile spline = parse("time, a, a.velocity, b, b.velocity\n0, 0, 1, 0, 0\n# no row\n0.5, 1, 1, 2, 0\n");
  EXPECT_TRUE(spline.trajectory.timed);
  EXPECT_EQ(spline.trajectory.segments[0].value[1].degree, 3);
  EXPECT_EQ(spline.lines[1], 4);
}

TEST(TrajectoryFile, ErrorsAreBoundedBySegmentAndReadOnlyWhereTheyCount) {
  const std::string text = "time,a,a.error,b\n0,0,0.01,0\n1,1,0.03,0\n2,1,0.02,1\n";
  TrajectoryFileOptions options = held();
  EXPECT_NE(failure(text).find("t.yaml:1: columns of errors count only where"), std::string::npos) << failure(text);
  options.errors = true;
  const std::vector<JointVector> errors = parse(text, options).errors;
  ASSERT_EQ(errors.size(), 2u);
  const int a = model().find_coordinate("a");
  EXPECT_EQ(errors[0][a], 0.03);
  EXPECT_EQ(errors[1][a], 0.03);
  EXPECT_EQ(errors[0].sum(), 0.03) << "of no other joint";
  const std::vector<JointVector> rest = parse("a,b,b.error\n0,0,0.1\n", options).errors;
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(rest[0][model().find_coordinate("b")], 0.1);
  EXPECT_TRUE(parse("a,b\n0,0\n", options).errors.empty());
  EXPECT_NE(failure("a,b,a.error\n0,0,-1\n", options).find("the error in column 3 must be"), std::string::npos);
  EXPECT_NE(failure("a,b,a.error,a.error\n0,0,0,0\n", options).find("is there twice"), std::string::npos);
  EXPECT_NE(failure("a,b,f/trans_x.error\n0,0,0\n", options).find("a floating joint has no error of one value"),
            std::string::npos);
  EXPECT_NE(failure("a,b,c.error\n0,0,0\n", options).find("\"c\" is not a joint"), std::string::npos);
}

TEST(TrajectoryFile, Curves) {
  const TrajectoryFile bezier = parse(
      "bezier: {joint_names: [b, a], pieces: [{from: 0, to: 2, control_points: "
      "[[0, 1], [0, 3], [5, 1]]}, {from: 2, to: 3, control_points: [[5, 1], [6, 1]]}]}");
  EXPECT_EQ(bezier.trajectory.segments.size(), 2u);
  EXPECT_NEAR(configuration(model(), bezier.trajectory, 1.0)[0], 2.0, 1e-14);
  const TrajectoryFile spline = parse(
      "b_spline: {joint_names: [a, b], degree: 2, knots: [0, 0, 0, 1, 2, 2, 2], "
      "control_points: [[0, 1], [1, 1], [2, 1], [3, 1]]}");
  EXPECT_EQ(spline.trajectory.segments.size(), 2u);
  EXPECT_EQ(configuration(model(), spline.trajectory, 2.0)[0], 3.0);
  EXPECT_EQ(configuration(model(), spline.trajectory, 1.0)[7], 0.0) << "held";
  expect_failure(
      "bezier: {joint_names: [a, b], pieces: [{from: 0, to: 1, control_points: [[0, 0], [1, 1]]},\n"
      "{from: 1, to: 2, control_points: [[0, 0], [1, 1]]}]}",
      {"t.yaml:2", "does not begin where"});
  expect_failure("b_spline: {joint_names: [a, b], degree: 9, knots: [], control_points: []}", {"degree", "1 to 5"});
}

TEST(TrajectoryFile, WrapTakesTheShorterWay) {
  TrajectoryFileOptions options = held();
  options.angles = AnglePolicy::Wrap;
  const TrajectoryFile file = parse("a,b\n0,3\n0,-3\n", options);
  EXPECT_NEAR(file.points[1].position[1], 3.283185307, 1e-9);
}

TEST(TrajectoryFile, TimesThatDoNotGrowAreLeftToTheCheck) {
  EXPECT_EQ(parse("time,a,b\n1,0,0\n1,1,1\n").trajectory.segments.size(), 1u);
}

TEST(TrajectoryFile, EveryMistakeIsNamedWithFileLineAndRemedy) {
  expect_failure("", {"t.yaml:1", "empty"});
  expect_failure("a,b\n", {"t.yaml", "no waypoint"});
  expect_failure("a,b\n0,x\n", {"t.yaml:2", "\"x\"", "finite number"});
  expect_failure("a,b\n0,nan\n", {"t.yaml:2", "finite"});
  expect_failure("a,b\n0\n", {"t.yaml:2", "1 values"});
  expect_failure("a,b,c\n0,0,0\n", {"t.yaml:1", "\"c\" is not a joint", "a, b"});
  expect_failure("a,b,m\n0,0,0\n", {"mimics"});
  expect_failure("a,a,b\n0,0,0\n", {"twice"});
  expect_failure("a\n0\n", {"missing: b", "--hold"});
  expect_failure("time,a,a.velocity,b\n0,0,0,0\n", {"\"b.velocity\" is missing"});
  expect_failure("a,a.velocity,b,b.velocity\n0,0,0,0\n", {"time"});
  expect_failure("0,0\n1,1\n", {"header of joint names"});
  expect_failure("a;b\n0;0\n", {"commas"});
  expect_failure("joint_names: [a, b]\npoints: []\n", {"no points"});
  expect_failure("joint_names: [a, b]\npoints:\n- {positions: [0], time_from_start: 0}\n",
                 {"t.yaml:3", "1 values for 2"});
  expect_failure("joint_names: [a, b]\npoints:\n- {positions: [0, 0]}\n", {"t.yaml:3", "time_from_start"});
  expect_failure("joint_names: [a, b]\npoints:\n- {positions: [0, .nan], time_from_start: 0}\n",
                 {"t.yaml:3", "finite"});
  expect_failure("joint_names: [a, b]\npoints:\n- {positions: [0, 0], velocitys: [], time_from_start: 0}\n",
                 {"t.yaml:3", "velocitys"});
  expect_failure("joint_names: [a, b]\npoints:\n- {positions: [0, 0], accelerations: [1, 1], time_from_start: 0}\n",
                 {"t.yaml:3", "velocities"});
  expect_failure("joint_names: [a, b]\npoints:\n- {positions: [0, 0], time_from_start: {sec: 0, nanosec: -1}}\n",
                 {"t.yaml:3", "999999999"});
  expect_failure("joint_names: [a, b]\npoints:\n- {positions: [0, '...'], time_from_start: 0}\n", {"--full-length"});
  expect_failure(std::string(kEcho) + kEcho, {"several messages"});
  expect_failure(  // yaml-cpp would make endless documents of it
      "\n,0.00ime,a,a.velheader:\n  stamp: {sec: 0, nanosec: 0}\nhea  frame_id: ''\njoint_names:\n- b\n- a\npoints:\n"
      "- positions:\n  -St13runtime_errorlocities: [0.1, 0.2]\n  accelocity,erations: [0, 0]\n  efforb,bt: []\n"
      "  ti tivelocitiesart:\n    sec: 1\n    nanosec: 500000000\n---\n",
      {"t.yaml", "not well-formed"});
  expect_failure("trajectory: [{}, {}]", {"2 trajectories"});
  expect_failure("{\"points\": [", {"t.yaml:1", "not well-formed"});
  expect_failure("hello: world", {"expected joint_names"});
  expect_failure("joint_names: [a, b, zz]\npoints: [{positions: [0, 0, 0], time_from_start: 0}]", {"\"zz\""});
  expect_failure(std::string("a,b\n0,\0", 7), {"binary"});
}

TEST(TrajectoryFile, SeveralRobotsOnOneClock) {
  const TempFolder folder;
  const std::string left = folder.write("left.csv", "time,a\n0,0\n2,2\n");
  const std::string right = folder.write("right.csv", "time,b\n1,0\n4,3\n");
  const Trajectory both = load_trajectories({{left, ""}, {right, ""}}, model(), held()).value;
  ASSERT_EQ(both.segments.size(), 3u);
  EXPECT_NEAR(configuration(model(), both, 1.5)[0], 1.5, 1e-12);
  EXPECT_NEAR(configuration(model(), both, 1.5)[1], 0.5, 1e-12);
  EXPECT_NEAR(configuration(model(), both, 3.0)[0], 2.0, 1e-12);
  EXPECT_THROW(load_trajectories({{left, ""}, {left, ""}}, model(), held()), InputError);
  EXPECT_THROW(load_trajectories({{left, ""}, {right, ""}}, model()), InputError) << "nothing moves f";
  const std::string plain = folder.write("plain.csv", "b\n0\n1\n");
  EXPECT_THROW(load_trajectories({{left, ""}, {plain, ""}}, model(), held()), InputError) << "no clock";
}

TEST(MotionLimits, AreReadAsMoveItWritesThem) {
  const MotionLimits limits =
      parse_motion_limits(
          "joint_limits:\n  a: {has_velocity_limits: true, max_velocity: 1.5, has_acceleration_limits: false, "
          "max_acceleration: 9}\n"
          "  b:\n    max_acceleration: 4\n",
          "limits.yaml", model())
          .value;
  EXPECT_EQ(limits.velocity[0], 1.5);
  EXPECT_TRUE(std::isinf(limits.acceleration[0]));
  EXPECT_TRUE(std::isinf(limits.velocity[1]));
  EXPECT_EQ(limits.acceleration[1], 4.0);
  EXPECT_THROW(parse_motion_limits("joint_limits: {a: {max_velocity: -1}}", "l", model()), InputError);
  EXPECT_THROW(parse_motion_limits("joint_limits: {q: {max_velocity: 1}}", "l", model()), InputError);
  EXPECT_THROW(parse_motion_limits("joint_limits: {a: {maxvelocity: 1}}", "l", model()), InputError);
}

}  // namespace
}  // namespace planner_ccd::test
