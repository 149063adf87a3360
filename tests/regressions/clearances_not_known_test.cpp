// Lower bounds of clearance that nothing proved, where evaluations ran out.
//
// In a timeline: what a stage did not list was taken to stay farther away than what it listed. A ball that leaves a post at 0.14 m, and
// goes through it a stage later, was told to come no nearer than 0.139 m. What is true: 0.
//
// Without evaluations left, 0 was told, which reads as a contact of a motion that was proved free. It is not known.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "planner_ccd/validation/path_clearance.hpp"
#include "planner_ccd/validation/timeline.hpp"
#include "regressions/doors.hpp"

namespace planner_ccd::test {
namespace {

/// A ball on a rail; a post that stands on the rail at 1 m, one beside it at 2 m, and one far away.
const char* const kRail = R"(<robot name="rail"><link name="base"/>
<link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="x" type="prismatic"><parent link="base"/><child link="ball"/><axis xyz="1 0 0"/>
<limit lower="-9" upper="9" effort="1" velocity="99"/></joint></robot>)";
const char* const kPosts = R"(objects:
  - {name: on_rail, sphere: {radius: 0.05}, pose: {xyz: [1, 0, 0]}}
  - {name: beside, sphere: {radius: 0.05}, pose: {xyz: [2, 0.45, 0]}}
  - {name: far, sphere: {radius: 0.05}, pose: {xyz: [0, 9, 0]}}
)";
const char* const kPath = "time,x\n0,0.71\n1,0\n2,4\n";
const char* const kTimeline = "events: [{waypoint: 1, allow: [[ball, far]]}]\n";

struct Rail {
  Doors doors{kRail, kPosts};

  Rail() {
    doors.write("path.csv", kPath);
    doors.write("timeline.yaml", kTimeline);
  }
  std::string python() const {
    return "import planner_ccd\nrobot = planner_ccd.Robot('" + doors.path("robot.urdf") +
           "')\nscene = planner_ccd.Scene.load('" + doors.path("scene.yaml") +
           "', robot)\nchecker = planner_ccd.PathChecker(robot, scene)\n"
           "motion = planner_ccd.Trajectory(robot, [[0.71], [0.0], [4.0]], times=[0, 1, 2])\n";
  }
};

TEST(ClearancesNotKnown, OfAPairThatAStageDoesNotListInCpp) {
  const Rail rail;
  const auto robot = rail.doors.robot();
  const PathChecker checker(robot, rail.doors.scene(), {});
  const Trajectory motion = make_trajectory(*robot, load_path(rail.doors.path("path.csv"), *robot).value);
  TimelineEvent event;
  event.kind = EventKind::Allow;
  event.waypoint = 1;
  event.pairs = {{"ball", "far"}};
  const Timeline timeline(checker, rail.doors.scene(), motion, {event});
  Workspace workspace(checker);
  TrajectoryOptions options;
  options.clearance_accuracy = 1e-3;
  for (const std::size_t pairs : {1, 2, 10}) {
    options.clearance_pairs = pairs;
    options.edge.max_evaluations = 1;
    const TrajectoryResult cut = check_timeline(timeline, workspace, options);
    ASSERT_FALSE(cut.clearance.empty());
    for (const PairClearance& c : cut.clearance) {
      if (c.b == "on_rail") {
        EXPECT_EQ(c.lower, 0.0) << pairs << " pairs";
      }
      if (c.b == "on_rail" && c.upper > 1e-3) {
        EXPECT_FALSE(c.known);
      }
      if (c.b == "beside") {
        EXPECT_LE(c.lower, 0.3);
      }
    }
    EXPECT_EQ(cut.clearance[0].lower, 0.0) << "the first bounds them all";
    options.edge.max_evaluations = 1000;
    const TrajectoryResult whole = check_timeline(timeline, workspace, options);
    EXPECT_EQ(whole.clearance[0].b, "on_rail");
    EXPECT_LE(whole.clearance[0].upper, 1e-3);
    EXPECT_TRUE(whole.clearance[0].known) << "they touch";
    switch (pairs) {
      case 1: EXPECT_EQ(whole.clearance_of_others, 0.0) << "the listed one touches, others were not asked for"; break;
      case 2:
        EXPECT_NEAR(whole.clearance_of_others, 1.216, 2e-3) << "farther than the second in the first stage";
        break;
      default: EXPECT_TRUE(std::isinf(whole.clearance_of_others)) << "there are no others";
    }
  }
}

