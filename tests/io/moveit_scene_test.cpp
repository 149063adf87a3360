// MoveIt's scenes against the same scenes in our own format.
#include "io/io_support.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/scene/same_scene.hpp"

namespace planner_ccd::test {
namespace {

using Eigen::Vector3d;

/// A pedestal on the world, an arm that turns on it, and a flange fixed to the arm.
const RobotModel& robot() {
  static const RobotModel model(
      parse_urdf(
          "<robot name='r'><link name='world'/><link name='base_link'/><link name='arm'/><link name='flange'/>"
          "<joint name='f' type='fixed'><parent link='world'/><child link='base_link'/><origin xyz='0 0 2'/></joint>"
          "<joint name='j' type='continuous'><parent link='base_link'/><child link='arm'/></joint>"
          "<joint name='g' type='fixed'><parent link='arm'/><child link='flange'/><origin xyz='1 0 "
          "0'/></joint></robot>",
          "r.urdf", "")
          .value);
  return model;
}

Loaded<Scene> parse(const std::string& text) {
  SceneFileOptions options;
  options.robot = &robot();
  return parse_scene(text, "s.yaml", "/nonexistent", options);
}

Loaded<Scene> load(const std::string& path) {
  SceneFileOptions options;
  options.robot = &robot();
  return load_scene(path, options);
}

/// The shapes at their final poses, with all poses combined.
SceneObject flat(SceneObject object) {
  for (Geometry& g : object.geometry) {
    g.pose = object.pose * g.pose;
    g.source.clear();
  }
  object.pose = Pose::Identity();
  return object;
}

void expect_same(const Scene& read, const Scene& expected) {
  ASSERT_EQ(read.objects.size(), expected.objects.size());
  for (std::size_t i = 0; i < read.objects.size(); ++i) {
    EXPECT_EQ(read.objects[i].name, expected.objects[i].name);
    EXPECT_TRUE(same_geometry(flat(read.objects[i]), flat(expected.objects[i]))) << read.objects[i].name;
  }
}

TEST(MoveItScene, PlanningSceneSaysWhatOursSays) {
  const Loaded<Scene> read = parse(R"(
name: cell
robot_model_name: r
robot_state:
  joint_state: {header: {frame_id: world}, name: [j], position: [0.5]}
  attached_collision_objects:
  - link_name: arm
    object:
      header: {frame_id: flange}
      id: cup
      primitives: [{type: 3, dimensions: [0.1, 0.04]}]
      primitive_poses: [{position: {x: 0.0, y: 0.0, z: 0.5}, orientation: {x: 0, y: 0, z: 0, w: 1}}]
      operation: 0
    touch_links: [flange]
  is_diff: false
fixed_frame_transforms:
- header: {frame_id: base_link}
  child_frame_id: camera
  transform: {translation: {x: 1, y: 0, z: 0}, rotation: {x: 0, y: 0, z: 0, w: 1}}
allowed_collision_matrix:
  entry_names: [arm, cup, gone, table]
  entry_values:
  - enabled: [false, false, true, true]
  - enabled: [false, false, false, false]
  - enabled: [true, false, false, true]
  - enabled: [true, false, true, false]
  default_entry_names: [ball, base_link, flange]
  default_entry_values: [true, false, true]
link_padding:
- {link_name: arm, padding: 0.0}
- {link_name: flange, padding: 0.005}
link_scale: [{link_name: arm, scale: 1.0}]
world:
  collision_objects:
  - header: {frame_id: /world}
    pose: {position: {x: 0, y: 1, z: 0}, orientation: {x: 0, y: 0, z: 0, w: 1}}
    id: table
    primitives:
    - {type: 1, dimensions: [1, 2, 0.05]}
    - {type: 2, dimensions: [0.2]}
    primitive_poses:
    - {position: {x: 0, y: 0, z: 0.7}, orientation: {x: 0, y: 0, z: 0.7071067811865476, w: 0.7071067811865476}}
    - {position: {x: 3, y: 0, z: 0}, orientation: {x: 0, y: 0, z: 0, w: 0}}
    operation: 0
  - header: {frame_id: base_link}
    id: ball
    primitives: [{type: sphere, dimensions: [0.2]}]
    primitive_poses: [{position: [0, 0, 1], orientation: [0, 0, 0, 1]}]
  - header: {frame_id: camera}
    id: wedge
    meshes:
    - vertices: [{x: 0, y: 0, z: 0}, {x: 1, y: 0, z: 0}, {x: 0, y: 1, z: 0}, {x: 0, y: 0, z: 1}]
      triangles: [{vertex_indices: [0, 2, 1]}, {vertex_indices: [0, 1, 3]}, {vertex_indices: [0, 3, 2]}, {vertex_indices: [1, 2, 3]}]
    mesh_poses: [{position: {x: 0, y: 0, z: 0}, orientation: {x: 0, y: 0, z: 0, w: 1}}]
  octomap: {header: {frame_id: ''}, octomap: {id: '', data: []}}
is_diff: false
)");
  Scene expected;
  const auto shift = [](double x, double y, double z) {
    Pose X = Pose::Identity();
    X.translation() = Vector3d(x, y, z);
    return X;
  };
  Pose turned = shift(0, 1, 0.7);
  turned.linear() = Eigen::Quaterniond(0.7071067811865476, 0, 0, 0.7071067811865476).normalized().toRotationMatrix();
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  expected.objects.push_back({"table", {{Box{{1, 2, 0.05}}, turned, ""}, {Sphere{0.2}, shift(3, 1, 0), ""}}});
  expected.objects.push_back({"ball", {{Sphere{0.2}, shift(0, 0, 3), ""}}});
  expected.objects.push_back({"wedge", {{std::make_shared<const TriangleMesh>(mesh), shift(1, 0, 2), ""}}});
  expect_same(read.value, expected);

  ASSERT_EQ(read.value.attached.size(), 1u);
  const AttachedObject& cup = read.value.attached[0];
  EXPECT_EQ(cup.link, "arm");
  EXPECT_EQ(cup.touch_links, std::vector<std::string>{"flange"});
  EXPECT_TRUE(same_geometry(flat(cup.object), flat({"cup", {{Cylinder{0.04, 0.1}, shift(1, 0, 0.5), ""}}})));
  ASSERT_EQ(read.value.padding.size(), 1u);
  EXPECT_EQ(read.value.padding[0].name, "flange");

  // The matrix: arm and table. The defaults: ball and flange with all, except base_link, which forbids it.
  std::vector<std::pair<std::string, std::string>> allowed;
  for (const AllowedPair& pair : read.value.allow) allowed.push_back(std::minmax(pair.a, pair.b));
  std::sort(allowed.begin(), allowed.end());
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"arm", "ball"},    {"arm", "flange"},   {"arm", "table"},    {"ball", "cup"},
      {"ball", "flange"}, {"ball", "table"},   {"ball", "wedge"},   {"ball", "world"},
      {"cup", "flange"},  {"flange", "table"}, {"flange", "wedge"}, {"flange", "world"}};
  EXPECT_EQ(allowed, pairs);
  ASSERT_EQ(read.warnings.size(), 1u);
  EXPECT_NE(read.warnings[0].text.find("joint values"), std::string::npos);
}

