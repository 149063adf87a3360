#include "planner_ccd/adapters/urdfdom.hpp"

#include <urdf_parser/urdf_parser.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "io/io_support.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/robot/robot_model.hpp"

/// A robot from a model of urdfdom is the one that our own reader makes of the file.
namespace planner_ccd::test {
namespace {

using nlohmann::json;

template <typename T>
std::map<std::string, const T*> by_name(const std::vector<T>& all) {
  std::map<std::string, const T*> out;
  for (const T& item : all) out[item.name] = &item;
  return out;
}

void expect_same_shape(const Shape& a, const Shape& b) {
  ASSERT_EQ(a.index(), b.index());
  if (const auto* mesh = std::get_if<MeshPtr>(&a)) {
    const TriangleMesh &x = **mesh, &y = *std::get<MeshPtr>(b);
    EXPECT_TRUE(x.vertices == y.vertices && x.triangles == y.triangles);
  } else if (const auto* box = std::get_if<Box>(&a)) {
    EXPECT_EQ(box->size, std::get<Box>(b).size);
  } else if (const auto* sphere = std::get_if<Sphere>(&a)) {
    EXPECT_EQ(sphere->radius, std::get<Sphere>(b).radius);
  } else {
    const auto &x = std::get<Cylinder>(a), &y = std::get<Cylinder>(b);
    EXPECT_EQ(x.radius, y.radius);
    EXPECT_EQ(x.length, y.length);
  }
}

/// Apart from their order; returns the number of shapes.
int expect_same_robot(const RobotSpec& ours, const RobotSpec& other) {
  EXPECT_EQ(ours.name, other.name);
  const auto links = by_name(other.links);
  const auto joints = by_name(other.joints);
  EXPECT_EQ(ours.links.size(), links.size());
  EXPECT_EQ(ours.joints.size(), joints.size());
  int shapes = 0;
  for (const LinkSpec& link : ours.links) {
    SCOPED_TRACE(link.name);
    EXPECT_TRUE(links.count(link.name));
    if (!links.count(link.name)) return shapes;
    const std::vector<Geometry>& there = links.at(link.name)->collision;
    EXPECT_EQ(link.collision.size(), there.size());
    for (std::size_t i = 0; i < std::min(there.size(), link.collision.size()); ++i, ++shapes) {
      EXPECT_LE((link.collision[i].pose.matrix() - there[i].pose.matrix()).cwiseAbs().maxCoeff(), 1e-12);
      EXPECT_EQ(link.collision[i].source, there[i].source);
      expect_same_shape(link.collision[i].shape, there[i].shape);
    }
  }
  for (const JointSpec& joint : ours.joints) {
    SCOPED_TRACE(joint.name);
    EXPECT_TRUE(joints.count(joint.name));
    if (!joints.count(joint.name)) return shapes;
    const JointSpec& there = *joints.at(joint.name);
    EXPECT_EQ(joint.type, there.type);
    EXPECT_EQ(joint.parent, there.parent);
    EXPECT_EQ(joint.child, there.child);
    EXPECT_EQ(joint.axis, there.axis);
    EXPECT_EQ(joint.lower, there.lower);
    EXPECT_EQ(joint.upper, there.upper);
    EXPECT_EQ(joint.max_velocity, there.max_velocity);
    EXPECT_LE((joint.origin.matrix() - there.origin.matrix()).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_EQ(joint.mimic.has_value(), there.mimic.has_value());
    if (!joint.mimic || !there.mimic) continue;
    EXPECT_EQ(joint.mimic->joint, there.mimic->joint);
    EXPECT_EQ(joint.mimic->multiplier, there.mimic->multiplier);
    EXPECT_EQ(joint.mimic->offset, there.mimic->offset);
  }
  return shapes;
}

TEST(UrdfdomAdapter, RobotsOfTheSharedDataAreThoseOfOurReader) {
  const std::string data = robots_data();
  if (data.empty()) GTEST_SKIP() << testing::kNoSharedData;
  std::ifstream file(data + "/robots/INDEX.json");
  int robots = 0, shapes = 0;
  for (const json& record : json::parse(file)) {
    const std::string path = data + "/robots/" + record["urdf"].get<std::string>();
    SCOPED_TRACE(path);
    MeshCache meshes;
    UrdfOptions ours;
    ours.resources.package_paths = {data + "/robots/" + record["package_search_dir"].get<std::string>()};
    ours.meshes = &meshes;
    UrdfModelOptions options;
    options.resources = ours.resources;
    options.base = std::filesystem::path(path).parent_path().string();
    options.meshes = &meshes;
    const auto model = urdf::parseURDFFile(path);
    ASSERT_TRUE(model);
    const Loaded<RobotSpec> read = load_urdf(path, ours), made = robot_from_urdf_model(*model, options);
    shapes += expect_same_robot(read.value, made.value);
    EXPECT_EQ(read.assumptions.size(), made.assumptions.size());
    EXPECT_EQ(RobotModel(read.value).dof(), RobotModel(made.value).dof());
    ++robots;
  }
  std::printf("%d robots, %d shapes\n", robots, shapes);
  EXPECT_GE(robots, 10);
  EXPECT_GE(shapes, 100);
}

const char* const kRobot = R"(<robot name="r">
  <link name="base"><collision><origin xyz="0 0 0.1" rpy="0.1 0.2 0.3"/><geometry><box size="1 2 3"/></geometry></collision>
    <collision><geometry><sphere radius="0.5"/></geometry></collision></link>
  <link name="slide"><collision><geometry><cylinder radius="0.1" length="2"/></geometry></collision></link>
  <link name="hand"><visual><geometry><sphere radius="0.25"/></geometry></visual></link>
  <link name="finger"/><link name="free"/><link name="flat"/><link name="tool"/>
  <joint name="j3" type="prismatic"><parent link="base"/><child link="slide"/><origin xyz="1 2 3" rpy="-1 0.5 2"/><axis xyz="0 0 2"/>
    <limit lower="-1" upper="2" velocity="3" effort="0"/></joint>
  <joint name="j1" type="continuous"><parent link="slide"/><child link="hand"/><axis xyz="0 1 0"/></joint>
  <joint name="j2" type="revolute"><parent link="hand"/><child link="finger"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" velocity="0" effort="0"/><mimic joint="j1" multiplier="-2" offset="0.5"/></joint>
  <joint name="j4" type="floating"><parent link="base"/><child link="free"/></joint>
  <joint name="j5" type="planar"><parent link="base"/><child link="flat"/><axis xyz="0 0 1"/></joint>
  <joint name="j6" type="fixed"><parent link="hand"/><child link="tool"/></joint>
</robot>)";

TEST(UrdfdomAdapter, AllJointsAndShapes) {
  const auto model = urdf::parseURDF(kRobot);
  ASSERT_TRUE(model);
  const Loaded<RobotSpec> made = robot_from_urdf_model(*model);
  EXPECT_EQ(expect_same_robot(parse_urdf(kRobot, "r.urdf", ".").value, made.value), 3);
  ASSERT_EQ(made.warnings.size(), 1u);
  EXPECT_NE(made.warnings[0].text.find("not checked: hand"), std::string::npos);
  UrdfModelOptions visual;
  visual.use_visual = true;
  UrdfOptions own;
  own.use_visual = true;
  EXPECT_EQ(
      expect_same_robot(parse_urdf(kRobot, "r.urdf", ".", own).value, robot_from_urdf_model(*model, visual).value), 4);
}

TEST(UrdfdomAdapter, WhatCannotBeARobotIsRefused) {
  const auto broken = [](const std::function<void(urdf::ModelInterface&)>& change,
                         const std::vector<std::string>& parts) {
    const auto model = urdf::parseURDF(kRobot);
    change(*model);
    expect_input_error([&] { RobotModel(robot_from_urdf_model(*model).value); }, parts);
  };
  using Model = urdf::ModelInterface;
  broken([](Model& m) { m.joints_["j1"]->type = urdf::Joint::UNKNOWN; }, {"joint 'j1'", "a type that is not known"});
  broken([](Model& m) { m.joints_["j3"]->limits.reset(); }, {"joint 'j3'", "has no limits"});
  broken([](Model& m) { m.joints_["j3"]->limits->velocity = -1; }, {"joint 'j3'", "velocity limit is negative"});
  broken([](Model& m) { m.joints_["j3"]->limits->lower = 3; }, {"j3"});
  broken([](Model& m) { m.joints_["j3"]->axis = urdf::Vector3(0, 0, 0); }, {"j3"});
  broken([](Model& m) { m.joints_["j3"]->parent_to_joint_origin_transform.rotation = urdf::Rotation(0, 0, 0, 0); },
         {"joint 'j3'", "a quaternion must have length 1"});
  broken([](Model& m) { m.joints_["j3"]->parent_to_joint_origin_transform.position.x = NAN; }, {"j3"});
  broken([](Model& m) { m.joints_["j2"]->mimic->joint_name = "none"; }, {"none"});
  broken([](Model& m) { m.links_["base"]->collision_array[0]->geometry.reset(); }, {"link 'base'", "without a shape"});
  broken(
      [](Model& m) { std::dynamic_pointer_cast<urdf::Box>(m.links_["base"]->collision_array[0]->geometry)->dim.x = 0; },
      {"link 'base'", "box"});
  broken(
      [](Model& m) {
        auto mesh = std::make_shared<urdf::Mesh>();
        mesh->filename = "package://nowhere/none.stl";
        m.links_["base"]->collision_array[0]->geometry = mesh;
      },
      {"link 'base'", "none.stl"});
  broken([](Model& m) { m.links_.clear(); }, {"has no links"});
}

}  // namespace
}  // namespace planner_ccd::test
