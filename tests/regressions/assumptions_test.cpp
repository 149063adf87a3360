#include <nlohmann/json.hpp>

#include "planner_ccd/io/collision_rules.hpp"
#include "planner_ccd/validation/assumptions.hpp"
#include "regressions/doors.hpp"

/// Weaknesses of a check were reported only as warnings, only on the command line and only for robots: a scene's open
/// mesh, an `allow: ["*", "*"]`, a margin reduced by the scene, and a table that is never checked because the robot's
/// base does not move gave no warning, but "free: proved everywhere". Now every entry point lists them.
namespace planner_ccd::test {
namespace {

const std::string kRobot =
    "<robot name='slider'><link name='tool0'/>"
    "<link name='base'><collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link>"
    "<link name='slide'><collision><geometry><box size='0.2 0.2 0.2'/></geometry></collision></link>"
    "<joint name='j' type='prismatic'><parent link='base'/><child link='slide'/><origin xyz='0 1 0'/><axis xyz='1 0 "
    "0'/>"
    "<limit lower='0' upper='2' velocity='1' effort='1'/></joint>"
    "<joint name='k' type='revolute'><parent link='slide'/><child link='tool0'/><limit lower='0' "
    "upper='2'/></joint></robot>";

const std::string kScene =
    "objects:\n"
    "- {name: sheet, mesh: sheet.obj, pose: {xyz: [0, 5, 0]}}\n"
    "- {name: wall, box: {size: [1, 1, 1]}, pose: {xyz: [0, 9, 0]}}\n"
    "attached:\n"
    "- {name: cup, sphere: {radius: 0.05}, link: slide, pose: {xyz: [0, 0, 0.5]}, touch_links: [base]}\n"
    "allow: [[sheet, '*']]\n"
    "margins: [[slide, wall, 0.0]]\n";

/// Two triangles of a square: open.
const std::string kSheet = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";

const Assumption* find(const std::vector<Assumption>& all, AssumptionKind kind, const std::string& by = "") {
  for (const Assumption& a : all) {
    if (a.kind == kind && (by.empty() || a.by == by)) return &a;
  }
  return nullptr;
}

using Names = std::vector<std::string>;

class Assumptions : public ::testing::Test {
 protected:
  Assumptions() : doors_(kRobot, kScene) {
    doors_.write("sheet.obj", kSheet);
    robot_ = doors_.robot();
  }
  Doors doors_;
  std::shared_ptr<const RobotModel> robot_;
};

TEST_F(Assumptions, AreListedInCpp) {
  const PathChecker checker(robot_, doors_.scene(), build_collision_matrix(*robot_), {.margin = 0.01});
  const std::vector<Assumption> all = assumptions(checker);
  const auto names = [&](AssumptionKind kind) {
    const Assumption* a = find(all, kind);
    return a ? a->names : Names{"not listed"};
  };
  EXPECT_EQ(names(AssumptionKind::NoGeometry), Names{"tool0"});
  EXPECT_EQ(names(AssumptionKind::NoInside), Names{"sheet"});
  EXPECT_EQ(names(AssumptionKind::StandStill), Names{"base"});
  EXPECT_EQ(checker.open_surfaces(), Names{"sheet"});
  const auto pairs = [&](AssumptionKind kind, const std::string& by = "") {
    const Assumption* a = find(all, kind, by);
    return a ? a->pairs.size() : 0;
  };
  EXPECT_EQ(pairs(AssumptionKind::Excluded, "adjacent"), 1u);
  EXPECT_EQ(pairs(AssumptionKind::Excluded, "allowed"), 2u) << "the sheet against the link and the cup that move";
  EXPECT_EQ(pairs(AssumptionKind::Excluded, "touch link"), 1u);
  EXPECT_EQ(pairs(AssumptionKind::Excluded, "same body"), 1u) << "cup and slide";
  EXPECT_EQ(pairs(AssumptionKind::SmallerMargin), 1u);
  ASSERT_TRUE(find(all, AssumptionKind::AllowedForAll));
  EXPECT_NE(find(all, AssumptionKind::AllowedForAll)->text.find("2 pairs"), std::string::npos);
  EXPECT_EQ(find(all, AssumptionKind::NothingChecked), nullptr);
}

TEST_F(Assumptions, OfACheckOfNothingSaySo) {
  Scene all_allowed = doors_.scene();
  all_allowed.allow = {{"*", "*"}};
  const PathChecker checker(robot_, all_allowed, {});
  Workspace workspace(checker);
  EXPECT_TRUE(checker.is_free(Eigen::Vector2d(0, 0), Eigen::Vector2d(1, 1), workspace));
  const std::vector<Assumption> all = assumptions(checker);
  EXPECT_TRUE(find(all, AssumptionKind::NothingChecked));
  ASSERT_TRUE(find(all, AssumptionKind::AllowedForAll));
  EXPECT_EQ(find(all, AssumptionKind::AllowedForAll)->by, "* and *");
}

TEST_F(Assumptions, AreListedInPython) {
  expect_python("import planner_ccd\nrobot = planner_ccd.Robot('" + doors_.path("robot.urdf") +
                "')\nchecker = planner_ccd.PathChecker(robot, planner_ccd.Scene.load('" + doors_.path("scene.yaml") +
                "', robot), margin=0.01)\nassert checker.open_surfaces == ['sheet']\n"
                "said = {(a.kind, a.by): a for a in checker.assumptions}\n"
                "assert said['no_geometry', ''].names == ['tool0'], said\n"
                "assert said['no_inside', ''].names == ['sheet'], said\n"
                "assert len(said['excluded', 'allowed'].pairs) == 2, said\n"
                "assert ('allowed_for_all', 'sheet and *') in said and ('smaller_margin', '') in said, said\n");
}

#ifdef PLANNER_CCD_COMMAND
TEST_F(Assumptions, ArePrintedWithTheVerdict) {
  const TempFolder folder;
  const std::vector<std::string> question = {"check",
                                             "--robot",
                                             doors_.path("robot.urdf"),
                                             "--scene",
                                             doors_.path("scene.yaml"),
                                             "--path",
                                             folder.write("path.csv", "time,j\n1,0\n2,1\n"),
                                             "--hold",
                                             "k=0.5",
                                             "--ignore-limits",
                                             "--margin",
                                             "0.01"};
  const CommandResult text = run_command(question);
  EXPECT_EQ(text.exit_code, 0) << text.out << text.err;
  for (const char* part : {"assumed", "sheet", "tool0", "1 adjacent", "2 allowed", "held", "limits"}) {
    EXPECT_NE(text.out.find(part), std::string::npos) << part << " is not in: " << text.out;
  }
  const auto with = [&](const std::string& option) {
    std::vector<std::string> more = question;
    more.push_back(option);
    return run_command(more);
  };
  EXPECT_NE(with("--assumptions").out.find("slide - cup"), std::string::npos) << with("--assumptions").out;
  const auto report = nlohmann::json::parse(with("--json").out);
  std::map<std::string, nlohmann::json> said;
  for (const auto& a : report["assumptions"]) said[a["kind"]] = a;
  EXPECT_EQ(said["held"]["names"], nlohmann::json::array({"k"}));
  EXPECT_EQ(said["no_inside"]["names"], nlohmann::json::array({"sheet"}));
  for (const char* kind : {"no_geometry", "stand_still", "smaller_margin", "allowed_for_all", "excluded",
                           "unknown_start", "limits_ignored"}) {
    EXPECT_TRUE(said.count(kind)) << kind;
  }
}

TEST_F(Assumptions, AreToldByInspect) {
  const auto report = nlohmann::json::parse(run_command({"inspect", doors_.path("robot.urdf"), "--json"}).out);
  std::vector<std::string> kinds;
  for (const auto& a : report["assumptions"]) kinds.push_back(a["kind"]);
  EXPECT_TRUE(any_contains(kinds, "no_geometry"));
  EXPECT_TRUE(any_contains(kinds, "excluded"));
}
#endif

}  // namespace
}  // namespace planner_ccd::test
