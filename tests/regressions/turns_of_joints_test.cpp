#include <gtest/gtest.h>

#include "regressions/doors.hpp"

/// Orientations that differ from what their numbers suggest.
namespace planner_ccd::test {
namespace {

const char* const kAngles = "wrap";

/// The quaternion of a floating joint may have any length. One of 1e200 has an infinite square, dividing by which gave
/// 0, so the rotation became the identity: a link turned by half a turn was checked at the wrong pose, and Free.
TEST(TurnsOfJoints, AreThoseOfQuaternionsOfAnyLength) {
  const Doors doors(
      "<robot name='r'><link name='base'/><link name='arm'><collision><origin xyz='0 1 0'/><geometry><sphere "
      "radius='0.1'/>"
      "</geometry></collision></link><joint name='j' type='floating'><parent link='base'/><child "
      "link='arm'/></joint></robot>",
      "objects: [{name: ball, sphere: {radius: 0.1}, pose: {xyz: [0, -1, 0]}}]\n");
  const PathChecker checker(doors.robot(), doors.scene(), {});
  Workspace workspace(checker);
  const auto expect = [&](double x, double w, Verdict right) {
    Eigen::VectorXd q(7);
    q << 0, 0, 0, x, 0, 0, w;
    for (const std::string& method : search_method_names()) {
      EdgeOptions options;
      options.method = search_method_named(method);
      EXPECT_EQ(checker.first_contact(q, q, workspace, options).verdict, right) << method << " " << x << " " << w;
    }
    std::stringstream text;
    text << "0, 0, 0, " << x << ", 0, 0, " << w;
    expect_python("import planner_ccd\nrobot = planner_ccd.Robot('" + doors.path("robot.urdf") +
                  "')\nchecker = planner_ccd.PathChecker(robot, planner_ccd.Scene.load('" + doors.path("scene.yaml") +
                  "', robot))\nresult = checker.first_contact([" + text.str() + "], [" + text.str() +
                  "])\nassert result.verdict.name.lower() == '" + to_string(right) + "', result\n");
#ifdef PLANNER_CCD_COMMAND
    if (x + w == 1.0) return;
    doors.write("path.csv", "j/trans_x,j/trans_y,j/trans_z,j/rot_x,j/rot_y,j/rot_z,j/rot_w\n" + text.str() + "\n");
    expect_bad_input({"check", "--robot", doors.path("robot.urdf"), "--scene", doors.path("scene.yaml"), "--path",
                      doors.path("path.csv")},
                     {"does not have length 1"});
#endif
  };
  for (const double length : {1e-8, 1.0, 1e99, 1e150, 1e200, 1e308}) {
    expect(length, 0.0, Verdict::Contact);
    expect(0.0, length, Verdict::Free);
  }
}

/// The shorter way of a joint without limits is equivalent to the other one because a full turn leads back. A mimic
/// joint with factor 1/2 is on the other side after a turn: the motion from 3 to -3 was checked as one to 3.28, the
/// next one begins at -3, and in between the arm passes through anything in its way.
TEST(TurnsOfJoints, LeadBackForWhatFollowsToo) {
  const auto urdf = [](const std::string& multiplier) {
    return "<robot name='r'><link name='base'/><link name='wheel'/><link name='arm'><collision><origin xyz='1 0 "
           "0'/><geometry>"
           "<sphere radius='0.1'/></geometry></collision></link><joint name='j' type='continuous'><parent link='base'/>"
           "<child link='wheel'/><axis xyz='0 0 1'/></joint><joint name='half' type='continuous'><parent link='base'/>"
           "<child link='arm'/><axis xyz='0 0 1'/><mimic joint='j' multiplier='" +
           multiplier + "'/></joint></robot>";
  };
  const std::string ahead = "objects: [{name: ball, sphere: {radius: 0.1}, pose: {xyz: [1, 0, 0]}}]\n";
  for (const auto& [multiplier, right] : {std::pair("0.5", Verdict::Contact),
                                          {"1", Verdict::Free},
                                          {"-1", Verdict::Free},
                                          {"1.000001", Verdict::Contact}}) {
    const Doors doors(urdf(multiplier), ahead);
    const PathChecker checker(doors.robot(), doors.scene(), {});
    Workspace workspace(checker);
    EdgeOptions options;
    options.angles = AnglePolicy::Wrap;
    const Eigen::VectorXd q0 = Eigen::VectorXd::Constant(1, 3.0), q1 = -q0;
    EXPECT_EQ(checker.first_contact(q0, q1, workspace, options).verdict, right) << multiplier;
    expect_python("import planner_ccd\nrobot = planner_ccd.Robot('" + doors.path("robot.urdf") +
                  "')\nchecker = planner_ccd.PathChecker(robot, planner_ccd.Scene.load('" + doors.path("scene.yaml") +
                  "', robot))\nresult = checker.first_contact([3.0], [-3.0], planner_ccd.EdgeOptions(angles='" +
                  kAngles + "'))\nassert result.verdict.name.lower() == '" + to_string(right) + "', result\n");
#ifdef PLANNER_CCD_COMMAND
    doors.write("path.csv", "j\n3\n-3\n");
    const CommandResult result =
        run_command({"check", "--robot", doors.path("robot.urdf"), "--scene", doors.path("scene.yaml"), "--path",
                     doors.path("path.csv"), "--angles", kAngles});
    EXPECT_EQ(result.exit_code, right == Verdict::Free ? 0 : 1) << result.out << result.err;
#endif
  }
}

}  // namespace
}  // namespace planner_ccd::test
