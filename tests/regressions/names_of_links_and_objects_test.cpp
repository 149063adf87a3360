#include "planner_ccd/io/collision_rules.hpp"
#include "regressions/doors.hpp"

/// Links without geometry were excluded against all links by name, and exclusions were applied to anything of that
/// name: a box in the way was a contact when called "wall", and Free when called "tool0", "base", or, with several
/// robots, "world". The check for duplicate names covered colliders only, which such links are not.
namespace planner_ccd::test {
namespace {

/// A box that slides along x from 0 to 2, with an empty base and an empty flange.
const std::string kSlider =
    "<robot name='slider'><link name='base'/><link name='tool0'/>"
    "<link name='slide'><collision><geometry><box size='0.2 0.2 0.2'/></geometry></collision></link>"
    "<joint name='j' type='prismatic'><parent link='base'/><child link='slide'/><axis xyz='1 0 0'/>"
    "<limit lower='0' upper='2' velocity='1' effort='1'/></joint>"
    "<joint name='flange' type='fixed'><parent link='slide'/><child link='tool0'/></joint></robot>";

RobotSpec spec() { return parse_urdf(kSlider, "slider.urdf", "").value; }

SceneObject obstacle(const std::string& name) {
  SceneObject object{name, {{Box{{0.2, 0.2, 0.2}}, Eigen::Isometry3d::Identity(), "box"}}};
  object.pose = Eigen::Isometry3d(Eigen::Translation3d(1.0, 0.0, 0.0));
  return object;
}

Scene scene(const std::string& name) {
  Scene s;
  s.objects = {obstacle(name)};
  return s;
}

Scene held(const std::string& name) {
  Scene s = scene("wall");
  s.attached = {{obstacle(name), "slide", {}}};
  return s;
}

void expect_refused(const std::shared_ptr<const RobotModel>& robot, const Scene& s, const std::string& name,
                    const CollisionMatrix& matrix) {
  expect_input_error([&] { const PathChecker checker(robot, s, matrix); }, {"'" + name + "'"});
}

std::string yaml(const std::string& name) {
  return "objects: [{name: " + name + ", box: {size: [0.2, 0.2, 0.2]}, pose: {xyz: [1, 0, 0]}}]\n";
}

const Eigen::VectorXd kFrom = Eigen::VectorXd::Zero(1), kTo = Eigen::VectorXd::Constant(1, 2.0);

TEST(NamesOfLinksAndObjects, AnObjectInTheWayIsMetWhateverItsName) {
  Doors(kSlider, yaml("wall")).expect(Verdict::Contact, kFrom, kTo);
  for (const std::string name : {"base", "tool0", "slide"}) {
    const auto robot = std::make_shared<const RobotModel>(spec());
    const CollisionMatrix matrix = build_collision_matrix(*robot);
    expect_refused(robot, scene(name), name, matrix);
    expect_refused(robot, scene(name), name, {});
    expect_refused(robot, held(name), name, matrix);
    const TempFolder folder;
    const std::string urdf = folder.write("robot.urdf", kSlider);
    expect_python("import planner_ccd\nrobot = planner_ccd.Robot('" + urdf +
                  "')\nscene = planner_ccd.Scene()\nscene.add_box('" + name +
                  "', [0.2, 0.2, 0.2])\ntry:\n  planner_ccd.PathChecker(robot, scene)\n  assert False\n"
                  "except planner_ccd.InputError as error:\n  assert '" +
                  name + "' in str(error)\n");
#ifdef PLANNER_CCD_COMMAND
    expect_bad_input({"check", "--robot", urdf, "--scene", folder.write("scene.yaml", yaml(name)), "--path",
                      folder.write("path.csv", "j\n0\n2\n")},
                     {"scene.yaml", name});
#endif
  }
}

TEST(NamesOfLinksAndObjects, TheWorldThatCombineMakesIsALinkToo) {
  const auto both = std::make_shared<const RobotModel>(combine({{spec(), "a_"}, {spec(), "b_"}}));
  expect_refused(both, scene("world"), "world", build_collision_matrix(*both));
  expect_refused(both, scene("b_tool0"), "b_tool0", build_collision_matrix(*both));
#ifdef PLANNER_CCD_COMMAND
  const TempFolder folder;
  const std::string urdf = folder.write("robot.urdf", kSlider), path = folder.write("path.csv", "time,j\n0,0\n1,2\n");
  expect_bad_input({"check", "--robot", "a_=" + urdf, "--robot", "b_=" + urdf, "--base", "b_=0,5,0", "--path",
                    "a_=" + path, "--path", "b_=" + path, "--scene", folder.write("scene.yaml", yaml("world"))},
                   {"scene.yaml", "world"});
#endif
}

/// A prefix may produce a name that another robot has: a joint was then attached to the other robot's link.
TEST(NamesOfLinksAndObjects, PrefixesDoNotJoinRobots) {
  RobotSpec second = spec();
  second.joints[1].parent = "b_slide";
  expect_input_error([&] { combine({{spec(), "a_b_"}, {second, "a_"}}); }, {"b_slide", "does not exist"});
  RobotSpec mimic = spec();
  mimic.joints[0].mimic = MimicSpec{"b_j"};
  expect_input_error([&] { combine({{spec(), "a_b_"}, {mimic, "a_"}}); }, {"b_j", "does not exist"});
  RobotSpec named = spec();
  named.links[0].name = named.joints[0].parent = "b_base";
  expect_input_error([&] { combine({{spec(), "a_b_"}, {named, "a_"}}); }, {"a_b_base", "twice"});
}

/// A matrix made for another robot excluded a pair with an object named like one of its links.
TEST(NamesOfLinksAndObjects, AMatrixSpeaksOfLinksOfTheRobotAlone) {
  const auto robot = std::make_shared<const RobotModel>(spec());
  CollisionMatrix matrix;
  matrix.exclude("slide", "wall", ExclusionReason::User);
  expect_input_error([&] { const PathChecker checker(robot, scene("wall"), matrix); }, {"wall", "not a link", "allow"});
  Scene allowing = scene("wall");
  allowing.allow = {{"slide", "wall"}};
  const PathChecker checker(robot, allowing, {});
  Workspace workspace(checker);
  EXPECT_TRUE(checker.is_free(kFrom, kTo, workspace));
}

/// `touch_links` accepted names of objects, and "*", which had no effect or excluded a pair with an obstacle.
TEST(NamesOfLinksAndObjects, TouchLinksAreLinks) {
  const auto robot = std::make_shared<const RobotModel>(spec());
  for (const std::string name : {"wall", "*", "nobody"}) {
    Scene s = held("cup");
    s.attached[0].touch_links = {name};
    expect_refused(robot, s, name, {});
  }
}

/// "*" stands for everything in `allow` and `margins`: a link of that name turned a rule for one pair into a rule for
/// all.
TEST(NamesOfLinksAndObjects, NoLinkIsCalledLikeAllOfThem) {
  for (const std::string name : {"*", ""}) {
    RobotSpec robot = spec();
    robot.links.push_back({name, {}, {}});
    expect_input_error([&] { const RobotModel model(robot); }, {"slider", "link"});
  }
}

/// A joint of three values has coordinates "p/x", "p/y", "p/theta"; another joint could have such a name, and setting
/// that coordinate by name set the other joint's.
TEST(NamesOfLinksAndObjects, CoordinatesAreDistinct) {
  RobotSpec robot = spec();
  robot.joints[1].name = "j/x";
  robot.joints[1].type = JointType::Continuous;
  EXPECT_NO_THROW(const RobotModel model(robot));
  robot.joints[0].type = JointType::Planar;
  expect_input_error([&] { const RobotModel model(robot); }, {"j/x", "rename"});
}

}  // namespace
}  // namespace planner_ccd::test
