// A mesh is looked at once on its way from a file to a tree: what is known of it goes with it.
#include <gtest/gtest.h>

#include <cmath>

#include "io/io_support.hpp"
#include "planner_ccd/geometry/known_mesh.hpp"
#include "planner_ccd/geometry/mesh_prepare.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/scene/scene.hpp"

namespace planner_ccd::test {
namespace {

/// A tetrahedron, each corner three times.
const std::string kSolid = [] {
  const char* corners[4] = {"vertex 0 0 0 ", "vertex 1 0 0 ", "vertex 0 1 0 ", "vertex 0 0 1 "};
  const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  std::string text = "solid s\n";
  for (const auto& face : faces) {
    text += "facet normal 0 0 0 outer loop ";
    for (const int corner : face) text += corners[corner];
    text += "endloop endfacet\n";
  }
  return text + "endsolid s\n";
}();

Scene scene_of(const MeshPtr& mesh) {
  Scene scene;
  scene.objects.push_back({"solid", {{mesh, Pose::Identity(), "mesh"}}});
  return scene;
}

/// Behind the back of those who hold it: who looks at it again sees a vertex that is refused, or two that are equal.
TriangleMesh& changed(const MeshPtr& mesh) { return const_cast<TriangleMesh&>(*mesh); }

TEST(MeshOfAFile, IsValidatedOnce) {
  const TempFolder folder;
  const MeshPtr mesh = load_mesh(folder.write("solid.stl", kSolid));
  EXPECT_TRUE(facts_of(mesh).valid);
  EXPECT_TRUE(facts_of(load_mesh(folder.write("solid.stl", kSolid), {1e-3, 1e-3, 1e-3})).valid);
  changed(mesh).vertices[1][0] = 2.0 * kMaxCoordinate;
  const Scene scene = scene_of(mesh);
  EXPECT_NO_THROW(validate(scene));
  EXPECT_NO_THROW(SsvTree::build(scene.objects.find("solid")->geometry, "solid"));

  const Scene unknown = scene_of(std::make_shared<const TriangleMesh>(*mesh));
  EXPECT_THROW(validate(unknown), InputError);
  EXPECT_THROW(SsvTree::build(unknown.objects.find("solid")->geometry, "solid"), InputError);
}

TEST(MeshOfAFile, IsWeldedOnce) {
  const TempFolder folder;
  const MeshPtr mesh = load_mesh(folder.write("solid.stl", kSolid));
  EXPECT_TRUE(facts_of(mesh).distinct);
  EXPECT_EQ(mesh->vertices.size(), 4u);
  EXPECT_EQ(PreparedMesh(*mesh).shells.open_parts, 0);
  EXPECT_FALSE(facts_of(load_mesh(folder.write("solid.stl", kSolid), {1e-3, 1e-3, 1e-3})).distinct)
      << "a scale may make vertices equal";
  changed(mesh).vertices.push_back(mesh->vertices[0]);
  changed(mesh).triangles[0] = {4, 2, 1};
  const auto has_inside = [](const MeshPtr& of) {
    return SsvTree::build({{of, Pose::Identity(), "mesh"}}, "solid").has_inside();
  };
  EXPECT_FALSE(has_inside(mesh)) << "somebody welded it again";
  EXPECT_TRUE(has_inside(std::make_shared<const TriangleMesh>(*mesh)));
}

TEST(PreparedMesh, IsACopyOnlyWhereVerticesAreMerged) {
  const TempFolder folder;
  TriangleMesh mesh = *load_mesh(folder.write("solid.stl", kSolid));
  EXPECT_EQ(&PreparedMesh(mesh).mesh, &mesh);
  mesh.vertices[0][1] = -0.0;
  {
    const PreparedMesh prepared(mesh);
    EXPECT_NE(&prepared.mesh, &mesh);
    EXPECT_FALSE(std::signbit(prepared.mesh.vertices[0][1]));
  }
  ASSERT_EQ(mesh.triangles[1], Eigen::Vector3i(0, 2, 3));
  mesh.vertices.push_back(mesh.vertices[2]);
  mesh.triangles[1] = {0, 4, 3};
  const PreparedMesh prepared(mesh);
  EXPECT_EQ(prepared.mesh.vertices.size(), 4u);
  EXPECT_EQ(prepared.mesh.triangles[1], Eigen::Vector3i(0, 2, 3));
  EXPECT_EQ(prepared.shells.open_parts, 0);
}

}  // namespace
}  // namespace planner_ccd::test
