#include <gtest/gtest.h>

#include "planner_ccd/certificate/certificate.hpp"
#include "planner_ccd/io/timeline_file.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/check_path.hpp"
#include "planner_ccd/validation/path_clearance.hpp"
#include "planner_ccd/validation/timeline.hpp"
#include "planner_ccd/validation/tracking_limit.hpp"
#include "regressions/doors.hpp"
#ifdef PLANNER_CCD_HAVE_BATCH
#include "planner_ccd/query/batch/check_edges.hpp"
#include "planner_ccd/roadmap/roadmap.hpp"
#endif

/// What a timeline carries stood still, without a word, in every query but that of the timeline: a checker made after the recipe,
/// PathChecker(timeline.robot(robot), scene), called 18 of 18 edges of a planner free of which 1 is, when the crate moves. A configuration
/// does not say when it is, so such a checker now refuses it; and a motion is refused in a scene where the crate stands and nothing carries it.
namespace planner_ccd::test {
namespace {

Pose at(double x, double y) { return Pose(Eigen::Translation3d(x, y, 0.0)); }

/// A ball slides along x from 0 to 10 m in 10 s; a crate crosses its way at x = 5, where both are after 5 s.
struct Crossing {
  RobotSpec spec;
  MovingFrame belt{.name = "belt", .times = {0.0, 10.0}, .poses = {at(0.0, 0.0), at(0.0, 10.0)}, .carries = {"crate"}};
  std::shared_ptr<const RobotModel> robot, moving;
  Scene scene;
  Trajectory own, motion;

