#include "planner_ccd/validation/deviation.hpp"

#include <nlohmann/json.hpp>

#include "planner_ccd/io/trajectory_file.hpp"
#include "regressions/doors.hpp"

/// Of two motions that are compared, rows of one time were passed over: what ran was 1.37 rad off in one of three rows of an instant, and
/// "stayed within the errors that the plan was checked with".
namespace planner_ccd::test {
namespace {

const std::string kUrdf =
    "<robot name='arm'><link name='base'/><link name='arm'><collision><geometry><box size='0.2 0.2 0.2'/></geometry>"
    "</collision></link><joint name='j' type='revolute'><parent link='base'/><child link='arm'/><axis xyz='0 0 1'/>"
    "<limit lower='-3' upper='3' velocity='9' effort='1'/></joint></robot>";
const std::string kScene = "objects: [{name: wall, box: {size: [0.2, 2, 2]}, pose: {xyz: [50, 0, 0]}}]\n";
const std::string kPlan = "time,j\n0,0\n2,1\n";

struct Found {
  double greatest, at, left;  ///< left < 0: never.
  bool within;
};

void expect(const std::string& plan, const std::string& ran, const std::string& shift, const Found& found) {
  const Doors doors(kUrdf, kScene);
  doors.write("plan.csv", plan);
  doors.write("ran.csv", ran);
  const auto robot = doors.robot();
  const auto load = [&](const char* name) { return load_trajectories({{doors.path(name), ""}}, *robot).value; };
  TrajectoryOptions options;
  options.edge.errors.tracking = JointVector::Constant(1, 0.01);
  const Deviation d = deviation(*robot, load("plan.csv"), load("ran.csv"), std::stod(shift), options);
  EXPECT_TRUE(d.complete);
  EXPECT_EQ(d.within(), found.within);
  EXPECT_NEAR(d.joints[0].greatest, found.greatest, 1e-9);
  EXPECT_NEAR(d.joints[0].at, found.at, 1e-9);
  EXPECT_NEAR(std::min(d.joints[0].left, 99.0), found.left >= 0.0 ? found.left : 99.0, 1e-9);
#ifdef PLANNER_CCD_COMMAND
  const CommandResult told =
      run_command({"check", "--robot", doors.path("robot.urdf"), "--scene", doors.path("scene.yaml"), "--path",
                   doors.path("plan.csv"), "--executed", doors.path("ran.csv"), "--shift", shift, "--tracking-error",
                   "0.01", "--json", "--junit", doors.path("junit.xml")});
  const nlohmann::json json = nlohmann::json::parse(told.out);
  EXPECT_EQ(json["executed"]["within"], found.within) << told.out << told.err;
  EXPECT_NEAR(json["executed"]["joints"][0]["greatest"].get<double>(), found.greatest, 1e-9);
  std::stringstream junit;
  junit << std::ifstream(doors.path("junit.xml")).rdbuf();
  EXPECT_EQ(junit.str().find("within the errors\"/>") != std::string::npos, found.within) << junit.str();
#endif
  expect_python("import planner_ccd\nrobot = planner_ccd.Robot('" + doors.path("robot.urdf") +
                "')\nchecker = planner_ccd.PathChecker(robot)\nload = planner_ccd.Trajectory.load\n"
                "options = planner_ccd.TrajectoryOptions(edge=planner_ccd.EdgeOptions(tracking_error=0.01))\n"
                "found = checker.deviation(load(robot, '" +
                doors.path("plan.csv") + "'), load(robot, '" + doors.path("ran.csv") + "'), " + shift +
                ", options)\nassert found['within'] == " + (found.within ? "True" : "False") + ", found\n");
}

TEST(DeviationAtAnInstant, RowsOfOneTimeCount) {
  expect(kPlan, "time,j\n0,0\n1,0.5\n1,1.87\n1,0.5\n2,1\n", "0", {1.37, 1.0, 1.0, false});
  expect(kPlan, "time,j\n0,0\n1,0.5\n1,0.508\n1,0.5\n2,1\n", "0", {0.008, 1.0, -1.0, true});
}

/// At both ends, also where the shift between the clocks rounds the instant beyond the plan's end.
TEST(DeviationAtAnInstant, AtTheEnds) {
  expect(kPlan, "time,j\n0,-1\n0,0\n2,1\n", "0", {-1.0, 0.0, 0.0, false});
  expect(kPlan, "time,j\n0,0\n2,1\n2,1.5\n", "0", {0.5, 2.0, 2.0, false});
  expect(kPlan, "time,j\n0.3,0\n2.3,1\n2.3,1.5\n", "-0.3", {0.5, 2.0, 2.0, false});
  expect(kPlan, "time,j\n0.1,-1\n0.1,0\n2.1,1\n", "-0.1", {-1.0, 0.0, 0.0, false});
}

TEST(DeviationAtAnInstant, OfThePlan) {
  const std::string ran = "time,j\n0,0\n1,0.5\n2,1\n";
  const Doors doors(kUrdf, kScene);
  doors.write("ran.csv", ran);
  doors.write("plan.csv", "time,j\n0,0\n1,0.5\n1,0.2\n1,0.5\n2,1\n");
  const auto robot = doors.robot();
  TrajectoryOptions options;
  options.edge.errors.tracking = JointVector::Constant(1, 0.01);
  const auto load = [&](const char* name) { return load_trajectories({{doors.path(name), ""}}, *robot).value; };
  const Deviation d = deviation(*robot, load("plan.csv"), load("ran.csv"), 0.0, options);
  EXPECT_FALSE(d.within());
  EXPECT_NEAR(d.joints[0].greatest, 0.3, 1e-9);
  EXPECT_NEAR(d.joints[0].left, 1.0, 1e-9);
}

}  // namespace
}  // namespace planner_ccd::test