TEST(ClearancesNotKnown, OfPairsThatAreNotListed) {
  const Rail rail;
  const auto robot = rail.doors.robot();
  const PathChecker checker(robot, rail.doors.scene(), {});
  // Past the post beside the rail, and not seen there: only pairs nearer than 0.4 m are asked for.
  const Trajectory motion = make_trajectory(
      *robot, {{0.0, Eigen::VectorXd::Constant(1, 1.5), {}, {}}, {1.0, Eigen::VectorXd::Constant(1, 6.5), {}, {}}});
  ClearanceOptions options;
  options.below = 0.31;
  options.max_evaluations = 1;
  PathClearance cut(checker, motion, options);
  EXPECT_TRUE(cut.nearest_pairs(5).empty()) << "none was measured so near";
  EXPECT_EQ(cut.of_others(), 0.0) << "which does not mean that none comes so near";
  EXPECT_FALSE(cut.nearest().known);
  options.max_evaluations = 1000;
  PathClearance whole(checker, motion, options);
  const std::vector<PairClearance> near = whole.nearest_pairs(5);
  ASSERT_EQ(near.size(), 1u);
  EXPECT_NEAR(near[0].upper, 0.3, 1.1e-3);
  EXPECT_NEAR(whole.of_others(), 0.309, 1e-9);
}

#ifdef PLANNER_CCD_COMMAND
TEST(ClearancesNotKnown, AreToldByTheCommand) {
  const Rail rail;
  const std::string csv = rail.doors.path("profile.csv");
  std::vector<std::string> arguments = {"check",
                                        "--robot",
                                        rail.doors.path("robot.urdf"),
                                        "--scene",
                                        rail.doors.path("scene.yaml"),
                                        "--path",
                                        rail.doors.path("path.csv"),
                                        "--timeline",
                                        rail.doors.path("timeline.yaml"),
                                        "--clearance",
                                        "1e-3",
                                        "--clearance-csv",
                                        csv,
                                        "--clearance-step",
                                        "1",
                                        "--clearance-pairs",
                                        "1",
                                        "--max-evaluations",
                                        "1"};
  const CommandResult text = run_command(arguments);
  EXPECT_NE(text.out.find("from below not known: ball and on_rail"), std::string::npos) << text.out << text.err;
  EXPECT_NE(text.out.find("clearance of all other pairs: not known"), std::string::npos) << text.out;
  std::ifstream in(csv);
  std::string row;
  std::getline(in, row);
  EXPECT_EQ(row, "from,to,lower,upper,time,a,b");
  int unknown = 0;
  while (std::getline(in, row)) unknown += row.find(",,") != std::string::npos;
  EXPECT_EQ(unknown, 1) << "the second stage";
  arguments.push_back("--json");
  const auto out = nlohmann::json::parse(run_command(arguments).out).at("clearance");
  for (const auto& c : out["pairs"]) {
    if (c["b"] != "on_rail") continue;
    EXPECT_TRUE(c["lower"].is_null());
    EXPECT_EQ(c["known"], false);
  }
  EXPECT_TRUE(out["others"]["lower"].is_null());
  EXPECT_EQ(out["others"]["known"], false);
  const auto& profile = out["profile"];
  ASSERT_EQ(profile.size(), 2u);
  EXPECT_EQ(profile[0]["known"], true);
  EXPECT_NEAR(profile[0]["lower"].get<double>(), 0.139, 2e-3);
  EXPECT_EQ(profile[1]["known"], false);
  EXPECT_TRUE(profile[1]["lower"].is_null());
}
#endif

TEST(ClearancesNotKnown, AreToldInPython) {
  const Rail rail;
  expect_python(rail.python() +
                "timeline = planner_ccd.Timeline([{'waypoint': 1, 'allow': [('ball', 'far')]}])\n"
                "options = planner_ccd.TrajectoryOptions(clearance_accuracy=1e-3, clearance_pairs=1, profile_step=1.0,"
                " edge=planner_ccd.EdgeOptions(max_evaluations=1))\n"
                "report = checker.check_trajectory(motion, options, timeline=timeline)\n"
                "on = [c for c in report.clearance if c.b == 'on_rail'][0]\n"
                "assert on.lower == 0 and not on.known and 'not known' in repr(on), on\n"
                "assert report.clearance_of_others == 0\n"
                "assert list(report.profile['known']) == [True, False], report.profile\n"
                "assert report.profile['lower'][1] == 0\n"
                "report = checker.check_trajectory(motion, planner_ccd.TrajectoryOptions(clearance_accuracy=1e-3), "
                "timeline=timeline)\n"
                "assert report.clearance[0].known and report.clearance_of_others == float('inf')\n");
}