  Crossing() {
    spec.name = "slide";
    spec.links = {{"base", {}, {}}, {"ball", {{Sphere{0.1}, Pose::Identity(), "ball"}}, {}}};
    JointSpec joint;
    joint.name = "j";
    joint.type = JointType::Prismatic;
    joint.parent = "base";
    joint.child = "ball";
    spec.joints = {joint};
    robot = std::make_shared<const RobotModel>(spec);
    moving = std::make_shared<const RobotModel>(with_moving_frames(spec, {belt}));
    scene.objects = {{"crate", {{Sphere{0.1}, Pose::Identity(), "ball"}}, at(5.0, -5.0)}};
    JointPath path;
    path.waypoints = {JointVector::Constant(1, 0.0), JointVector::Constant(1, 10.0)};
    path.times = {0.0, 10.0};
    own = make_trajectory(*robot, path);
    motion = with_moving_frames(*moving, own, {belt});
  }
  Scene carried() const { return with_carried(*moving, scene, motion, {belt}); }
  PathChecker checker(const Scene& in) const { return PathChecker(moving, in, CollisionMatrix()); }
  JointVector start() const { return moving->neutral(); }
};

template <class Ask>
void expect_refused(const Ask& ask, const std::string& part) {
  try {
    ask();
    ADD_FAILURE() << "answered, and does not say: " << part;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(MovingObstacles, DoNotStandStillForQueriesOfConfigurations) {
  const Crossing world;
  const JointVector q = world.start();
  // Held by its frame or not: nobody has said when.
  for (const PathChecker& checker : {world.checker(world.scene), world.checker(world.carried())}) {
    Workspace w;
    JointPath path;
    path.waypoints = {q, q};
    const std::string why = "moves by the clock of a timeline, and configurations do not say when";
    expect_refused([&] { (void)checker.is_free(q, q, w); }, why);
    expect_refused([&] { (void)checker.any_contact(q, q, w); }, why);
    expect_refused([&] { (void)checker.first_contact(q, q, w); }, why);
    expect_refused([&] { (void)checker.in_contact(q, w); }, why);
    expect_refused([&] { (void)checker.clearance(q, w); }, why);
    expect_refused([&] { (void)check_path(checker, path, w); }, why);
#ifdef PLANNER_CCD_HAVE_BATCH
    const std::vector<Edge> edges = {{q, q}};
    expect_refused([&] { (void)check_edges(checker, edges); }, why);
    expect_refused([&] { (void)check_fan(checker, q, std::vector<JointVector>{q}); }, why);
#endif
  }
#ifdef PLANNER_CCD_HAVE_BATCH
  expect_refused([&] { Roadmap(world.moving, world.scene, CollisionMatrix(), {}); }, "moves by the clock");
#endif
  // The robot itself, in a scene where the crate stands: that is what was asked.
  Workspace w;
  const PathChecker still(world.robot, world.scene, CollisionMatrix());
  EXPECT_TRUE(still.is_free(JointVector::Constant(1, 0.0), JointVector::Constant(1, 10.0), w));
}

TEST(MovingObstacles, DoNotStandStillOnMotionsThatNobodyCarriesThemOn) {
  const Crossing world;
  Workspace w;
  const PathChecker left = world.checker(world.scene), right = world.checker(world.carried());
  const std::string why = "something that moves by itself carries it, and in this scene nothing does";
  const TrajectorySegment& segment = world.motion.segments[0];
  expect_refused([&] { (void)left.is_free(segment, w); }, why);
  expect_refused([&] { (void)left.any_contact(segment, w); }, why);
  expect_refused([&] { (void)left.first_contact(segment, w); }, why);
  expect_refused([&] { (void)check_trajectory(left, world.motion, w); }, why);
  expect_refused([&] { (void)max_tracking_error(left, world.motion, w); }, why);
  expect_refused([&] { PathClearance(left, world.motion, {}); }, why);
  expect_refused([&] { (void)make_certificate(left, world.motion); }, why);
  expect_refused([&] { (void)check_timeline(Timeline(left, world.scene, world.motion, {}), w); }, why);
  expect_refused([&] { (void)left.with_scene(world.scene).is_free(segment, w); }, why);
  // Nor without the crate, of which nobody knows where it went.
  expect_refused([&] { (void)world.checker({}).is_free(segment, w); }, why);
  EXPECT_EQ(check_trajectory(right, world.motion, w).verdict, Verdict::Contact);
  EXPECT_EQ(right.first_contact(segment, w).verdict, Verdict::Contact);
  EXPECT_FALSE(make_certificate(right, world.motion).proved);
  EXPECT_EQ(check_timeline(Timeline(left, world.carried(), world.motion, {}), w).verdict, Verdict::Contact);
  // Times are part of the question.
  Trajectory untimed = world.motion;
  untimed.timed = false;
  const std::string when = "moves by the clock of a timeline, and the motion has no times";
  expect_refused([&] { (void)check_trajectory(right, untimed, w); }, when);
  expect_refused([&] { (void)max_tracking_error(right, untimed, w); }, when);
  expect_refused([&] { PathClearance(right, untimed, {}); }, when);
  expect_refused([&] { (void)make_certificate(right, untimed); }, when);
  expect_refused([&] { Timeline(right, world.carried(), untimed, {}); }, when);
}

TEST(MovingObstacles, StandWhereTheyWerePutDown) {
  const Crossing world;
  Workspace w;
  TimelineEvent down;
  down.kind = EventKind::Detach;
  down.time = 2.0;
  down.object = "crate";
  const Timeline timeline(world.checker(world.scene), world.carried(), world.motion, {down});
  EXPECT_EQ(check_timeline(timeline, w).verdict, Verdict::Free);
  TrajectoryOptions all;
  all.all_contacts = true;
  all.clearance_accuracy = 1e-3;
  const TrajectoryResult report = check_timeline(timeline, w, all);
  EXPECT_EQ(report.verdict, Verdict::Free);
  EXPECT_FALSE(report.clearance.empty());
  // with_scene, in full and by what changed.
  const PathChecker put_down = world.checker(world.carried()).with_scene(world.scene);
  EXPECT_TRUE(put_down.is_free(world.motion.segments[0], w));
  EdgeOptions by_paper;
  by_paper.method = search_method_named("c2a");
  EXPECT_TRUE(put_down.is_free(world.motion.segments[0], w, by_paper));
}

TEST(MovingObstacles, RobotsOfATimelineMoveByTheClockToo) {
  const Crossing world;
  const RobotSpec both = combine({{world.spec, "a_", at(0.0, 1.0)}, {world.spec, "b_", at(0.0, 0.0)}});
  TimelineFile file;
  file.robots.emplace_back();
  file.robots[0].prefix = "b_";
  file.robots[0].where = "t.yaml:1";
  const RobotModel marked(with_moving(both, file));
  EXPECT_EQ(marked.clock_joint(), "b_j");
  EXPECT_EQ(marked.dof(), 2);
  const PathChecker checker(std::make_shared<const RobotModel>(marked), {}, CollisionMatrix());
  Workspace w;
  expect_refused([&] { (void)checker.is_free(marked.neutral(), marked.neutral(), w); }, "\"b_j\" moves by the clock");
  file.robots[0].prefix = "c_";
  expect_refused([&] { (void)with_moving(both, file); }, "t.yaml:1: robot \"c_\": no joint's name begins so");
}

/// The recipe of docs/recipes.md, asked as a planner asks.
TEST(MovingObstacles, AreSeenOrRefusedInPython) {
  const TempFolder folder;
  const std::string urdf =
      folder.write("slide.urdf",
                   "<robot name='slide'><link name='base'/><link name='ball'><collision><geometry><sphere "
                   "radius='0.1'/></geometry></collision></link>"
                   "<joint name='j' type='prismatic'><parent link='base'/><child link='ball'/><axis xyz='1 0 0'/>"
                   "<limit lower='-1' upper='11' velocity='9' effort='9'/></joint></robot>");
  expect_python(
      "import numpy as np, pickle, planner_ccd\nfrom planner_ccd import *\n"
      "robot = Robot('" +
      urdf + R"(')
scene = Scene.from_string('objects: [{name: crate, sphere: {radius: 0.1}, pose: {xyz: [5, -5, 0]}}]')
belt = {'name': 'belt', 'carries': ['crate'], 'poses': [{'time': 0, 'pose': {}}, {'time': 10, 'pose': {'xyz': [0, 10, 0]}}]}
timeline = Timeline(moving=[belt])
moving = timeline.robot(robot)
checker = PathChecker(moving, scene)
motion = Trajectory(robot, [[0], [10]], times=[0, 10])
assert checker.check_trajectory(motion, timeline=timeline).verdict is Verdict.CONTACT
q = np.zeros((18, 8))
q[:, 7] = 1
q[:, 0] = np.linspace(0, 9, 18)

def refused(ask, part):
    try:
        answer = ask()
    except InputError as error:
        assert part in str(error), error
    else:
        raise AssertionError(f'answered {answer}, and does not say: {part}')

for c in (checker, pickle.loads(pickle.dumps(checker)), PathChecker(PreparedRobot(moving), scene), checker.with_scene(scene)):
    for ask in (lambda: c.check_edges(q[:-1], q[1:]).free, lambda: c.check_fan(q[0], q[1:]).free, lambda: c.is_free(q[0], q[1]),
                lambda: c.first_contact(q[0], q[1]), lambda: c.check_path(q), lambda: c.in_contact(q), lambda: c.in_contact(q[0]),
                lambda: c.clearance(q), lambda: c.clearance(q[0])):
        refused(ask, 'configurations do not say when')
    refused(lambda: c.certify(q, 'no.pccd'), 'the motion has no times')
    refused(lambda: c.certify(np.stack([q[:-1], q[1:]], 1), 'no.pccd'), 'the motion has no times')
    wide = Trajectory(moving, q, times=range(18))
    for ask in (lambda: c.check_trajectory(wide), lambda: c.max_tracking_error(wide), lambda: c.certify(wide, 'no.pccd')):
        refused(ask, 'in this scene nothing does')
    refused(lambda: c.check_trajectory(Trajectory(moving, q)), 'the motion has no times')
refused(lambda: PathChecker(moving, scene).check_path(q), 'configurations do not say when')
roadmap = lambda: Roadmap(moving, scene)
refused(roadmap, 'configurations do not say when')
both = Robot.combine({'a_': robot, 'b_': robot})
logs = Timeline(moving=[{'robot': 'b_', 'path': 'b.csv'}])
other = PathChecker(logs.robot(both))
refused(lambda: other.is_free([0, 0], [1, 0]), 'configurations do not say when')
ours = Trajectory(both, [[0, 0], [1, 0]], times=[0, 1])
for ask in (lambda: other.check_trajectory(ours), lambda: other.max_tracking_error(ours), lambda: other.certify(ours, 'no.pccd')):
    refused(ask, 'says nothing of what moves by itself')
)");
}

}  // namespace
}  // namespace planner_ccd::test
