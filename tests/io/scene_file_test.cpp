#include "planner_ccd/io/scene_file.hpp"

#include <numbers>

#include "io/io_support.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/io/urdf.hpp"

namespace planner_ccd::test {
namespace {

Loaded<Scene> parse(const std::string& text, const SceneFileOptions& options = {}) {
  return parse_scene(text, "s.yaml", "/nonexistent", options);
}

const RobotModel& robot() {
  static const RobotModel model(
      parse_urdf("<robot name='r'><link name='base_link'/><link name='hand'/>"
                 "<joint name='j' type='continuous'><parent link='base_link'/><child link='hand'/></joint></robot>",
                 "r.urdf", "")
          .value);
  return model;
}

SceneFileOptions with_robot() {
  SceneFileOptions options;
  options.robot = &robot();
  return options;
}

TEST(SceneFile, EveryKindOfObjectIsReadWithItsPose) {
  const TempFolder folder;
  folder.write("models/car.obj", kTriangleObj);
  const auto loaded = load_scene(folder.write("scenes/s.yaml", R"(# a cell
objects:
  - {name: car, mesh: ../models/car.obj, scale: 2.0, pose: {xyz: [1, 0, 0], rpy: [0, 0, 1.5707963267948966]}}
  - {name: table, box: {size: [1, 2, 0.05]}, pose: {xyz: [0, 0, 0.7]}, pose_error: {xyz: 0.003, angle: 0.01}}
  - name: pipe
    cylinder: {radius: 0.1, length: 2}
  - {name: ball, sphere: {radius: 0.2}, pose: {quaternion: [0, 0, 0.7071067811865476, 0.7071067811865476]}}
  - {name: bar, capsule: {radius: 0.05, length: 1}}
  - {name: hull, convex: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}
  - {name: shell, convex: {mesh: ../models/car.obj}, scale: [1, 1, 3]}
attached:
  - {name: tool, sphere: {radius: 0.1}, link: hand, touch_links: [base_link], pose: {xyz: [0, 0, 0.5]}, pose_error: {angle: 0.02}}
allow: [[base_link, table], ["*", ball]]
margins: [[table, car, 0.01], [hand, "*", 0.02]]
)"),
                                 with_robot());
  EXPECT_TRUE(loaded.warnings.empty());
  const Scene& scene = loaded.value;
  ASSERT_EQ(scene.objects.size(), 7u);
  EXPECT_EQ(std::get<MeshPtr>(scene.objects[0].geometry[0].shape)->vertices[1], Eigen::Vector3d(2, 0, 0));
  EXPECT_LT((scene.objects[0].pose * Eigen::Vector3d::UnitX() - Eigen::Vector3d(1, 1, 0)).norm(), 1e-15);
  EXPECT_EQ(std::get<Box>(scene.objects[1].geometry[0].shape).size, Eigen::Vector3d(1, 2, 0.05));
  EXPECT_EQ(scene.objects[0].pose_error, PoseError());
  EXPECT_EQ(scene.objects[1].pose_error, (PoseError{.position = 0.003, .angle = 0.01}));
  EXPECT_EQ(std::get<Cylinder>(scene.objects[2].geometry[0].shape).length, 2.0);
  EXPECT_LT((scene.objects[3].pose * Eigen::Vector3d::UnitX() - Eigen::Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_EQ(std::get<Capsule>(scene.objects[4].geometry[0].shape).radius, 0.05);
  EXPECT_EQ(std::get<ConvexHull>(scene.objects[5].geometry[0].shape).points.size(), 4u);
  EXPECT_EQ(std::get<ConvexHull>(scene.objects[6].geometry[0].shape).points.size(), 3u);
  ASSERT_EQ(scene.attached.size(), 1u);
  EXPECT_EQ(scene.attached[0].link, "hand");
  EXPECT_EQ(scene.attached[0].object.pose_error, (PoseError{.position = 0.0, .angle = 0.02}));
  EXPECT_EQ(scene.attached[0].touch_links, std::vector<std::string>{"base_link"});
  EXPECT_EQ(scene.attached[0].object.pose.translation().z(), 0.5);
  EXPECT_EQ(scene.allow[1].a, "*");
  EXPECT_EQ(scene.margins[0].margin, 0.01);
}

struct BadScene {
  const char* text;
  std::vector<std::string> message;
};

TEST(SceneFile, EveryFaultNamesFileAndLine) {
  const std::vector<BadScene> cases = {
      {"", {"s.yaml", "empty"}},
      {"objects: [", {"s.yaml:1", "not well-formed YAML"}},
      {"[1, 2]", {"s.yaml:1", "must be a map"}},
      {"objects: 7", {"s.yaml:1", "objects must be a list"}},
      {"obstacles: []",
       {"s.yaml:1", "unknown key \"obstacles\"", "known are: allow, attached, margins, objects, padding"}},
      {"objects:\n- {name: a, sphere: {radius: 1}}\nobjects: []", {"s.yaml:3", "\"objects\" is there twice"}},
      {"objects:\n- {name: a, sphere: {radius: 1}, colour: red}", {"s.yaml:2", "unknown key \"colour\""}},
      {"objects:\n- {name: a, sphere: {radius: 1, unit: mm}}", {"s.yaml:2", "unknown key \"unit\" in a sphere"}},
      {"objects:\n- {name: a,\n   sphere: {radius: 10 mm}}",
       {"s.yaml:3", "'radius' must be a finite number without a unit", "\"10 mm\""}},
      {"objects:\n- {name: a, sphere: {radius: '0,5'}}", {"s.yaml:2", "without a unit"}},
      {"objects:\n- {name: a, sphere: {radius: .nan}}", {"s.yaml:2", "finite"}},
      {"objects:\n- {name: a, sphere: {radius: -1}}", {"s.yaml:2", "positive"}},
      {"objects:\n- {name: a, sphere: {}}", {"s.yaml:2", "'radius' is missing"}},
      {"objects:\n- {name: a, sphere: 1}", {"s.yaml:2", "a sphere must be a map"}},
      {"objects:\n- {name: a, box: {size: [1, 1]}}", {"s.yaml:2", "three numbers"}},
      {"objects:\n- {name: a, box: {size: [1, 1, 0]}}", {"s.yaml:2", "positive lengths"}},
      {"objects:\n- {name: a, box: {size: [1, 1, 1]}, scale: 2}", {"s.yaml:2", "'scale' is for meshes"}},
      {"objects:\n- {name: a}", {"s.yaml:2", "needs exactly one of: mesh, box"}},
      {"objects:\n- {name: a, sphere: {radius: 1}, box: {size: [1, 1, 1]}}", {"it has box, sphere"}},
      {"objects:\n- {sphere: {radius: 1}}", {"s.yaml:2", "'name' is missing"}},
      {"objects:\n- {name: '*', sphere: {radius: 1}}", {"s.yaml:2", "stands for all"}},
      {"objects:\n- {name: a, sphere: {radius: 1}}\n- {name: a, sphere: {radius: 1}}",
       {"s.yaml:3", "already an object \"a\" at s.yaml:2"}},
      {"objects:\n- {name: hand, sphere: {radius: 1}}", {"s.yaml:2", "the robot has a link"}},
      {"objects:\n- {name: a, mesh: gone.stl}", {"s.yaml:2", "gone.stl: not found"}},
      {"objects:\n- {name: a, mesh: package://p/gone.stl}", {"s.yaml:2", "--package p=DIR"}},
      {"objects:\n- {name: a, convex: {}}", {"s.yaml:2", "either 'points' or 'mesh'"}},
      {"objects:\n- {name: a, convex: {points: []}}", {"s.yaml:2", "no points"}},
      {"objects:\n- {name: a, convex: {points: [[1, 2, 1e30]]}}", {"s.yaml:2", "1e7 m"}},
      {"objects:\n- {name: a, sphere: {radius: 1}, pose: [0, 0, 0]}", {"s.yaml:2", "a pose must be a map"}},
      {"objects:\n- {name: a, sphere: {radius: 1}, pose: {rpy: [0, 0, 0], quaternion: [0, 0, 0, 1]}}",
       {"s.yaml:2", "give one of 'rpy', 'quaternion'"}},
      {"objects:\n- {name: a, sphere: {radius: 1}, pose: {quaternion: [0, 0, 0, 2]}}", {"s.yaml:2", "length 1"}},
      {"objects:\n- {name: a, sphere: {radius: 1}, pose_error: 0.01}",
       {"s.yaml:2", "an error of a pose must be a map"}},
      {"objects:\n- {name: a, sphere: {radius: 1}, pose_error: {}}", {"s.yaml:2", "needs 'xyz' (metres)"}},
      {"objects:\n- {name: a, sphere: {radius: 1}, pose_error: {xyz: -0.1}}", {"s.yaml:2", "from 0 to 1000"}},
      {"objects:\n- {name: a, sphere: {radius: 1}, pose_error: {angle: 1e4}}", {"s.yaml:2", "from 0 to 1000"}},
      {"objects:\n- {name: a, sphere: {radius: 1}, pose_error: {rpy: [0, 0, 0]}}", {"s.yaml:2", "unknown key \"rpy\""}},
      {"attached:\n- {name: a, sphere: {radius: 1}}", {"s.yaml:2", "'link' is missing"}},
      {"attached:\n- {name: a, sphere: {radius: 1}, link: foot}",
       {"s.yaml:2", "\"foot\" is not a link of robot \"r\""}},
      {"attached:\n- {name: a, sphere: {radius: 1}, link: hand, touch_links: [foot]}",
       {"s.yaml:2", "\"foot\" is not a link"}},
      {"allow:\n- [hand, nobody]", {"s.yaml:2", "\"nobody\" is neither an object of this scene nor a link"}},
      {"allow:\n- [hand]", {"s.yaml:2", "must be [a, b]"}},
      {"allow:\n- [hand, hand]", {"s.yaml:2", "with itself"}},
      {"margins:\n- [hand, '*']", {"s.yaml:2", "must be [a, b, metres]"}},
      {"margins:\n- [hand, '*', -0.1]", {"s.yaml:2", "0 or more metres"}},
      {"margins:\n- [hand, '*', 1 cm]", {"s.yaml:2", "without a unit"}},
  };
  for (const BadScene& bad : cases) {
    SCOPED_TRACE(bad.text);
    expect_input_error([&] { parse(bad.text, with_robot()); }, bad.message);
  }
}

TEST(SceneFile, WithoutARobotNamesOfLinksAreTakenAsTheyCome) {
  EXPECT_EQ(parse("allow: [[some_link, other_link]]").value.allow.size(), 1u);
}

TEST(SceneFile, AMillimetreMeshIsWarnedOf) {
  const TempFolder folder;
  folder.write("mm.obj", "v 0 0 0\nv 1500 0 0\nv 0 300 0\nf 1 2 3\n");
  const auto scene = load_scene(folder.write("s.yaml", "objects: [{name: a, mesh: mm.obj}]"));
  EXPECT_TRUE(any_contains(scene.warnings, "s.yaml:1: mm.obj spans 1500 m"));
}

TEST(SceneFile, NestingWithoutEndIsAnError) {
  expect_input_error([] { parse("objects: " + std::string(100000, '[')); }, {"s.yaml"});
}

}  // namespace
}  // namespace planner_ccd::test
