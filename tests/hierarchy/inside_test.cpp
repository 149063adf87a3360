#include "planner_ccd/hierarchy/inside.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "hierarchy/synthetic_meshes.hpp"
#include "planner_ccd/geometry/mesh_prepare.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

SsvTree tree_of(const TriangleMesh& mesh) {
  Geometry g;
  g.shape = std::make_shared<const TriangleMesh>(mesh);
  return SsvTree::build({g}, "test mesh");
}

/// Winding number by solid angles (van Oosterom and Strackee): no rays, no predicates.
double winding(const TriangleMesh& m, const Vector3d& p) {
  long double total = 0.0L;
  for (const Eigen::Vector3i& t : m.triangles) {
    using V = Eigen::Matrix<long double, 3, 1>;
    const V a = (m.vertices[t[0]] - p).cast<long double>(), b = (m.vertices[t[1]] - p).cast<long double>(),
            c = (m.vertices[t[2]] - p).cast<long double>();
    const long double la = a.norm(), lb = b.norm(), lc = c.norm();
    total += 2.0L * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return static_cast<double>(total / (4.0L * 3.14159265358979323846L));
}

TriangleMesh inside_out(TriangleMesh m) {
  for (Eigen::Vector3i& t : m.triangles) std::swap(t[1], t[2]);
  return m;
}

TriangleMesh joined(TriangleMesh a, const TriangleMesh& b, double scale, const Vector3d& shift) {
  const Eigen::Vector3i offset = Eigen::Vector3i::Constant(static_cast<int>(a.vertices.size()));
  for (const Vector3d& p : b.vertices) a.vertices.push_back(scale * p + shift);
  for (const Eigen::Vector3i& t : b.triangles) a.triangles.push_back(t + offset);
  return a;
}

TEST(Inside, AgreesWithTheSolidAngle) {
  const TriangleMesh knot = synthetic::torus_knot(80, 10), ball = synthetic::bumpy_sphere(20, 10);
  const std::pair<const char*, TriangleMesh> models[] = {
      {"knot", knot},
      {"ball", ball},
      {"inside out", inside_out(ball)},
      {"hollow", joined(ball, inside_out(ball), 0.5, Vector3d::Zero())},
      {"overlapping", joined(ball, ball, 1.0, Vector3d(0.7, 0.1, 0.0))},
      {"separate", joined(ball, knot, 1.0, Vector3d(3.0, 0.0, 0.0))},
  };
  std::mt19937 random(17);
  std::printf("seed 17\n");
  for (const auto& [name, mesh] : models) {
    const SsvTree tree = tree_of(mesh);
    ASSERT_TRUE(tree.has_inside()) << name;
    int in = 0, total = 0;
    for (int i = 0; i < 400; ++i) {
      Vector3d p;
      for (int k = 0; k < 3; ++k) {
        p[k] = std::uniform_real_distribution<double>(tree.bounds().min()[k], tree.bounds().max()[k])(random);
      }
      if (i % 4 == 0) p = tree.triangle(i % tree.primitive_count())[0] + 1e-7 * p;
      const double w = winding(mesh, p);
      if (std::abs(w - std::round(w)) > 1e-3) continue;
      const bool expected = std::lround(w) != 0;
      ++total;
      in += expected;
      EXPECT_EQ(inside(tree, p), expected ? Containment::Inside : Containment::Outside) << name;
    }
    std::printf("%-12s %d of %d points inside\n", name, in, total);
    EXPECT_GE(in, 20);
    EXPECT_GE(total - in, 100);
  }
}

TEST(Inside, IsNeverSureOnTheSurface) {
  const TriangleMesh ball = synthetic::bumpy_sphere(20, 10);
  const SsvTree tree = tree_of(ball);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(inside(tree, ball.vertices[i]), Containment::Unclear);
  }
}

TEST(Inside, OfAnOpenMeshIsNothing) {
  TriangleMesh ball = synthetic::bumpy_sphere(20, 10);
  ball.triangles.pop_back();
  EXPECT_FALSE(tree_of(ball).has_inside());
  EXPECT_EQ(inside(tree_of(ball), Vector3d::Zero()), Containment::Outside);
}

