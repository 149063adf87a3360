#include <nlohmann/json.hpp>

#include "planner_ccd/io/log.hpp"
#include "planner_ccd/io/timeline_file.hpp"
#include "planner_ccd/validation/check_trajectory.hpp"
#include "regressions/doors.hpp"
#include "support/log_writer.hpp"

/// Of the joint states of one stamp only the last one was checked. A log with a sample inside the wall was "free: proved
/// everywhere", and of the 30 samples of a driver that never updates its stamp "the only waypoint is proved clear".
namespace planner_ccd::test {
namespace {

constexpr std::int64_t kStart = 1'763'500'000'000'000'000, kMilli = 1'000'000;  // [ns]

/// A block on a rail; a wall is in its way from 0.8 to 1.2 m.
const std::string kUrdf =
    "<robot name='slider'><link name='base'/><link name='slide'><collision><geometry><box size='0.2 0.2 0.2'/>"
    "</geometry></collision></link><joint name='j' type='prismatic'><parent link='base'/><child link='slide'/>"
    "<axis xyz='1 0 0'/><limit lower='0' upper='2' velocity='100' effort='1'/></joint></robot>";
const std::string kScene = "objects: [{name: wall, box: {size: [0.2, 0.2, 0.2]}, pose: {xyz: [1, 0, 0]}}]\n";

struct Sample {
  std::int64_t stamp, recorded;  ///< [ns] After kStart.
  double position;
};

struct Expected {
  Verdict verdict;
  std::size_t segments;
  std::string warning;
};

/// Asks C++, the command and Python.
void expect(const std::vector<Sample>& samples, const Expected& expected) {
  LogWriter writer({"j"});
  for (const Sample& s : samples) writer.add(kStart + s.stamp, {s.position}, kStart + s.recorded);
  const Doors doors(kUrdf, kScene);
  doors.write("run.mcap", writer.bytes());

  const PathChecker checker(doors.robot(), doors.scene(), {});
  Workspace workspace(checker);
  const Loaded<LogMotion> log = load_log(doors.path("run.mcap"), checker.robot());
  EXPECT_EQ(log.value.segments(), expected.segments);
  EXPECT_TRUE(any_contains(log.warnings, expected.warning)) << expected.warning;
  ASSERT_EQ(log.value.parts(), 1u);
  const TrajectoryResult report = check_trajectory(checker, log.value.part(0), workspace);
  EXPECT_EQ(report.verdict, expected.verdict);
  EXPECT_EQ(report.segments, static_cast<int>(expected.segments));
  EXPECT_EQ(report.has_errors(), expected.verdict == Verdict::Contact);
#ifdef PLANNER_CCD_COMMAND
  const CommandResult told =
      run_command({"check", "--robot", doors.path("robot.urdf"), "--scene", doors.path("scene.yaml"), "--path",
                   doors.path("run.mcap"), "--json", "--junit", doors.path("junit.xml")});
  EXPECT_EQ(told.exit_code, expected.verdict == Verdict::Free ? 0 : 1) << told.out << told.err;
  EXPECT_NE(told.err.find(expected.warning), std::string::npos) << told.err;
  const nlohmann::json json = nlohmann::json::parse(told.out);
  EXPECT_EQ(json["verdict"], to_string(expected.verdict));
  EXPECT_EQ(json["segments"], expected.segments);
  std::stringstream junit;
  junit << std::ifstream(doors.path("junit.xml")).rdbuf();
  EXPECT_EQ(junit.str().find("failures=\"0\"") != std::string::npos, expected.verdict == Verdict::Free) << junit.str();
#endif
  expect_python("import planner_ccd\nrobot = planner_ccd.Robot('" + doors.path("robot.urdf") +
                "')\nchecker = planner_ccd.PathChecker(robot, planner_ccd.Scene.load('" + doors.path("scene.yaml") +
                "', robot))\n(part,) = motion = planner_ccd.Log('" + doors.path("run.mcap") +
                "').motion(robot)\nreport = checker.check_trajectory(part)\nassert report.verdict.name.lower() == '" +
                to_string(expected.verdict) +
                "', report\nassert len(part) == report.segments == " + std::to_string(expected.segments) +
                "\nassert any('" + expected.warning + "' in w for w in motion.warnings)\n");
}

TEST(SamplesOfOneStamp, AreAllPartOfTheMotion) {
  const std::string warning = "1 samples have the time of the one before them and other values";
  std::vector<Sample> samples = {
      {0, 0, 0.3}, {10 * kMilli, 10 * kMilli, 1.0}, {10 * kMilli, 11 * kMilli, 0.3}, {20 * kMilli, 20 * kMilli, 0.3}};
  expect(samples, {Verdict::Contact, 3, warning});
  samples[1].position = 0.4;
  expect(samples, {Verdict::Free, 3, warning});
}

/// The wall is between two samples of one instant; none is inside it.
TEST(SamplesOfOneStamp, TheWayBetweenThemIsChecked) {
  expect(
      {{0, 0, 0.3}, {10 * kMilli, 10 * kMilli, 0.3}, {10 * kMilli, 11 * kMilli, 1.7}, {20 * kMilli, 20 * kMilli, 1.7}},
      {Verdict::Contact, 3, "up to 1.4 apart (j)"});
}

TEST(SamplesOfOneStamp, ADriverThatNeverUpdatesItsStamp) {
  std::vector<Sample> samples;
  for (int k = 0; k < 30; ++k) samples.push_back({0, 10 * kMilli * k, 0.02 * k});
  const std::string by_log = "a stamp stays the same for 0.29 s while joints move";
  expect(samples, {Verdict::Free, 29, by_log});
  samples[15].position = 1.0;
  expect(samples, {Verdict::Contact, 29, by_log});
  for (Sample& s : samples) s.recorded = 0;  // the log knows no better
  const std::string in_order = "29 samples have the time of the one before them";
  expect(samples, {Verdict::Contact, 29, in_order});
  samples[15].position = 0.3;
  expect(samples, {Verdict::Free, 29, in_order});
}

/// A range of time includes all samples at its ends.
TEST(SamplesOfOneStamp, AreInTheRangeThatIsAskedFor) {
  LogWriter writer({"j"});
  for (const double q : {0.1, 1.0, 0.2}) writer.add(kStart, {q});
  for (const double q : {0.3, 1.0, 0.4}) writer.add(kStart + 50 * kMilli, {q});
  writer.add(kStart + 100 * kMilli, {0.5});
  const Doors doors(kUrdf, kScene);
  doors.write("run.mcap", writer.bytes());
  const auto robot = doors.robot();
  const auto segments = [&](double from, double to) {
    LogOptions options;
    options.from = from;
    options.to = to;
    return load_log(doors.path("run.mcap"), *robot, options).value.segments();
  };
  EXPECT_EQ(segments(0.0, 0.1), 6u);
  EXPECT_EQ(segments(0.05, 0.1), 3u) << "three samples at 0.05 s, and the next";
  EXPECT_EQ(segments(0.0, 0.05), 5u);
  EXPECT_EQ(segments(0.02, 0.03), 1u) << "from the last sample of 0 s to the first of 0.05 s";
}

/// A robot of a timeline, that moves by its log, is at one place at a time.
TEST(SamplesOfOneStamp, OfAnotherRobotAreRefused) {
  const Doors doors(kUrdf, kScene);
  LogWriter writer({"j"});
  for (const double q : {0.1, 0.2}) writer.add(kStart, {q});
  for (const double q : {0.2, 0.3, 0.3}) writer.add(kStart + 50 * kMilli, {q});
  writer.add(kStart + 100 * kMilli, {0.5});
  doors.write("run.mcap", writer.bytes());
  const auto robot = doors.robot();
  RobotMotion other{.name = "right", .starts = -0.01, .moved = {true}};
  other.log = load_log(doors.path("run.mcap"), *robot).value;
  const auto rest = [&](double from, double to) {
    const auto point = [](double t) { return TrajectoryPoint{t, JointVector::Zero(1), {}, {}}; };
    return with_robot_motions(*robot, make_trajectory(*robot, {point(from), point(to)}), {other});
  };
  expect_input_error([&] { (void)rest(0.0, 0.05); }, {"right", "at 0.04 s", "several samples of one time"});
  EXPECT_EQ(rest(0.0, 0.03).segments.size(), 1u) << "the samples of 0 s are before it";
}

/// Two rows of one time were "the only waypoint", and the motion between them no finding.
TEST(SamplesOfOneStamp, TwoRowsOfOneTimeAreNoRest) {
  const Doors doors(kUrdf, kScene);
  const auto robot = doors.robot();
  const PathChecker checker(robot, doors.scene(), {});
  Workspace workspace(checker);
  const auto point = [](double q) { return TrajectoryPoint{0.0, JointVector::Constant(1, q), {}, {}}; };
  const TrajectoryResult moves =
      check_trajectory(checker, make_trajectory(*robot, {point(0.1), point(0.5)}), workspace);
  EXPECT_EQ(moves.segments, 1);
  ASSERT_EQ(moves.findings.size(), 1u);
  EXPECT_EQ(moves.findings[0].kind, FindingKind::TimeNotIncreasing);
  EXPECT_EQ(check_trajectory(checker, make_trajectory(*robot, {point(0.1), point(0.1)}), workspace).segments, 0);
}

}  // namespace
}  // namespace planner_ccd::test
