#include "planner_ccd/io/urdf.hpp"

#include <numbers>

#include "io/io_support.hpp"
#include "planner_ccd/robot/robot_model.hpp"

namespace planner_ccd::test {
namespace {

Loaded<RobotSpec> parse(const std::string& text, const UrdfOptions& options = {}) {
  return parse_urdf(text, "test.urdf", "/nonexistent", options);
}

/// Links w (world) and a..., one joint element per text, each with its own parent and child.
std::string robot_with(const std::string& joints) {
  return "<robot name='r'>\n<link name='w'/>\n<link name='a'/>\n<link name='b'/>\n<link name='c'/>\n" + joints +
         "\n</robot>";
}

std::string joint(const std::string& attributes, const std::string& inside, const std::string& from = "w",
                  const std::string& to = "a") {
  return "<joint " + attributes + "><parent link='" + from + "'/><child link='" + to + "'/>" + inside + "</joint>\n";
}

TEST(Urdf, EveryCollisionElementCountsAndPrimitivesStayExact) {
  const auto robot = parse(R"(<robot name="r"><link name="base">
    <collision><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><geometry><box size="1 2 3"/></geometry></collision>
    <collision><geometry><sphere radius="0.25"/></geometry></collision>
    <collision name="third"><geometry><cylinder radius="0.5" length="2"/></geometry></collision>
    <collision><geometry><capsule radius="0.125" length="0.75"/></geometry></collision>
    </link></robot>)")
                         .value;
  const auto& shapes = robot.links.at(0).collision;
  ASSERT_EQ(shapes.size(), 4u);
  EXPECT_EQ(std::get<Box>(shapes[0].shape).size, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(shapes[0].pose.translation(), Eigen::Vector3d(1, 2, 3));
  EXPECT_LT((shapes[0].pose.linear() * Eigen::Vector3d::UnitX() - Eigen::Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_EQ(std::get<Sphere>(shapes[1].shape).radius, 0.25);
  EXPECT_EQ(std::get<Cylinder>(shapes[2].shape).length, 2.0);
  EXPECT_EQ(std::get<Capsule>(shapes[3].shape).length, 0.75);
}

TEST(Urdf, RollPitchYawTurnAboutFixedAxesInThatOrder) {
  const double roll = 0.3, pitch = -0.4, yaw = 1.1;
  const auto robot = parse(robot_with(joint("name='j' type='fixed'", "<origin rpy='0.3 -0.4 1.1'/>")));
  const Eigen::Matrix3d R = robot.value.joints.at(0).origin.linear();
  // Columns as every textbook writes them out.
  using std::cos, std::sin;
  Eigen::Matrix3d expected;
  expected << cos(yaw) * cos(pitch), cos(yaw) * sin(pitch) * sin(roll) - sin(yaw) * cos(roll),
      cos(yaw) * sin(pitch) * cos(roll) + sin(yaw) * sin(roll), sin(yaw) * cos(pitch),
      sin(yaw) * sin(pitch) * sin(roll) + cos(yaw) * cos(roll),
      sin(yaw) * sin(pitch) * cos(roll) - cos(yaw) * sin(roll), -sin(pitch), cos(pitch) * sin(roll),
      cos(pitch) * cos(roll);
  EXPECT_LT((R - expected).norm(), 1e-14);
}

TEST(Urdf, JointsOfEveryTypeKeepTheirLimitsAndAMissingAxisIsX) {
  const auto robot = parse(robot_with(
      joint("name='rev' type='revolute'", "<limit lower='-1' upper='2' velocity='3' effort='4'/>") +
      joint("name='con' type='continuous'", "<axis xyz='0 2 0'/><limit velocity='5' effort='1'/>", "a", "b") +
      joint("name='pla' type='planar'", "<axis xyz='0 0 1'/>", "b", "c")));
  const auto& joints = robot.value.joints;
  ASSERT_EQ(joints.size(), 3u);
  EXPECT_EQ(joints[0].type, JointType::Revolute);
  EXPECT_EQ(joints[0].axis, Eigen::Vector3d::UnitX());
  EXPECT_EQ(joints[0].lower, -1.0);
  EXPECT_EQ(joints[0].upper, 2.0);
  EXPECT_EQ(joints[0].max_velocity, 3.0);
  EXPECT_EQ(joints[1].type, JointType::Continuous);
  EXPECT_FALSE(joints[1].lower || joints[1].upper);
  EXPECT_EQ(joints[1].max_velocity, 5.0);
  const RobotModel model(robot.value);
  EXPECT_EQ(model.dof(), 1 + 1 + 3);
  EXPECT_TRUE(model.coordinates()[1].continuous);
  const auto floating = parse(robot_with(joint("name='f' type='floating'", "<axis xyz='0 0 0'/>")));
  EXPECT_EQ(RobotModel(floating.value).dof(), 7);
}

TEST(Urdf, MimicChainsReachTheModel) {
  const std::string limit = "<limit lower='-1' upper='1'/>";
  const auto robot = parse(robot_with(
      joint("name='j1' type='revolute'", limit) +
      joint("name='j2' type='revolute'", limit + "<mimic joint='j1' multiplier='2' offset='0.5'/>", "a", "b") +
      joint("name='j3' type='prismatic'", limit + "<mimic joint='j2' multiplier='-3'/>", "b", "c")));
  const RobotModel model(robot.value);
  EXPECT_EQ(model.dof(), 1);
  EXPECT_DOUBLE_EQ(model.joints()[2].multiplier, -6.0);
  EXPECT_DOUBLE_EQ(model.joints()[2].offset, -1.5);
}

TEST(Urdf, MimicOfAFixedJointAndOnAFixedJointAreHarmless) {
  const auto robot = parse(robot_with(joint("name='j1' type='fixed'", "<mimic joint='other'/>")));
  EXPECT_TRUE(any_contains(robot.warnings, "<joint name=\"j1\">: the joint is fixed"));
  EXPECT_EQ(RobotModel(robot.value).dof(), 0);
}

TEST(Urdf, MissingVisualsAreOneWarning) {
  const std::string missing = "<visual><geometry><mesh filename='package://none/a.dae'/></geometry></visual>";
  UrdfOptions options;
  options.load_visuals = true;
  const auto loaded = parse("<robot name='r'><link name='a'>" + missing + missing + missing +
                                "<collision><geometry><sphere radius='1'/></geometry></collision></link></robot>",
                            options);
  int of_visuals = 0;
  for (const auto& [kind, warning] : loaded.warnings) {
    of_visuals += warning.find("visual left out, and 2 more") != std::string::npos;
    EXPECT_EQ(warning.find('\n'), std::string::npos) << warning;
  }
  EXPECT_EQ(of_visuals, 1);
  EXPECT_EQ(loaded.details.size(), 3u);
}

TEST(Urdf, LinksWithoutCollisionGeometryAreListedAndTheVisualIsUsedOnlyWhenAsked) {
  const std::string text =
      R"(<robot name="r"><link name="solid"><collision><geometry><sphere radius="1"/></geometry></collision></link>
    <link name="shown"><visual><geometry><box size="1 1 1"/></geometry></visual></link><link name="frame"/></robot>)";
  const auto plain = parse(text);
  EXPECT_TRUE(plain.value.links[1].collision.empty());
  EXPECT_TRUE(any_contains(plain.warnings, "not checked (--use-visual takes the visual): shown"));
  EXPECT_FALSE(any_contains(plain.warnings, "without any geometry")) << "nothing is missing of a pure frame";
  UrdfOptions options;
  options.use_visual = true;
  const auto visual = parse(text, options);
  ASSERT_EQ(visual.value.links[1].collision.size(), 1u);
  EXPECT_EQ(visual.value.links[0].collision.size(), 1u);
  EXPECT_FALSE(any_contains(visual.warnings, "no collision geometry"));
}

TEST(Urdf, VisualsHaveTheColourOfTheirMaterialWhereverItIsDefined) {
  const std::string sphere = "<geometry><sphere radius='1'/></geometry>";
  const std::string text =
      "<robot name='r'><material name='red'><color rgba='1 0 0 0.5'/></material><link name='a'>"
      "<visual>" +
      sphere +
      "<material name='red'/></visual>"
      "<visual>" +
      sphere +
      "<material name='later'/></visual>"
      "<visual>" +
      sphere +
      "<material name=''><color rgba='0 0 1 1'/></material></visual>"
      "<visual>" +
      sphere +
      "<material name='nobody'/></visual>"
      "<visual>" +
      sphere +
      "<material name='x'><color rgba='0 2 0 1'/></material></visual>"
      "<visual>" +
      sphere +
      "</visual></link><link name='b'>"
      "<visual>" +
      sphere +
      "<material name='later'><color rgba='0 1 0 1'/></material></visual>"
      "</link></robot>";
  UrdfOptions options;
  options.load_visuals = true;
  const auto robot = parse(text, options);
  const auto& visual = robot.value.links[0].visual;
  ASSERT_EQ(visual.size(), 6u);
  using Colour = std::array<double, 4>;
  EXPECT_EQ(visual[0].colour, (Colour{1, 0, 0, 0.5}));
  EXPECT_EQ(visual[1].colour, (Colour{0, 1, 0, 1})) << "defined in a visual further down";
  EXPECT_EQ(visual[2].colour, (Colour{0, 0, 1, 1}));
  for (const int i : {3, 4, 5}) EXPECT_FALSE(visual[static_cast<std::size_t>(i)].colour);
  EXPECT_TRUE(any_contains(robot.warnings, "'rgba' must be four numbers from 0 to 1"));
  EXPECT_TRUE(parse(text).value.links[0].visual.empty());
}

TEST(Urdf, ARobotInWhichNothingCollidesIsSaidToBeOne) {
  const auto robot =
      parse("<robot name='r'><link name='a'><visual><geometry><sphere radius='1'/></geometry></visual></link></robot>");
  EXPECT_TRUE(any_contains(robot.warnings, "nothing of this robot is checked"));
}

TEST(Urdf, AXacroIsNamedAsSuchAndAProcessedOneLoads) {
  const std::string start = "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>\n<link name='a'/>\n";
  expect_input_error([&] { parse(start + "<xacro:macro name='m'/>\n</robot>"); },
                     {"test.urdf:3", "xacro", "robot.urdf"});
  expect_input_error([&] { parse(start + "<link name='${prefix}b'/>\n</robot>"); }, {"test.urdf:3", "xacro"});
  expect_input_error([&] { parse(start + "<link name='$(arg p)b'/>\n</robot>"); }, {"test.urdf:3", "xacro"});
  EXPECT_NO_THROW(parse(start + "</robot>"));
}

TEST(Urdf, OtherDocumentsAreNamed) {
  expect_input_error([] { parse("<sdf version='1.6'/>"); }, {"SDF", "convert"});
  expect_input_error([] { parse("<mujoco/>"); }, {"MJCF"});
  expect_input_error([] { parse("<COLLADA/>"); }, {"must begin with <robot>"});
  expect_input_error([] { parse(""); }, {"test.urdf", "empty"});
  expect_input_error([] { parse("solid\n"); }, {"test.urdf", "not well-formed XML"});
  expect_input_error([] { parse(std::string("<robot\0/>", 9)); }, {"binary"});
  expect_input_error([] { parse("<robot name='r'>\n<link name='a'>\n</robot>"); },
                     {"test.urdf:", "not well-formed XML"});
  expect_input_error([] { parse("<robot name='r'>\n<include filename='other.urdf'/></robot>"); },
                     {"test.urdf:2", "<include>"});
  expect_input_error([] { load_urdf("/nonexistent/robot.urdf"); }, {"/nonexistent/robot.urdf", "no such file"});
  expect_input_error([] { load_urdf("/"); }, {"folder"});
}

TEST(Urdf, XmlNestedWithoutEndIsAnErrorAndNotAStackOverflow) {
  std::string deep = "<robot name='r'>";
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  expect_input_error([&] { parse(deep); }, {"not well-formed XML"});
}

struct BadCase {
  const char* what;
  std::string text;
  std::vector<std::string> message;
};

TEST(Urdf, EveryFaultNamesFileLineElementAndRemedy) {
  const std::string limit = "<limit lower='-1' upper='1'/>";
  const std::vector<BadCase> cases = {
      {"zero axis",
       robot_with(joint("name='j' type='continuous'", "<axis xyz='0 0 0'/>")),
       {":6: <joint name=\"j\">", "no direction"}},
      {"axis not finite",
       robot_with(joint("name='j' type='continuous'", "<axis xyz='0 nan 1'/>")),
       {":6: <axis>", "finite"}},
      {"axis of two",
       robot_with(joint("name='j' type='continuous'", "<axis xyz='0 1'/>")),
       {":6: <axis>", "three numbers"}},
      {"no limits",
       robot_with(joint("name='j' type='revolute'", "")),
       {"<joint name=\"j\">", "add <limit", "continuous"}},
      {"reversed limits",
       robot_with(joint("name='j' type='prismatic'", "<limit lower='1' upper='-1'/>")),
       {"<joint name=\"j\">", "lower limit 1 is above the upper -1"}},
      {"infinite limit",
       robot_with(joint("name='j' type='prismatic'", "<limit lower='-inf' upper='1'/>")),
       {"<limit>", "'lower' must be a finite"}},
      {"negative velocity",
       robot_with(joint("name='j' type='prismatic'", "<limit upper='1' velocity='-2'/>")),
       {"velocity limit is negative"}},
      {"unknown type",
       robot_with(joint("name='j' type='screw'", limit)),
       {"<joint name=\"j\">", "\"screw\"", "use fixed"}},
      {"no type", robot_with(joint("name='j'", limit)), {"<joint name=\"j\">", "'type' is missing"}},
      {"no name", robot_with(joint("type='fixed'", "")), {":6: <joint>", "'name' is missing"}},
      {"unknown parent", robot_with(joint("name='j' type='fixed'", "", "nobody")), {"parent \"nobody\" is not a link"}},
      {"unknown child",
       robot_with(joint("name='j' type='fixed'", "", "w", "nobody")),
       {"child \"nobody\" is not a link"}},
      {"no child", robot_with("<joint name='j' type='fixed'><parent link='w'/></joint>"), {"has no <child"}},
      {"own parent", robot_with(joint("name='j' type='fixed'", "", "a", "a")), {"the same link"}},
      {"twice a joint",
       robot_with(joint("name='j' type='fixed'", "") + joint("name='j' type='fixed'", "", "a", "b")),
       {":7: <joint name=\"j\">", "already a joint"}},
      {"twice a link",
       "<robot name='r'><link name='a'/>\n<link name='a'/></robot>",
       {":2: <link name=\"a\">", "already a link"}},
      {"mimics nobody",
       robot_with(joint("name='j' type='revolute'", limit + "<mimic joint='x'/>")),
       {"mimics \"x\", which is not a joint"}},
      {"mimics itself", robot_with(joint("name='j' type='revolute'", limit + "<mimic joint='j'/>")), {"mimics itself"}},
      {"comma as point",
       robot_with(joint("name='j' type='prismatic'", "<limit lower='-0,5' upper='1'/>")),
       {"'lower'", "with a point", "\"-0,5\""}},
      {"huge origin", robot_with(joint("name='j' type='fixed'", "<origin xyz='1e300 0 0'/>")), {"<origin>", "1e7 m"}},
      {"no links", "<robot name='r'/>", {"no <link>"}},
      {"unknown shape", one_link("<cone radius='1'/>"), {":3: <cone>", "use mesh, box"}},
      {"no shape", one_link(""), {"<collision>", "no <geometry> with a shape"}},
      {"no geometry", "<robot name='r'><link name='a'><collision/></link></robot>", {"<collision>", "delete"}},
      {"negative radius", one_link("<sphere radius='-1'/>"), {"<sphere>", "'radius' must be a positive length"}},
      {"flat box", one_link("<box size='1 1 0'/>"), {"<box>", "three positive lengths"}},
      {"box of nan", one_link("<box size='1 nan 1'/>"), {"<box>", "finite"}},
      {"endless cylinder", one_link("<cylinder radius='1' length='1e999'/>"), {"<cylinder>", "finite"}},
      {"mesh without file", one_link("<mesh/>"), {"<mesh>", "'filename' is missing"}},
  };
  for (const BadCase& bad : cases) {
    SCOPED_TRACE(bad.what);
    std::vector<std::string> parts = bad.message;
    parts.push_back("test.urdf:");
    expect_input_error([&] { parse(bad.text); }, parts);
  }
}

TEST(Urdf, MisspeltElementsAreWarnedOfBecauseTheyWouldHideGeometry) {
  const auto robot = parse("<robot name='r'>\n<link name='a'>\n<colision/></link><joints/></robot>");
  EXPECT_TRUE(any_contains(robot.warnings, "test.urdf:3: <colision>: this element is not understood"));
  EXPECT_TRUE(any_contains(robot.warnings, "<joints>: this element is not understood"));
}

TEST(Urdf, SeveralShapesInOneGeometryAllCount) {
  const auto robot = parse(one_link("<sphere radius='1'/><box size='1 1 1'/>"));
  EXPECT_EQ(robot.value.links[0].collision.size(), 2u);
  EXPECT_TRUE(any_contains(robot.warnings, "more than one shape"));
}

TEST(Urdf, LoopsAndSecondParentsAreErrorsOfTheModel) {
  const auto loop =
      parse(robot_with(joint("name='1' type='fixed'", "", "a", "b") + joint("name='2' type='fixed'", "", "b", "a")));
  expect_input_error([&] { RobotModel{loop.value}; }, {"loop"});
  const auto second =
      parse(robot_with(joint("name='1' type='fixed'", "", "a", "b") + joint("name='2' type='fixed'", "", "w", "b")));
  expect_input_error([&] { RobotModel{second.value}; }, {"already has a parent"});
}

}  // namespace
}  // namespace planner_ccd::test