/// A box whose far end is mirrored: two sides pass through each other in a line, and beyond it the surface is turned inside out.
TEST(Inside, OfABoxThroughItselfIsBothOfItsHalves) {
  TriangleMesh box;
  for (const double s : {1.0, -0.7}) {
    for (const auto& [x, y] : {std::pair(1, 1), std::pair(-1, 1), std::pair(-1, -1), std::pair(1, -1)}) {
      box.vertices.emplace_back(s * x, std::abs(s) * y, s > 0.0 ? 0.0 : 1.7);
    }
  }
  for (const auto& [a, b, c] : {std::tuple(0, 2, 1), std::tuple(0, 3, 2), std::tuple(4, 5, 6), std::tuple(4, 6, 7)}) {
    box.triangles.emplace_back(a, b, c);
  }
  for (int i = 0; i < 4; ++i) {
    const int j = (i + 1) % 4;
    box.triangles.emplace_back(i, j, j + 4);
    box.triangles.emplace_back(i, j + 4, i + 4);
  }
  for (const TriangleMesh& mesh : {box, inside_out(box)}) {
    ASSERT_LT(winding(mesh, {0.02, 0.01, 0.3}) * winding(mesh, {0.02, 0.01, 1.5}), -0.9);
    EXPECT_EQ(inside(tree_of(mesh), Vector3d(0.02, 0.01, 0.3)), Containment::Inside);
    EXPECT_EQ(inside(tree_of(mesh), Vector3d(0.02, 0.01, 1.5)), Containment::Inside);
    EXPECT_EQ(inside(tree_of(mesh), Vector3d(0.0, 0.0, 1.9)), Containment::Outside);
  }
}

TEST(MeshPrepare, WeldsDuplicatesAndFindsWhatHangsTogether) {
  const TriangleMesh ball = synthetic::bumpy_sphere(12, 6);
  TriangleMesh soup;  // Every triangle with its own three vertices, as in an STL file.
  for (const Eigen::Vector3i& t : ball.triangles) {
    const int first = static_cast<int>(soup.vertices.size());
    for (int k = 0; k < 3; ++k) soup.vertices.push_back(ball.vertices[t[k]]);
    soup.triangles.emplace_back(first, first + 1, first + 2);
  }
  const PreparedMesh p(soup);
  EXPECT_EQ(p.mesh.vertices.size(), ball.vertices.size());
  EXPECT_EQ(p.representatives.size(), 1u);
  ASSERT_EQ(p.shells.shells.size(), 1u);
  EXPECT_EQ(p.shells.shells[0].facing, Facing::Outwards);
  EXPECT_GT(p.shells.shells[0].volume, 2.0);
  EXPECT_LT(p.shells.shells[0].volume, 4.2);
  EXPECT_EQ(p.shells.open_parts, 0);

  TriangleMesh more = joined(soup, synthetic::torus_knot(20, 5), 1.0, Vector3d(4, 0, 0));
  more.triangles.emplace_back(0, 1, 1);
  more.triangles.emplace_back(0, 0, 0);
  const Vector3d far(9, 9, 9);
  more.vertices.insert(more.vertices.end(), {far, far + Vector3d(1, 0, 0), far + Vector3d(0, 1, 0), far * 2});
  const int n = static_cast<int>(more.vertices.size());
  more.triangles.emplace_back(n - 4, n - 3, n - 2);
  const PreparedMesh q(more);
  EXPECT_EQ(q.representatives.size(), 5u);
  EXPECT_EQ(q.shells.shells.size(), 2u);
  EXPECT_EQ(q.shells.open_parts, 1) << "points and segments are no parts of a surface";
}

TEST(MeshPrepare, KnowsWhichSideIsOutsideWhereTrianglesDisagree) {
  TriangleMesh ball = synthetic::bumpy_sphere(12, 6);
  for (std::size_t i = 0; i < ball.triangles.size(); i += 3) std::swap(ball.triangles[i][1], ball.triangles[i][2]);
  const PreparedMesh p(ball);
  ASSERT_EQ(p.shells.shells.size(), 1u);
  EXPECT_EQ(p.shells.shells[0].facing, Facing::Mixed);
  EXPECT_TRUE(has_inside(ball));
  EXPECT_EQ(inside(tree_of(ball), Vector3d(0.1, 0.2, 0.05)), Containment::Inside);
  EXPECT_EQ(inside(tree_of(ball), Vector3d(1.1, 1.1, 0.0)), Containment::Outside);
}

}  // namespace
}  // namespace planner_ccd