TEST(MoveItScene, SavedTextOfBothVersions) {
  const TempFolder folder;
  const std::string shapes = "2\nbox\n1 2 0.05\n0 1 0.7\n0 0 0 1\n0 0 0 0\ncylinder\n0.1 2\n3 0 0\n0 0 0 1\n1 0 0 1\n";
  const std::string mesh = "1\nmesh\n4 2\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 2 1\n0 1 3\n0 0 0\n0 0 0 1\n0 0 0 0\n";
  Scene expected;
  const auto shift = [](double x, double y, double z) {
    Pose X = Pose::Identity();
    X.translation() = Vector3d(x, y, z);
    return X;
  };
  TriangleMesh sheet;
  sheet.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  sheet.triangles = {{0, 2, 1}, {0, 1, 3}};
  expected.objects.push_back(
      {"a table", {{Box{{1, 2, 0.05}}, shift(0, 1, 0.7), ""}, {Cylinder{0.1, 2}, shift(3, 0, 0), ""}}});
  expected.objects.push_back({"sheet", {{std::make_shared<const TriangleMesh>(sheet), Pose::Identity(), ""}}});
  expect_same(load(folder.write("old.scene", "(noname)\n* a table\n" + shapes + "* sheet\n" + mesh + ".\n")).value,
              expected);

  const std::string here = "0 0 5\n0 0 0 1\n";
  const std::string frames = "1\ntop left\n0 0 1\n0 0 0 1\n";
  for (SceneObject object : {expected.objects[0], expected.objects[1]}) {
    object.pose = shift(0, 0, 5);
    expected.objects.replace(object);
  }
  const std::string text = "cell\n* a table\n" + here + shapes + frames + "* sheet\n" + here + mesh + "0\n.\n";
  expect_same(load(folder.write("new.scene", text)).value, expected);

  // Truncated anywhere, it is an error, never a shorter scene.
  for (std::size_t cut = 0; cut + 2 < text.size(); ++cut) {
    expect_input_error([&] { (void)load(folder.write("cut.scene", text.substr(0, cut))); }, {"cut.scene"});
  }
  const auto refused = [&](const std::string& objects, const std::vector<std::string>& parts) {
    expect_input_error([&] { (void)load(folder.write("bad.scene", "n\n" + objects + "\n.\n")); }, parts);
  };
  refused("", {"no objects"});
  refused("* a\n1\ncone\n1 1", {"bad.scene:4", "cone"});
  refused("* a\n1\nbox\n1 -1 1", {"positive"});
  refused("* a\n1\nbox\n1 1 x", {"bad.scene:5", "\"x\""});
  refused("* a\n0", {"no shape"});
  refused("* arm\n0", {"link"});
  refused("* a\n1\nsphere\n1\n0 0 0\n0 0 0 2", {"length 1"});
  refused("* a\n1\nmesh\n3 1\n0 0 0 1 0 0 0 1 0\n0 1 3", {"vertex 3"});
  refused("* a\n99999999999", {"shapes"});
}

