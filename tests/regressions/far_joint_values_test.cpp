#include <gtest/gtest.h>

#include "planner_ccd/validation/check_trajectory.hpp"
#include "planner_ccd/validation/path_clearance.hpp"
#include "regressions/doors.hpp"

/// A joint without limits that slides 1e9 m takes a link farther than distances are computed for. That was detected
/// only when a distance was requested, in the middle of a query, which then threw InputError without an answer; a
/// report of everything found before was lost.
namespace planner_ccd::test {
namespace {

Doors slide() {
  return {
      "<robot name='slide'><link name='base'/><link name='ball'><collision><geometry><sphere "
      "radius='0.1'/></geometry></collision>"
      "</link><joint name='j' type='prismatic'><parent link='base'/><child link='ball'/><axis xyz='1 0 0'/>"
      "<limit lower='-2e9' upper='2e9' velocity='1' effort='1'/></joint></robot>",
      "objects: [{name: wall, box: {size: [0.1, 1, 1]}, pose: {xyz: [1, 0, 0]}}]\n"};
}

Eigen::VectorXd at(double q) { return Eigen::VectorXd::Constant(1, q); }

TEST(FarJointValues, AreUndecidedAtEveryDoor) {
  slide().expect(Verdict::Undecided, at(0.0), at(1e9));
  slide().expect(Verdict::Undecided, at(1e9), at(1e9));
  slide().expect(Verdict::Contact, at(-1e3), at(1e3));
}

TEST(FarJointValues, HaveAnAnswerWhateverIsAsked) {
  const Doors doors = slide();
  const PathChecker checker(doors.robot(), doors.scene(), {});
  Workspace workspace(checker);
  for (const double far : {1e8, 1e9, 1e18, 1e154, 8e307}) {
    EXPECT_TRUE(checker.in_contact(at(far), workspace)) << far;
    EXPECT_EQ(checker.clearance(at(far), workspace).lower, 0.0) << far;
    EXPECT_EQ(checker.clearance(at(far), workspace).upper, std::numeric_limits<double>::infinity()) << far;
    TrajectoryOptions options;
    options.all_contacts = true;
    options.clearance_accuracy = 1e-3;
    options.profile_step = 0.5;
    options.check_limits = false;
    const Trajectory trajectory = make_trajectory(*doors.robot(), JointPath{{at(0.0), at(0.5), at(far), at(-0.5)}, {}});
    const TrajectoryResult report = check_trajectory(checker, trajectory, workspace, options);
    EXPECT_EQ(report.verdict, Verdict::Undecided) << far;
    EXPECT_EQ(report.segment, 1) << far;
    ASSERT_EQ(report.clearance.size(), 1u);
    EXPECT_EQ(report.clearance[0].lower, 0.0) << far;
    EXPECT_LE(report.clearance[0].upper, 0.35 + 1e-3) << far;
    ASSERT_FALSE(report.profile.empty());
    EXPECT_GT(report.profile[0].nearest.lower, 0.5) << far;
    EXPECT_EQ(report.profile.back().nearest.lower, 0.0) << far;
    PathClearance clearance(checker, trajectory, {});
    EXPECT_EQ(clearance.nearest().lower, 0.0) << far;
  }
  EXPECT_NEAR(checker.clearance(at(0.0), workspace).lower, 0.85, 1e-9);  // and the workspace can be used again
}

#ifdef PLANNER_CCD_COMMAND
TEST(FarJointValues, LeaveTheReportOfTheCommandWhole) {
  const Doors doors = slide();
  doors.write("path.csv", "j\n0\n0.5\n1e9\n");
  for (const std::string format : {"--json", "--all"}) {
    const CommandResult result =
        run_command({"check", "--robot", doors.path("robot.urdf"), "--scene", doors.path("scene.yaml"), "--path",
                     doors.path("path.csv"), "--all", "--clearance", "0.001", format});
    EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
    EXPECT_NE(result.out.find("undecided"), std::string::npos) << result.out;
  }
}
#endif

}  // namespace
}  // namespace planner_ccd::test