/// How far to look for what is near began at the radius of the smallest link, 0 here, and grew by multiplication: for ever.
TEST(ClearancesNotKnown, AreNotThoseOfALinkThatIsOnePoint) {
  const std::string dot = R"(<robot name="dot"><link name="base"/>
<link name="dot"><collision><geometry><mesh filename="dot.obj"/></geometry></collision></link>
<joint name="x" type="prismatic"><parent link="base"/><child link="dot"/><axis xyz="1 0 0"/>
<limit lower="-9" upper="9" effort="1" velocity="99"/></joint></robot>)";
  const Doors doors(dot, kPosts);
  doors.write("dot.obj", "v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n");
  expect_python("import signal, planner_ccd\nsignal.alarm(100)\nrobot = planner_ccd.Robot('" +
                doors.path("robot.urdf") + "')\nchecker = planner_ccd.PathChecker(robot, planner_ccd.Scene.load('" +
                doors.path("scene.yaml") +
                "', robot))\n"
                "assert abs(checker.clearance([0.0]).lower - 0.95) < 1e-9\n"
                "motion = planner_ccd.Trajectory(robot, [[0.0], [0.5]], times=[0, 1])\n"
                "report = checker.check_trajectory(motion, planner_ccd.TrajectoryOptions(clearance_accuracy=1e-3))\n"
                "assert abs(report.clearance[0].upper - 0.45) < 1e-3, report.clearance\n"
                "report = checker.check_trajectory(motion, planner_ccd.TrajectoryOptions(profile_step=0.1))\n"
                "assert abs(report.profile['upper'][-1] - 0.45) < 1e-3, report.profile\n");
#ifdef PLANNER_CCD_COMMAND
  doors.write("path.csv", "x\n0\n0.5\n");
  const CommandResult result =
      run_command({"check", "--robot", doors.path("robot.urdf"), "--scene", doors.path("scene.yaml"), "--path",
                   doors.path("path.csv"), "--clearance", "1e-3"});
  EXPECT_NE(result.out.find("dot and on_rail"), std::string::npos) << result.out << result.err;
#endif
}

/// The margin that the check proved bounds what evaluations did not suffice for.
TEST(ClearancesNotKnown, AreAtLeastTheMarginOfAFreeMotion) {
  const Rail rail;
  const auto robot = rail.doors.robot();
  const PathChecker checker(robot, rail.doors.scene(), {}, CheckerOptions{.margin = 0.2});
  Workspace workspace(checker);
  const Trajectory motion = make_trajectory(
      *robot, {{0.0, Eigen::VectorXd::Constant(1, 1.5), {}, {}}, {1.0, Eigen::VectorXd::Constant(1, 6.5), {}, {}}});
  TrajectoryResult report = check_trajectory(checker, motion, workspace);
  ASSERT_EQ(report.verdict, Verdict::Free);
  TrajectoryOptions options;
  options.edge.max_evaluations = 1;
  options.clearance_accuracy = 1e-3;
  options.clearance_pairs = 1;
  options.profile_step = 1.0;
  ASSERT_TRUE(add_clearance(checker, motion, options, report));
  ASSERT_EQ(report.profile.size(), 1u);
  EXPECT_EQ(report.profile[0].nearest.lower, 0.2);
  EXPECT_TRUE(report.profile[0].nearest.known);
  EXPECT_EQ(report.clearance[0].lower, 0.2);
  EXPECT_EQ(report.clearance_of_others, 0.2);
  report.verdict = Verdict::Undecided;
  ASSERT_TRUE(add_clearance(checker, motion, options, report));
  EXPECT_FALSE(report.profile[0].nearest.known);
  EXPECT_EQ(report.profile[0].nearest.lower, 0.0);
}

}  // namespace
}  // namespace planner_ccd::test
