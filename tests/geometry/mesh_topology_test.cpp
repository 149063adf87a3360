#include "planner_ccd/geometry/mesh_topology.hpp"

#include <gtest/gtest.h>

namespace planner_ccd {
namespace {

TriangleMesh tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
}

TEST(MeshTopology, ATetrahedronIsClosedAndOriented) { EXPECT_TRUE(topology(tetrahedron()).is_oriented()); }

TEST(MeshTopology, EqualPointsAreOneVertexAndTrianglesWithoutAreaDoNotCount) {
  TriangleMesh soup;
  const TriangleMesh whole = tetrahedron();
  for (const Eigen::Vector3i& t : whole.triangles) {
    const int first = static_cast<int>(soup.vertices.size());
    for (const int i : t) soup.vertices.push_back(whole.vertices[static_cast<std::size_t>(i)]);
    soup.triangles.emplace_back(first, first + 1, first + 2);
  }
  soup.triangles.emplace_back(0, 1, 1);
  EXPECT_TRUE(topology(soup).is_oriented());
}

TEST(MeshTopology, AMissingTriangleLeavesItsThreeEdgesOpen) {
  TriangleMesh mesh = tetrahedron();
  mesh.triangles.pop_back();
  EXPECT_EQ(topology(mesh).open_edges, 3u);
  EXPECT_FALSE(topology(mesh).is_closed());
}

TEST(MeshTopology, ATurnedTriangleIsClosedButNotOriented) {
  TriangleMesh mesh = tetrahedron();
  std::swap(mesh.triangles[0][0], mesh.triangles[0][1]);
  EXPECT_TRUE(topology(mesh).is_closed());
  EXPECT_EQ(topology(mesh).turned_edges, 3u);
  EXPECT_FALSE(topology(mesh).is_oriented());
}

TEST(MeshTopology, TwoBodiesThatShareAnEdgeAreClosed) {
  TriangleMesh mesh = tetrahedron();
  mesh.vertices.emplace_back(-1, 0, 0.5);
  mesh.vertices.emplace_back(0, -1, 0.5);
  for (const Eigen::Vector3i& t :
       {Eigen::Vector3i(0, 4, 5), Eigen::Vector3i(0, 3, 4), Eigen::Vector3i(3, 5, 4), Eigen::Vector3i(0, 5, 3)}) {
    mesh.triangles.push_back(t);
  }
  EXPECT_TRUE(topology(mesh).is_oriented());
}

}  // namespace
}  // namespace planner_ccd
