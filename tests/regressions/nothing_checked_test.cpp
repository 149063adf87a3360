#include <nlohmann/json.hpp>

#include "planner_ccd/certificate/certificate.hpp"
#include "planner_ccd/query/check_path.hpp"
#include "planner_ccd/validation/check_trajectory.hpp"
#include "regressions/doors.hpp"

/// `<collision>` was misspelt, and so no pair of bodies was left to check. The command said "free: proved everywhere" and ended with 0, JUnit
/// passed, the page was green, and a certificate of no pairs was "verified". Now a check of nothing is bad input, unless it is asked for, and
/// what a person prints says so.
namespace planner_ccd::test {
namespace {

const std::string kRobot =
    "<robot name='slider'><link name='base'/><link name='slide'><colision><geometry><box size='0.2 0.2 "
    "0.2'/></geometry></colision></link>"
    "<joint name='j' type='prismatic'><parent link='base'/><child link='slide'/><axis xyz='1 0 0'/>"
    "<limit lower='0' upper='2' velocity='1' effort='1'/></joint></robot>";
const std::string kScene = "objects: [{name: wall, box: {size: [1, 1, 1]}, pose: {xyz: [1, 0, 0]}}]\n";

class NothingChecked : public ::testing::Test {
 protected:
  NothingChecked() : doors_(kRobot, kScene) {
    doors_.write("path.csv", "j\n0\n2\n");
    path_.waypoints = {Eigen::VectorXd::Constant(1, 0.0), Eigen::VectorXd::Constant(1, 2.0)};
  }
  std::vector<std::string> check(std::vector<std::string> more) const {
    more.insert(more.begin(), {"check", "--robot", doors_.path("robot.urdf"), "--scene", doors_.path("scene.yaml"),
                               "--path", doors_.path("path.csv")});
    return more;
  }
  std::string text_of(const std::string& name) const {
    std::ifstream file(doors_.path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  Doors doors_;
  JointPath path_;
};

TEST_F(NothingChecked, IsSaidByEveryResultInCpp) {
  const PathChecker checker(doors_.robot(), doors_.scene(), {});
  Workspace workspace(checker);
  EXPECT_TRUE(checker.checks_nothing());
  EXPECT_TRUE(checker.first_contact(path_.waypoints[0], path_.waypoints[1], workspace).nothing_checked);
  EXPECT_TRUE(checker.any_contact(path_.waypoints[0], path_.waypoints[1], workspace).nothing_checked);
  EXPECT_TRUE(check_path(checker, path_, workspace).nothing_checked);
  const Trajectory trajectory = make_trajectory(checker.robot(), path_);
  EXPECT_TRUE(check_trajectory(checker, trajectory, workspace).nothing_checked);
  EXPECT_FALSE(make_certificate(checker, trajectory).proved);
}

TEST_F(NothingChecked, IsKnownOfAChangedWorldToo) {
  Scene scene;
  scene.objects.push_back({"wall", {{Box{Eigen::Vector3d(1, 1, 1)}, Pose::Identity(), "box"}}, Pose::Identity()});
  const auto robot = std::make_shared<const RobotModel>([] {
    RobotSpec spec;
    spec.name = "ball";
    spec.links = {{"base", {}, {}}, {"ball", {{Sphere{0.1}, Pose::Identity(), "sphere"}}, {}}};
    JointSpec joint;
    joint.name = "j";
    joint.type = JointType::Prismatic;
    joint.parent = "base";
    joint.child = "ball";
    joint.axis = Eigen::Vector3d::UnitX();
    joint.lower = 5.0;
    joint.upper = 9.0;
    spec.joints = {joint};
    return spec;
  }());
  const PathChecker with(robot, scene, {});
  EXPECT_FALSE(with.checks_nothing());
  const PathChecker without = with.with_scene({});
  EXPECT_TRUE(without.checks_nothing());
  EXPECT_FALSE(without.with_scene(scene).checks_nothing());
  scene.allow = {{"wall", "ball"}};
  EXPECT_TRUE(with.with_scene(scene).checks_nothing());
  Workspace workspace(with);
  const Eigen::VectorXd q0 = Eigen::VectorXd::Constant(1, 5.0), q1 = Eigen::VectorXd::Constant(1, 9.0);
  EXPECT_FALSE(with.first_contact(q0, q1, workspace).nothing_checked);
  EXPECT_TRUE(without.first_contact(q0, q1, workspace).nothing_checked);
}

#ifdef PLANNER_CCD_COMMAND
TEST_F(NothingChecked, IsBadInputOfTheCommand) {
  expect_bad_input(check({}), {"nothing would be checked", "--allow-nothing-checked", "--use-visual"});
  expect_bad_input(check({"--json"}), {"nothing would be checked"});
  expect_bad_input(check({"--junit", doors_.path("junit.xml"), "--html", doors_.path("page.html"), "--certificate",
                          doors_.path("proof.pccd")}),
                   {"nothing would be checked"});
  EXPECT_NE(text_of("junit.xml").find("errors=\"1\""), std::string::npos);
  EXPECT_FALSE(std::ifstream(doors_.path("page.html")).good());
  EXPECT_FALSE(std::ifstream(doors_.path("proof.pccd")).good());
}

TEST_F(NothingChecked, IsNeverCalledProvedWhereItIsAccepted) {
  const CommandResult text = run_command(check({"--allow-nothing-checked"}));
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_EQ(text.out.find("proved everywhere"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("nothing was checked"), std::string::npos) << text.out;
  const CommandResult result =
      run_command(check({"--allow-nothing-checked", "--json", "--junit", doors_.path("junit.xml"), "--html",
                         doors_.path("page.html"), "--certificate", doors_.path("proof.pccd")}));
  EXPECT_EQ(result.exit_code, 3) << "there is no certificate";
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["nothing_checked"], true);
  EXPECT_EQ(json["question"]["pairs"], 0);
  EXPECT_EQ(json["certificate"]["written"], false);
  EXPECT_NE(text_of("junit.xml").find("skipped=\"1\""), std::string::npos);
  EXPECT_EQ(text_of("page.html").find("Proved free"), std::string::npos);
  EXPECT_NE(text_of("page.html").find("othing was checked"), std::string::npos);
}
#endif

TEST_F(NothingChecked, IsSaidByWhatPythonPrints) {
  expect_python(
      "import planner_ccd\n"
      "robot = planner_ccd.Robot('" +
      doors_.path("robot.urdf") + "')\nscene = planner_ccd.Scene.load('" + doors_.path("scene.yaml") +
      "', robot)\n"
      "checker = planner_ccd.PathChecker(robot, scene)\n"
      "path = robot.load_path('" +
      doors_.path("path.csv") +
      "')\n"
      "report = checker.check_trajectory(planner_ccd.Trajectory(robot, path))\n"
      "for result in (checker, checker.check_path(path), checker.first_contact(path[0], path[1]), "
      "checker.check_edges(path[:1], path[1:]),\n"
      "               report, report.text(), report.headline):\n"
      "    assert 'nothing was checked' in str(result) or 'no pair of bodies is checked' in str(result), result\n"
      "assert checker.checks_nothing and report.nothing_checked and not report.ok\n"
      "assert not checker.certify(path, '" +
      doors_.path("proof.pccd") + "').proved\n");
}

}  // namespace
}  // namespace planner_ccd::test
