#include "io/io_support.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/io/resource.hpp"
#include "planner_ccd/io/urdf.hpp"

namespace planner_ccd::test {
namespace {

std::string mesh_link(const std::string& filename, const std::string& more = "") {
  return one_link("<mesh filename='" + filename + "' " + more + "/>");
}

/// Sets an environment variable while it lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { unsetenv(name_); }

 private:
  const char* name_;
};

std::size_t triangles_of(const Loaded<RobotSpec>& robot) {
  return std::get<MeshPtr>(robot.value.links.at(0).collision.at(0).shape)->triangles.size();
}

TEST(Resources, ALinkToAFileCountsAsLyingBesideItsTargetToo) {
  const TempFolder folder;
  folder.write("there/pkg/urdf/r.urdf", mesh_link("package://pkg/a.obj"));
  folder.write("there/pkg/a.obj", kTriangleObj);
  folder.write("there/plain/r.urdf", mesh_link("a.obj"));
  folder.write("there/plain/a.obj", kTriangleObj);
  for (const char* name : {"pkg/urdf/r.urdf", "plain/r.urdf"}) {
    const std::filesystem::path link = folder.path("link.urdf");
    std::filesystem::remove(link);
    std::filesystem::create_symlink(folder.path(std::string("there/") + name), link);
    EXPECT_EQ(triangles_of(load_urdf(link.string())), 1u) << name;
  }
}

TEST(Resources, WhatLiesAboveALinkedFolderLiesAboveItsTarget) {
  const TempFolder folder;
  folder.write("there/urdf/r.urdf", mesh_link("../meshes/a.obj"));
  folder.write("there/meshes/a.obj", kTriangleObj);
  folder.write("here/other.txt", "");
  std::filesystem::create_directory_symlink(folder.path("there/urdf"), folder.path("here/urdf"));
  EXPECT_EQ(triangles_of(load_urdf(folder.path("here/urdf/r.urdf"))), 1u);
  // As for every program that opens "here/urdf/../meshes/a.obj", even if there is one beside the link.
  folder.write("here/meshes/a.obj", std::string(kTriangleObj) + "v 1 1 1\nf 1 2 4\n");
  EXPECT_EQ(triangles_of(load_urdf(folder.path("here/urdf/r.urdf"))), 1u);
}

TEST(Resources, RelativePathsAndFileUrisAreFound) {
  const TempFolder folder;
  folder.write("meshes/a b.obj", kTriangleObj);
  for (const std::string& uri : std::vector<std::string>{
           "meshes/a b.obj", "./meshes/../meshes/a b.obj", "file://meshes/a%20b.obj",
           "file://" + folder.path("meshes/a b.obj"), "file://localhost" + folder.path("meshes/a b.obj"),
           "file:" + folder.path("meshes/a b.obj"), folder.path("meshes/a b.obj"), "meshes\\a b.obj"}) {
    SCOPED_TRACE(uri);
    EXPECT_EQ(triangles_of(load_urdf(folder.write("r.urdf", mesh_link(uri)))), 1u);
  }
}

TEST(Resources, PackagesAreFoundWithoutRosByWalkingUp) {
  const TempFolder folder;
  folder.write("my_robot/meshes/a.obj", kTriangleObj);
  const auto inside = load_urdf(folder.write("my_robot/urdf/r.urdf", mesh_link("package://my_robot/meshes/a.obj")));
  EXPECT_EQ(triangles_of(inside), 1u);
  const auto beside = load_urdf(folder.write("other/urdf/r.urdf", mesh_link("package://my_robot/meshes/a.obj")));
  EXPECT_EQ(triangles_of(beside), 1u);
  const auto fake = load_urdf(folder.write("my_robot/r.urdf", mesh_link("package://meshes/a.obj")));
  EXPECT_EQ(triangles_of(fake), 1u);
  EXPECT_EQ(triangles_of(load_urdf(folder.write("my_robot/r.urdf", mesh_link("model://meshes/a.obj")))), 1u);
  EXPECT_FALSE(any_contains(fake.warnings, "leaving out"));
}

TEST(Resources, APackageFoundOnlyWithoutItsNameIsAWarning) {
  const TempFolder folder;
  const std::string file = folder.write("checkout/meshes/a.obj", kTriangleObj);
  const auto robot = load_urdf(folder.write("checkout/urdf/r.urdf", mesh_link("package://my_robot/meshes/a.obj")));
  EXPECT_EQ(triangles_of(robot), 1u);
  EXPECT_TRUE(any_contains(robot.warnings, file));
}

TEST(Resources, TheExplicitMapComesFirstThenFoldersThenTheEnvironment) {
  const TempFolder folder;
  folder.write("one/a.obj", kTriangleObj);
  folder.write("path/p/a.obj", kTriangleObj);
  folder.write("ros/p/a.obj", kTriangleObj);
  folder.write("ament/share/p/a.obj", kTriangleObj);
  const std::string base = folder.write("robots/r.urdf", "");
  const std::string from = std::filesystem::path(base).parent_path().string(), uri = "package://p/a.obj";
  ResourceOptions options;
  const Environment ament("AMENT_PREFIX_PATH", "/nowhere:" + folder.path("ament"));
  EXPECT_EQ(resolve_resource(uri, from, options).path, folder.path("ament/share/p/a.obj"));
  const Environment ros("ROS_PACKAGE_PATH", "/nowhere::" + folder.path("ros"));
  EXPECT_EQ(resolve_resource(uri, from, options).path, folder.path("ros/p/a.obj"));
  options.package_paths = {"/nowhere", folder.path("path")};
  EXPECT_EQ(resolve_resource(uri, from, options).path, folder.path("path/p/a.obj"));
  options.package_paths = {folder.path("path/p")};  // the package's own folder is accepted too
  EXPECT_EQ(resolve_resource(uri, from, options).path, folder.path("path/p/a.obj"));
  options.packages["p"] = folder.path("one");
  EXPECT_EQ(resolve_resource(uri, from, options).path, folder.path("one/a.obj"));
}

TEST(Resources, AMissingMeshIsAnErrorThatListsEveryPlaceTried) {
  const TempFolder folder;
  const Environment ros("ROS_PACKAGE_PATH", "/ros_path");
  const Environment ament("AMENT_PREFIX_PATH", "/ament_path");
  UrdfOptions options;
  options.resources.package_paths = {"/package_path"};
  const std::string robot = folder.write("robots/r.urdf", mesh_link("package://p/x/a.stl"));
  expect_input_error([&] { load_urdf(robot, options); },
                     {robot + ":3: <mesh>", "package://p/x/a.stl: not found", "/package_path/p/x/a.stl",
                      folder.path("robots/p/x/a.stl"), folder.path("p/x/a.stl"), "/ros_path/p/x/a.stl",
                      "/ament_path/share/p/x/a.stl", "--package p=DIR"});
  options.resources.packages["p"] = "/mapped";
  const std::string mapped = expect_input_error([&] { load_urdf(robot, options); }, {"/mapped/x/a.stl", "not taken"});
  EXPECT_EQ(mapped.find("/package_path/"), std::string::npos) << "a named package must not resolve to another";
  expect_input_error([&] { load_urdf(folder.write("robots/r.urdf", mesh_link("gone.stl"))); },
                     {folder.path("robots/gone.stl"), "relative to the folder"});
  expect_input_error([&] { load_urdf(folder.write("robots/r.urdf", mesh_link("https://host/a.stl"))); },
                     {"fetch the file"});
  expect_input_error([&] { load_urdf(folder.write("robots/r.urdf", mesh_link("package://p"))); }, {"package://NAME/"});
}

TEST(Resources, AFolderIsNotAMesh) {
  const TempFolder folder;
  folder.write("a.stl/inside", "");
  expect_input_error([&] { load_urdf(folder.write("r.urdf", mesh_link("a.stl"))); }, {"a.stl", "not found"});
}

TEST(Resources, ScaleIsAppliedAndMirroringTurnsTheTriangles) {
  const TempFolder folder;
  folder.write("a.obj", kTriangleObj);
  const auto robot = load_urdf(folder.write("r.urdf", mesh_link("a.obj", "scale='2 3 -1'")));
  const auto& mesh = *std::get<MeshPtr>(robot.value.links[0].collision[0].shape);
  EXPECT_EQ(mesh.vertices[1], Eigen::Vector3d(2, 0, 0));
  EXPECT_EQ(mesh.vertices[2], Eigen::Vector3d(0, 3, 0));
  EXPECT_EQ(mesh.triangles[0], Eigen::Vector3i(0, 2, 1));
  const auto uniform = load_urdf(folder.write("r.urdf", mesh_link("a.obj", "scale='2'")));
  EXPECT_TRUE(any_contains(uniform.warnings, "one number instead of three"));
  expect_input_error([&] { load_urdf(folder.write("r.urdf", mesh_link("a.obj", "scale='1 0 1'"))); },
                     {"<mesh>", "scale"});
  expect_input_error([&] { load_urdf(folder.write("r.urdf", mesh_link("a.obj", "scale='1 1'"))); },
                     {"<mesh>", "'scale'"});
  expect_input_error([&] { load_urdf(folder.write("r.urdf", mesh_link("a.obj", "scale='1e9 1 1'"))); },
                     {"<mesh>", "1e7 m"});
}

TEST(Resources, AMillimetreMeshIsWarnedOf) {
  const TempFolder folder;
  folder.write("mm.obj", "v 0 0 0\nv 300 0 0\nv 0 300 0\nf 1 2 3\n");
  const auto robot = load_urdf(folder.write("r.urdf", mesh_link("mm.obj")));
  EXPECT_TRUE(any_contains(robot.warnings, "spans 300 m; if the file is in millimetres, give it the scale 0.001"));
  EXPECT_TRUE(load_urdf(folder.write("r.urdf", mesh_link("mm.obj", "scale='.001 .001 .001'"))).warnings.empty());
  const auto tiny = load_urdf(folder.write("r.urdf", mesh_link("mm.obj", "scale='1e-6 1e-6 1e-6'")));
  EXPECT_TRUE(any_contains(tiny.warnings, "spans only 0.0003 m"));
}

TEST(Resources, OneFileIsLoadedOnceForAllWhoUseIt) {
  const TempFolder folder;
  folder.write("a.obj", kTriangleObj);
  const std::string link =
      "<collision><geometry><mesh filename='a.obj'/></geometry></collision>"
      "<collision><geometry><mesh filename='./a.obj'/></geometry></collision>"
      "<collision><geometry><mesh filename='a.obj' scale='2 2 2'/></geometry></collision>";
  MeshCache cache;
  UrdfOptions options;
  options.meshes = &cache;
  const auto robot =
      load_urdf(folder.write("r.urdf", "<robot name='r'><link name='l'>" + link + "</link></robot>"), options);
  const auto mesh = [&](std::size_t i) { return std::get<MeshPtr>(robot.value.links[0].collision[i].shape); };
  EXPECT_EQ(mesh(0), mesh(1));
  EXPECT_NE(mesh(0), mesh(2));
  EXPECT_EQ(cache.load(folder.path("a.obj")), mesh(0));
}

TEST(Resources, UnknownKindsOfMeshFilesAreNamed) {
  const TempFolder folder;
  folder.write("a.step", "x");
  expect_input_error([&] { load_urdf(folder.write("r.urdf", mesh_link("a.step"))); }, {"a.step", "convert it to STL"});
}

}  // namespace
}  // namespace planner_ccd::test
