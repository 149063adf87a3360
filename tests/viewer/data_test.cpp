#include <cmath>
#include <map>

#include "planner_ccd/viewer/deflate.hpp"
#include "planner_ccd/viewer/mesh_packing.hpp"
#include "planner_ccd/viewer/tessellate.hpp"
#include "viewer/viewer_support.hpp"

namespace planner_ccd::test {
namespace {

using viewer::base64;
using viewer::deflate;
using viewer::PackedMesh;

const bool has_node = std::string(PLANNER_CCD_NODE) != "";

std::vector<MeshPtr> some_meshes() {
  std::vector<MeshPtr> meshes;
  for (const char* file : {"urdf/puma.urdf", "urdf/hand.urdf"}) {
    for (const LinkSpec& link : load_urdf(source(file)).value.links) {
      for (const Geometry& g : link.collision) meshes.push_back(viewer::drawn_mesh(g.shape));
    }
  }
  const std::vector<Shape> shapes = {
      Sphere{0.3},       Box{{1, 2, 0.01}}, Cylinder{0.02, 5},
      Capsule{0.1, 0.5}, Capsule{0.1, 0},   ConvexHull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 0.1}}}};
  for (const Shape& shape : shapes) meshes.push_back(viewer::drawn_mesh(shape));
  testing::Draw draw(5);
  for (const double size : {1e-4, 1.0, 1e3, 1e6}) {  // unordered soups in which corners are shared at random
    TriangleMesh soup;
    for (int i = 0; i < 200; ++i) soup.vertices.push_back(draw.vector(size));
    for (int i = 0; i < 400; ++i) {
      soup.triangles.emplace_back(draw.integer(0, 199), draw.integer(0, 199), draw.integer(0, 199));
    }
    meshes.push_back(std::make_shared<const TriangleMesh>(soup));
  }
  return meshes;
}

TEST(ViewerData, Base64IsThatOfTheStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string("\xff\xfe\x00", 3)), "//4A");
}

TEST(ViewerData, GridIsFinerThanTheDefaultTolerance) {
  for (const double extent : {1e-4, 0.01, 0.5, 1.0, 5.0, 300.0}) {
    EXPECT_LE(viewer::grid_step(extent), 2e-5) << extent;
    EXPECT_LE(viewer::grid_step(extent), extent * 0x1p-16) << extent;
    EXPECT_GE(viewer::grid_step(extent), extent * 0x1p-24) << extent;
  }
  EXPECT_EQ(viewer::grid_step(1e7), 1e7 * 0x1p-24);
}

// A lower bound that is not known was drawn as 0.
TEST(ViewerData, WhatIsNotKnownOfAProfileIsNull) {
  const RobotModel robot(load_urdf(source("urdf/puma.urdf")).value);
  viewer::PageContent content;
  content.robot = &robot;
  const Scene scene;
  content.scene = &scene;
  content.profile = {
      {0.0, 1.0, 0.01, 0.02, "a", "b"}, {1.0, 2.0, std::nan(""), 0.03, "a", "b"}, {2.0, 3.0, 0.0, 0.0, "a", "b"}};
  const std::string data = viewer::page_data(content);
  EXPECT_NE(data.find("\"lower\":[0.01,null,0.0]"), std::string::npos);
  EXPECT_NE(data.find("\"upper\":[0.02,0.03,0.0]"), std::string::npos);
}

// A round shape is drawn inside its true surface, by at most the promised share of its radius.
TEST(ViewerData, RoundShapesAreDrawnWhereTheyAre) {
  for (const double length : {0.0, 0.4}) {
    const MeshPtr mesh = viewer::drawn_mesh(Capsule{0.25, length});
    for (const Eigen::Vector3i& t : mesh->triangles) {
      const Eigen::Vector3d middle = (mesh->vertices[t[0]] + mesh->vertices[t[1]] + mesh->vertices[t[2]]) / 3.0;
      const double z = std::clamp(middle.z(), -0.5 * length, 0.5 * length);
      const double radius = (middle - Eigen::Vector3d(0, 0, z)).norm();
      EXPECT_LE(radius, 0.25 * (1 + 1e-12));
      EXPECT_GE(radius, 0.25 * (1 - 2.5e-3));
      const Eigen::Vector3d n =
          (mesh->vertices[t[1]] - mesh->vertices[t[0]]).cross(mesh->vertices[t[2]] - mesh->vertices[t[0]]);
      EXPECT_GT(n.dot(middle - Eigen::Vector3d(0, 0, z)), 0.0) << "turned inside out";
    }
  }
}

// The page's own reader returns every triangle of every mesh at its position, to half a step of the grid, with the same
// orientation; only those that vanish on the grid are missing.
TEST(ViewerData, PageReadsBackEveryTriangle) {
  if (!has_node) GTEST_SKIP() << "Node is not installed";
  const TempFolder folder;
  RobotModel robot({"r", {{"base", {}, {}}}, {}});
  Scene scene;
  json meshes = json::array();
  for (const MeshPtr& mesh : some_meshes()) {
    scene.objects.push_back({"o" + std::to_string(scene.objects.size()), {{mesh, Eigen::Isometry3d::Identity(), ""}}});
    json triangles = json::array();
    for (const Eigen::Vector3i& t : mesh->triangles) {
      for (int i = 0; i < 3; ++i) {
        const Eigen::Vector3d& v = mesh->vertices[static_cast<std::size_t>(t[i])];
        triangles.insert(triangles.end(), {v.x(), v.y(), v.z()});
      }
    }
    meshes.push_back(std::move(triangles));
  }
  viewer::PageContent content;
  content.robot = &robot;
  content.scene = &scene;
  folder.write("data", deflate(viewer::page_data(content)));
  folder.write("meshes.json", meshes.dump());
  EXPECT_EQ(run_node("meshes_test.mjs", "'" + folder.path() + "'"), 0);
}

TEST(ViewerData, LargeAndSmallDataSurviveDeflate) {
  if (!has_node) GTEST_SKIP() << "Node is not installed";
  const TempFolder folder;
  testing::Draw draw(7);
  std::string noise;
  for (int i = 0; i < 3'000'000; ++i) noise.push_back(static_cast<char>(draw.integer(0, 255)));
  int number = 0;
  for (const std::string& bytes : {std::string(), std::string("a"), std::string(1'000'000, 'x'), noise}) {
    folder.write(std::to_string(number) + ".plain", bytes);
    folder.write(std::to_string(number++) + ".deflated", deflate(bytes));
  }
  EXPECT_EQ(run_node("deflate_test.mjs", "'" + folder.path() + "'"), 0);
}

// Robots of all joint types on polynomials of degree 5.
TEST(ViewerKinematics, PageAndLibraryPutBodiesInTheSamePlace) {
  if (!has_node) GTEST_SKIP() << "Node is not installed";
  const TempFolder folder;
  const int draws = std::max(20, testing::scaled(60));
  std::map<JointType, int> types;
  for (int i = 0; i < draws; ++i) {
    RandomMotion random(static_cast<unsigned>(100 + i));
    for (const Joint& joint : random.robot.joints()) ++types[joint.type];
    folder.write(std::to_string(i) + ".data", deflate(viewer::page_data(random.content)));
    folder.write(std::to_string(i) + ".json", random.expected.dump());
  }
  EXPECT_EQ(types.size(), 6u) << "not all joint types were drawn";
  EXPECT_EQ(run_node("kinematics_test.mjs", "'" + folder.path() + "' " + std::to_string(draws)), 0);
}

}  // namespace
}  // namespace planner_ccd::test
