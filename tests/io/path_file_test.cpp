#include "planner_ccd/io/path_file.hpp"

#include <random>

#include "io/io_support.hpp"
#include "planner_ccd/io/urdf.hpp"

namespace planner_ccd::test {
namespace {

// Coordinates j1, j2 (limits -1 .. 1), and m that mimics j1.
const RobotModel& robot() {
  static const RobotModel model(
      parse_urdf(R"(<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/><link name="e"/>
    <joint name="j1" type="continuous"><parent link="a"/><child link="b"/></joint>
    <joint name="j2" type="revolute"><parent link="b"/><child link="c"/><limit lower="-1" upper="1"/></joint>
    <joint name="m" type="continuous"><parent link="c"/><child link="d"/><mimic joint="j1"/></joint>
    <joint name="f" type="fixed"><parent link="d"/><child link="e"/></joint></robot>)",
                 "r.urdf", "")
          .value);
  return model;
}

const RobotModel& free_body() {
  static const RobotModel model(parse_urdf(R"(<robot name="free"><link name="a"/><link name="b"/>
    <joint name="f" type="floating"><parent link="a"/><child link="b"/></joint></robot>)",
                                           "f.urdf", "")
                                    .value);
  return model;
}

Loaded<JointPath> parse(const std::string& text) { return parse_path(text, "p.csv", robot()); }

TEST(PathFile, ColumnsMayComeInAnyOrderWithOrWithoutTime) {
  const auto plain = parse("j2,j1\n0.25,1\n-5e-1,+2\n");
  ASSERT_EQ(plain.value.waypoints.size(), 2u);
  EXPECT_EQ(plain.value.waypoints[0], Eigen::Vector2d(1, 0.25));
  EXPECT_EQ(plain.value.waypoints[1], Eigen::Vector2d(2, -0.5));
  EXPECT_TRUE(plain.value.times.empty());
  const auto timed = parse(
      "\xEF\xBB\xBF# from the controller\r\n\r\n \"time\" , j1 , \"j2\" \r\n0, 1, 0\r\n# between\r\n0.5, 2, 0\r\n");
  EXPECT_EQ(timed.value.times, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(timed.value.waypoints[1], Eigen::Vector2d(2, 0));
}

TEST(PathFile, FaultsNameFileAndLine) {
  const std::vector<std::pair<const char*, std::vector<std::string>>> cases = {
      {"", {"p.csv", "empty"}},
      {"j1,j2\n", {"p.csv", "no waypoint"}},
      {"j1\n0\n", {"p.csv:1", "missing for: j2"}},
      {"j1,j2,j3\n0,0,0\n", {"p.csv:1", "\"j3\" is not a joint of robot \"r\"", "j1, j2"}},
      {"j1,j2,j1\n0,0,0\n", {"p.csv:1", "\"j1\" is there twice"}},
      {"time,time,j1,j2\n0,0,0,0\n", {"p.csv:1", "\"time\" is there twice"}},
      {"j1,j2,m\n0,0,0\n", {"p.csv:1", "\"m\" mimics another", "leave it out"}},
      {"j1,j2,f\n0,0,0\n", {"p.csv:1", "\"f\" is fixed"}},
      {"0.5,1\n0,0\n", {"p.csv:1", "header of joint names"}},
      {"j1;j2\n0;0\n", {"p.csv:1", "commas, not semicolons"}},
      {"j1,j2\n\n# x\n0,0\n0\n", {"p.csv:5", "has 1 values where the header has 2"}},
      {"j1,j2\n0,0,5\n", {"p.csv:2", "has 3 values"}},
      {"j1,j2\n0,zero\n", {"p.csv:2", "\"zero\" in column 2"}},
      {"j1,j2\n0,nan\n", {"p.csv:2", "not a finite number"}},
      {"j1,j2\n0,inf\n", {"p.csv:2", "not a finite number"}},
      {"j1,j2\n0,1e400\n", {"p.csv:2", "not a finite number"}},
      {"j1,j2\n0,0x10\n", {"p.csv:2", "not a finite number"}},
      {"j1,j2\n0,\n", {"p.csv:2", "not a finite number"}},
      {"time,j1,j2\n0,0,0\n0,1,1\n", {"p.csv:3", "time does not grow"}},
  };
  for (const auto& [text, message] : cases) {
    SCOPED_TRACE(text);
    expect_input_error([&, t = text] { parse(t); }, message);
  }
  expect_input_error([] { parse(std::string("j1,j2\n0,\0", 9)); }, {"binary"});
  expect_input_error([] { load_path("/nonexistent.csv", robot()); }, {"/nonexistent.csv", "no such file"});
}

TEST(PathFile, WaypointsBeyondTheLimitsAreWarnedOf) {
  const auto path = parse("j1,j2\n9,1\n0,1.5\n0,-7\n");
  ASSERT_EQ(path.warnings.size(), 1u);
  EXPECT_TRUE(any_contains(path.warnings, "p.csv:3: j2 = 1.5 is beyond its limits [-1, 1] (2 such values in all)"));
}

TEST(PathFile, QuaternionsMustHaveLengthOne) {
  const std::string header = "f/trans_x,f/trans_y,f/trans_z,f/rot_x,f/rot_y,f/rot_z,f/rot_w\n";
  const auto path = parse_path(header + "1,2,3,0,0,0.6,0.8001\n", "p.csv", free_body());
  EXPECT_NEAR(path.value.waypoints[0].tail<4>().norm(), 1.0, 1e-15);
  expect_input_error([&] { parse_path(header + "1,2,3,0,0,0,0\n", "p.csv", free_body()); }, {"p.csv:2", "quaternion"});
  expect_input_error([&] { parse_path("f\n1\n", "p.csv", free_body()); }, {"p.csv:1", "f/trans_x"});
}

TEST(PathFile, WritingAndReadingKeepsEveryBit) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> value(-1, 1);
  JointPath path;
  for (int i = 0; i < 200; ++i) {
    path.waypoints.push_back(JointVector::NullaryExpr(2, [&] { return value(random); }));
    path.times.push_back(i * 0.1);
  }
  const TempFolder folder;
  save_path(folder.path("p.csv"), path, robot());
  const auto again = load_path(folder.path("p.csv"), robot());
  EXPECT_EQ(again.value.times, path.times);
  EXPECT_EQ(again.value.waypoints, path.waypoints);
  path.times.clear();
  EXPECT_EQ(parse(format_path(path, robot())).value.waypoints, path.waypoints);
  expect_input_error([&] { save_path("/nonexistent/p.csv", path, robot()); },
                     {"/nonexistent/p.csv", "cannot be written"});
  path.times = {0.0};
  expect_input_error([&] { format_path(path, robot()); }, {"time"});
}

}  // namespace
}  // namespace planner_ccd::test
