#include "planner_ccd/io/collision_rules.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/io/motion_limits_file.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/io/trajectory_file.hpp"
#include "regressions/doors.hpp"

/// Input with duplicate statements, or statements in ignored places, was used in part without a warning; the ignored
/// part was an obstacle, a shape, a pose, a margin. Each of these gave "free: proved everywhere".
namespace planner_ccd::test {
namespace {

std::string slider(const std::string& shape, const std::string& joint = "") {
  return "<robot name='slider'><link name='base'/><link name='slide'><collision>" + shape +
         "</collision></link><joint name='j' type='prismatic'><parent link='base'/><child link='slide'/>" + joint +
         "<axis xyz='1 0 0'/><limit lower='0' upper='2' velocity='1' effort='1'/></joint></robot>";
}
const std::string kBox = "<geometry><box size='0.2 0.2 0.2'/></geometry>";
const std::string kWall = "{name: wall, box: {size: [0.2, 0.2, 0.2]}, pose: {xyz: [1, 0, 0]}}";

/// Expects rejection with these words by every entry point that reads such files.
void expect_refused(const std::string& urdf, const std::string& scene, const std::vector<std::string>& parts) {
  const TempFolder folder;
  const std::string robot_file = folder.write("robot.urdf", urdf), scene_file = folder.write("scene.yaml", scene);
  expect_input_error(
      [&] {
        const auto robot = std::make_shared<const RobotModel>(load_urdf(robot_file).value);
        const PathChecker checker(robot, load_scene(scene_file).value, {});
      },
      parts);
  expect_python("import planner_ccd\ntry:\n  robot = planner_ccd.Robot('" + robot_file +
                "')\n  planner_ccd.PathChecker(robot, planner_ccd.Scene.load('" + scene_file +
                "', robot))\n  assert False\nexcept planner_ccd.InputError:\n  pass\n");
#ifdef PLANNER_CCD_COMMAND
  expect_bad_input(
      {"check", "--robot", robot_file, "--scene", scene_file, "--path", folder.write("path.csv", "j\n0\n2\n")}, parts);
#endif
}

/// The second document of a scene, and with it the wall, was not read.
TEST(InputPassedOver, ASecondYamlDocument) {
  for (const std::string mark : {"---\n", "...\n", "...\n---\n"}) {
    expect_refused(slider(kBox), "objects: []\n" + mark + "objects: [" + kWall + "]\n", {"scene.yaml:", "documents"});
  }
  const TempFolder folder;  // a single document may have document marks
  EXPECT_EQ(load_scene(folder.write("s.yaml", "---\nobjects: [" + kWall + "]\n---\n")).value.objects.size(), 1u);
}

/// Of a duplicate key YAML returns the first: maps with free keys were not checked.
TEST(InputPassedOver, AKeyThatIsThereTwice) {
  const RobotModel robot(parse_urdf(slider(kBox), "r.urdf", "").value);
  expect_input_error(
      [&] {
        parse_motion_limits(
            "joint_limits:\n  j: {has_velocity_limits: true, max_velocity: 9}\n"
            "  j: {has_velocity_limits: true, max_velocity: 0.1}\n",
            "l.yaml", robot);
      },
      {"l.yaml:3", "\"j\" is there twice"});
}

/// Of a collision element with two geometries or poses only the first was used.
TEST(InputPassedOver, ASecondGeometryOrOrigin) {
  const std::string scene = "objects: [" + kWall + "]";
  expect_refused(slider("<geometry><box size='0.01 0.01 0.01'/></geometry>" + kBox), scene, {"second <geometry>"});
  expect_refused(slider("<origin xyz='0 5 0'/><origin xyz='0 0 0'/>" + kBox), scene, {"second <origin>"});
  expect_refused(slider(kBox, "<origin xyz='0 5 0'/><origin xyz='0 0 0'/>"), scene, {"second <origin>"});
  expect_refused(slider(kBox, "<axis xyz='0 1 0'/>"), scene, {"second <axis>"});
  expect_refused(slider("<origin xyz='0 0 0' quat_xyzw='0 0 1 0'/>" + kBox), scene, {"quat_xyzw"});
  EXPECT_TRUE(any_contains(parse_urdf(slider("<Origin xyz='0 5 0'/>" + kBox), "r.urdf", "").warnings, "Origin"));
}

/// `scale: 0` turned a convex hull into a point, while it was rejected for a mesh.
TEST(InputPassedOver, AScaleOfNothing) {
  const std::string hull = "{name: wall, convex: {points: [[1, -1, -1], [1, 1, -1], [1, 0, 1], [1.1, 0, 0]]}, scale: ";
  expect_refused(slider(kBox), "objects: [" + hull + "0}]", {"'scale' must not be 0"});
  expect_refused(slider(kBox), "objects: [" + hull + "[1, 0, 1]}]", {"'scale' must not be 0"});
  const TempFolder folder;
  const std::string file = folder.write("a.obj", kTriangleObj);
  MeshCache cache;  // NaN is neither less nor greater than a scale: another scale's mesh was returned
  cache.load(file);
  expect_input_error([&] { cache.load(file, Eigen::Vector3d(1, std::nan(""), 1)); }, {"a.obj", "finite"});
}

/// Of two margins for one pair in a file, or set in Python, the later one replaced the earlier one.
TEST(InputPassedOver, TwoMarginsOfAPair) {
  expect_refused(slider(kBox), "objects: [" + kWall + "]\nmargins: [[slide, wall, 0.2], [wall, slide, 0]]\n",
                 {"scene.yaml:2", "\"wall\"", "margin already"});
  const TempFolder folder;
  expect_python("import planner_ccd, numpy\nrobot = planner_ccd.Robot('" + folder.write("r.urdf", slider(kBox)) +
                "')\nscene = planner_ccd.Scene()\npose = numpy.eye(4)\npose[:2, 3] = 1, 0.5\n"
                "scene.add_box('wall', [0.2, 0.2, 0.2], pose)\nfor margin in 0.1, 0.4:\n"
                "  scene.set_margin('slide', 'wall', margin)\n"
                "  assert planner_ccd.PathChecker(robot, scene).is_free([0], [2]) == (margin == 0.1)\n");
}

/// Triangle indices were truncated to integers, and taken modulo 2^32.
TEST(InputPassedOver, CornersThatAreNoWholeNumbers) {
  expect_python(
      "import planner_ccd\npoints = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [9, 9, 9]]\n"
      "for corner in 1.9, 2**32 + 1, -1, 4, float('nan'):\n  try:\n"
      "    planner_ccd.Scene().add_mesh('m', points, [[0, corner, 2]])\n    assert False, corner\n"
      "  except planner_ccd.InputError:\n    pass\nplanner_ccd.Scene().add_mesh('m', points, [[0, 1.0, 2]])\n");
}

/// NumPy returns the number under a mask, and the real part of a complex one: another motion was checked.
TEST(InputPassedOver, NumbersThatAreMaskedOrComplex) {
  const TempFolder folder;
  expect_python("import planner_ccd, numpy\nrobot = planner_ccd.Robot('" + folder.write("r.urdf", slider(kBox)) +
                "')\nchecker = planner_ccd.PathChecker(robot)\n"
                "for q in numpy.ma.array([2.0], mask=[True]), numpy.array([2 + 1j]), [2 + 1j]:\n  try:\n"
                "    checker.is_free([0], q)\n    assert False, q\n  except planner_ccd.InputError:\n    pass\n"
                "checker.is_free([0], numpy.ma.array([2.0], mask=[False]))\n");
}

/// The byte order mark of some programs hid the first vertex of an OBJ: all others moved up by one.
TEST(InputPassedOver, TheFirstVertexAfterAMark) {
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\n";
  EXPECT_EQ(parse_mesh("\xEF\xBB\xBF" + obj, MeshFormat::Obj, "a.obj").vertices.size(), 4u);
  expect_input_error([&] { parse_mesh(obj + "surf 0 1 0 1 1 2 3 4\n", MeshFormat::Obj, "a.obj"); },
                     {"a.obj:6", "surf"});
}

/// Files with more triangles than their header declares were read up to that count: half of an obstacle.
TEST(InputPassedOver, TrianglesBeyondTheCount) {
  std::string stl(84 + 2 * 50, '\0');
  stl[80] = 1;
  expect_input_error([&] { parse_mesh(stl, MeshFormat::Stl, "a.stl"); }, {"a.stl", "50 bytes follow"});
  const std::string vertices = "0 0 0\n1 0 0\n0 1 0\n", face = "3 0 1 2\n";
  EXPECT_EQ(parse_mesh("OFF\n3 1 0\n" + vertices + face + "# end\n", MeshFormat::Off, "a.off").triangles.size(), 1u);
  expect_input_error([&] { parse_mesh("OFF\n3 1 0\n" + vertices + face + face, MeshFormat::Off, "a.off"); },
                     {"a.off:7"});
  const auto ply = [&](const std::string& format, const std::string& data) {
    return parse_mesh("ply\nformat " + format +
                          " 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                          "element face 1\nproperty list uchar uchar vertex_indices\nend_header\n" +
                          data,
                      MeshFormat::Ply, "a.ply");
  };
  EXPECT_EQ(ply("ascii", vertices + face + "\n").triangles.size(), 1u);
  expect_input_error([&] { ply("ascii", vertices + face + face); }, {"a.ply", "less"});
  const std::string bytes = std::string(36, '\0') + std::string("\3\0\1\2", 4);
  EXPECT_EQ(ply("binary_little_endian", bytes + "\n").triangles.size(), 1u);
  expect_input_error([&] { ply("binary_little_endian", bytes + std::string("\3\0\1\2", 4)); }, {"a.ply", "less"});
}

/// --package NAME=DIR was only the first place to look: a file missing in DIR came from another folder of that name.
/// And of two packages of one name the nearer one was used, although RViz uses the other.
TEST(InputPassedOver, AFileOfAnotherPackage) {
  const TempFolder folder;
  folder.write("work/arm/part.obj", kTriangleObj);
  folder.write("given/readme", "");
  const std::string urdf =
      folder.write("work/robot.urdf", slider("<geometry><mesh filename='package://arm/part.obj'/></geometry>"));
  UrdfOptions options;
  EXPECT_FALSE(any_contains(load_urdf(urdf, options).warnings, "another file"));
  options.resources.packages["arm"] = folder.path("given");
  expect_input_error([&] { load_urdf(urdf, options); }, {"part.obj", "not found", folder.path("given")});
#ifdef PLANNER_CCD_COMMAND
  expect_bad_input({"inspect", urdf, "--package", "arm=" + folder.path("given")}, {"part.obj", "not found"});
#endif
  folder.write("other/arm/part.obj", std::string(kTriangleObj) + "# a later version\n");
  setenv("ROS_PACKAGE_PATH", folder.path("other").c_str(), 1);
  EXPECT_TRUE(any_contains(load_urdf(urdf).warnings, "another file in " + folder.path("other/arm/part.obj")));
  folder.write("other/arm/part.obj", kTriangleObj);
  EXPECT_FALSE(any_contains(load_urdf(urdf).warnings, "another file"));
  unsetenv("ROS_PACKAGE_PATH");
}

/// A plan that MoveIt made for a robot holding an object was checked without the object.
TEST(InputPassedOver, ObjectsThatATrajectorySaysAreHeld) {
  const RobotModel robot(parse_urdf(slider(kBox), "r.urdf", "").value);
  const auto read = [&](const std::string& objects) {
    return parse_trajectory("trajectory_start: {attached_collision_objects: " + objects +
                                "}\ntrajectory: [{joint_trajectory: {joint_names: [j], points: "
                                "[{positions: [0], time_from_start: 0}, {positions: [1], time_from_start: 1}]}}]\n",
                            "t.yaml", robot);
  };
  const auto held = read("[{link_name: slide, object: {id: long_pole}}]");
  EXPECT_TRUE(any_contains(held.warnings, "long_pole"));
  ASSERT_EQ(held.assumptions.size(), 1u);
  EXPECT_EQ(held.assumptions[0].names, std::vector<std::string>{"long_pole"});
  EXPECT_TRUE(read("[]").warnings.empty());
}

/// A link whose joint was forgotten stands still at the origin, and an SRDF may contradict itself about a pair: both
/// give warnings.
TEST(InputPassedOver, LinksWithoutAJointAndContradictionsAreNamed) {
  const std::string loose = "<robot name='r'><link name='a'/><link name='b'/></robot>";
  EXPECT_TRUE(any_contains(parse_urdf(loose, "r.urdf", "").warnings, "no parent"));
  const RobotModel robot(parse_urdf(slider(kBox), "r.urdf", "").value);
  EXPECT_FALSE(any_contains(parse_urdf(slider(kBox), "r.urdf", "").warnings, "no parent"));
  const auto srdf = parse_srdf(
      "<robot name='slider'><enable_collisions link1='base' link2='slide'/>"
      "<disable_collisions link1='slide' link2='base'/></robot>",
      "r.srdf", robot);
  EXPECT_TRUE(any_contains(srdf.warnings, "both enabled and disabled"));
}

}  // namespace
}  // namespace planner_ccd::test