TEST(MoveItScene, WhatASceneCannotSayIsAnError) {
  const auto object = [](const std::string& text) { return "world: {collision_objects: [{id: a, " + text + "}]}\n"; };
  const std::string ball = "primitives: [{type: 2, dimensions: [1]}]";
  EXPECT_EQ(parse(object(ball)).value.objects.size(), 1u);
  const std::vector<std::pair<std::string, std::string>> bad = {
      {object(ball + ", header: {frame_id: arm}"), "moves with the robot"},
      {object(ball + ", header: {frame_id: map}"), "neither the world"},
      {object(ball + ", operation: 1"), "ADD"},
      {object(ball + ", planes: [{coef: [0, 0, 1, 0]}]"), "planes"},
      {object(ball + ", colour: red"), "colour"},
      {object("id: arm"), ""},
      {object("primitives: []"), "no shape"},
      {object("primitives: [{type: 4, dimensions: [1, 1]}]"), "\"cone\""},
      {object("primitives: [{type: 1, dimensions: [1, 1]}]"), "3 dimensions"},
      {object("primitives: [{type: 2, dimensions: [1]}, {type: 2, dimensions: [1]}]"), "one pose for each"},
      {object(ball + ", primitive_poses: [{position: [0, 0], orientation: [0, 0, 0, 1]}]"), "3 numbers"},
      {object("meshes: [{vertices: [[0, 0, 0]], triangles: [[0, 0, 1]]}]"), "no vertex"},
      {object("meshes: [{resource: 'package://nowhere/a.stl'}]"), "nowhere"},
      {"world: {octomap: {octomap: {data: [1]}}}\n", "octomap"},
      {"world: {}\nis_diff: true\n", "is_diff"},
      {"world: {}\nlink_scale: [{link_name: arm, scale: 1.1}]\n", "scaled"},
      {"world: {}\nlink_padding: [{link_name: hand, padding: 0.1}]\n", "not a link"},
      {"world: {}\nallowed_collision_matrix: {entry_names: [arm, flange], entry_values: [[false, true], [false, "
       "false]]}\n",
       "two things"},
      {"world: {}\nallowed_collision_matrix: {entry_names: [arm], entry_values: []}\n", "a row for each"},
      {"robot_state: {attached_collision_objects: [{link_name: arm, object: {header: {frame_id: base_link}, id: a, " +
           ball + "}}]}\n",
       "moves with it"},
  };
  for (const auto& entry : bad) {
    const std::string &text = entry.first, &part = entry.second;
    expect_input_error([&] { (void)parse(text); }, {part});
  }
}

TEST(MoveItScene, ScenesOfMotionBenchMaker) {
  const std::string data = testing::shared_data("scenes/motion_bench_maker");
  if (data.empty()) GTEST_SKIP() << testing::kNoSharedData;
  const std::filesystem::path folder = std::filesystem::path(data) / "scenes/motion_bench_maker";
  int read = 0, objects = 0;
  for (const char* name : {"bookshelf/scene_small", "bookshelf/scene_tall", "bookshelf/scene_thin", "box/scene_box",
                           "cage/scene_cage", "table/scene_table"}) {
    const Loaded<Scene> loaded = load((folder / name).string() + ".yaml");
    ++read;
    objects += static_cast<int>(loaded.value.objects.size());
    EXPECT_TRUE(loaded.warnings.empty()) << name;
    for (std::size_t i = 0; i < loaded.value.objects.size(); ++i)
      EXPECT_GE(loaded.value.objects[i].pose.translation().z(), 2.0);
  }
  EXPECT_EQ(read, 6);
  std::printf("  %d objects\n", objects);
  EXPECT_GT(objects, 50);
}

}  // namespace
}  // namespace planner_ccd::test
