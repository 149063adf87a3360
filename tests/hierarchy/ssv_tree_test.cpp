#include "planner_ccd/hierarchy/ssv_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

#include "hierarchy/synthetic_meshes.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using Long3 = Eigen::Matrix<long double, 3, 1>;

Geometry mesh_geometry(TriangleMesh mesh) {
  Geometry g;
  g.shape = std::make_shared<const TriangleMesh>(std::move(mesh));
  g.source = "synthetic";
  return g;
}

Eigen::Isometry3d some_pose(unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> n;
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  X.linear() = Eigen::Quaterniond(n(random), n(random), n(random), n(random)).normalized().toRotationMatrix();
  X.translation() = Vector3d(n(random), n(random), n(random));
  return X;
}

/// Distance of a point to a volume's generator by long double projection; an upper bound for skewed edges.
long double distance_to_generator(const Ssv& v, const Vector3d& p) {
  const Long3 e0 = v.edge0.cast<long double>(), e1 = v.edge1.cast<long double>();
  const Long3 w = p.cast<long double>() - v.origin.cast<long double>();
  const long double E0 = e0.squaredNorm(), E1 = e1.squaredNorm();
  const long double s = E0 > 0 ? std::clamp(w.dot(e0) / E0, 0.0L, 1.0L) : 0.0L;
  const long double t = E1 > 0 ? std::clamp(w.dot(e1) / E1, 0.0L, 1.0L) : 0.0L;
  return (w - s * e0 - t * e1).norm();
}

struct TreeReport {
  int types[3] = {0, 0, 0};
  int depth = 0;
};

/// Every primitive is in exactly one leaf, every volume encloses everything below it.
void check_tree(const SsvTree& tree, int leaf_size, TreeReport& report) {
  std::vector<int> seen(tree.primitive_count(), 0);
  struct Entry {
    int node, depth;
    std::vector<int> ancestors;
  };
  std::vector<Entry> stack{{0, 0, {}}};
  int visited = 0;
  while (!stack.empty()) {
    Entry e = std::move(stack.back());
    stack.pop_back();
    ++visited;
    report.depth = std::max(report.depth, e.depth);
    const Ssv v = tree.volume(e.node);
    ++report.types[static_cast<int>(v.type)];
    ASSERT_LE((v.origin - tree.bounding_center()).norm() + v.edge0.norm() + v.edge1.norm() + v.radius,
              tree.volume_reach() * (1.0 + 1e-14));
    EXPECT_GE(tree.size(e.node) * 1.01 + 1e-30, std::max(v.edge0.norm(), v.edge1.norm()) * 0.99);
    e.ancestors.push_back(e.node);
    if (!tree.is_leaf(e.node)) {
      stack.push_back({tree.left(e.node), e.depth + 1, e.ancestors});
      stack.push_back({tree.right(e.node), e.depth + 1, e.ancestors});
      continue;
    }
    ASSERT_LE(tree.primitive_count(e.node), leaf_size);
    for (int k = 0; k < tree.primitive_count(e.node); ++k) {
      const int i = tree.first_primitive(e.node) + k;
      ++seen[i];
      const Primitive p = tree.primitive(i);
      for (const int node : e.ancestors) {
        const Ssv a = tree.volume(node);
        for (const Vector3d& c : p.corners) {
          ASSERT_LE(distance_to_generator(a, c) + p.radius, static_cast<long double>(a.radius))
              << "node " << node << " by " << double(distance_to_generator(a, c) + p.radius - a.radius);
        }
      }
      for (const Vector3d& c : p.corners) {
        ASSERT_LE((c - tree.bounding_center()).norm() + p.radius, tree.bounding_radius());
        ASSERT_TRUE(tree.bounds().contains(c));
      }
    }
  }
  EXPECT_EQ(visited, tree.node_count());
  EXPECT_LE(report.depth, SsvTree::kMaxDepth);
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<long>(seen.size()));
}

std::vector<std::pair<const char*, TriangleMesh>> models() {
  TriangleMesh offset = synthetic::bumpy_sphere(40, 20);
  for (Vector3d& p : offset.vertices) p = 1e-4 * p + Vector3d(1000.0, -500.0, 20.0);
  TriangleMesh same;
  same.vertices = {Vector3d(1, 2, 3), Vector3d(2, 2, 3), Vector3d(1, 4, 3)};
  for (int i = 0; i < 300; ++i) same.triangles.emplace_back(0, 1, 2);
  return {{"torus_knot", synthetic::torus_knot(120, 12)},
          {"bumpy_sphere", synthetic::bumpy_sphere(60, 30)},
          {"soup", synthetic::soup(1500, 3)},
          {"tiny at 1 km", offset},
          {"300 times the same", same}};
}

TEST(SsvTree, EveryVolumeContainsEveryVertexBelowIt) {
  for (const auto& [name, mesh] : models()) {
    Geometry g = mesh_geometry(mesh);
    g.pose = some_pose(5);
    const SsvTree tree = SsvTree::build({g}, name);
    TreeReport report;
    check_tree(tree, mesh.vertices.size() > 2 * mesh.triangles.size() ? 2 : 1, report);
    if (HasFatalFailure()) FAIL() << name;
    std::printf("%-20s: depth %d, %d PSS %d LSS %d RSS, %.1f bytes per triangle\n", name, report.depth, report.types[0],
                report.types[1], report.types[2], double(tree.memory()) / mesh.triangles.size());
  }
}

/// The bounding sphere holds radii, not only the points that have them.
TEST(SsvTree, HoldsBodiesThatAreMostlyRound) {
  for (int i = 0; i < 20; ++i) {
    std::vector<Geometry> geometry(2);
    geometry[0].shape = Sphere{0.05 * (1 + i)};
    geometry[1].shape = Capsule{0.2, 0.1 * i};
    for (int k = 0; k < 2; ++k)
      geometry[static_cast<std::size_t>(k)].pose = some_pose(static_cast<unsigned>(2 * i + k));
    TreeReport report;
    check_tree(SsvTree::build(geometry, "round"), 1, report);
  }
}

TEST(SsvTree, HoldsShapesOfEveryKind) {
  std::vector<Geometry> geometry(5);
  geometry[0].shape = Sphere{0.3};
  geometry[1].shape = Box{Vector3d(0.4, 0.2, 1.0)};
  geometry[2].shape = Cylinder{0.1, 0.5};
  geometry[3].shape = Capsule{0.2, 0.6};
  geometry[4] = mesh_geometry(synthetic::torus_knot(20, 6));
  for (int i = 0; i < 5; ++i) geometry[i].pose = some_pose(i);
  const SsvTree tree = SsvTree::build(geometry, "shapes");
  TreeReport report;
  check_tree(tree, 1, report);
  int count[5] = {};
  std::vector<int> triangles[5];
  for (int i = 0; i < tree.primitive_count(); ++i) {
    const Primitive p = tree.primitive(i);
    ++count[p.geometry];
    triangles[p.geometry].push_back(p.triangle);
    EXPECT_EQ(p.kind == PrimitiveKind::Cylinder, p.geometry == 2);
  }
  EXPECT_EQ(count[0], 1);
  EXPECT_EQ(count[1], 12);
  EXPECT_EQ(count[2], 1);
  EXPECT_EQ(count[3], 1);
  EXPECT_EQ(count[4], 240);
  EXPECT_EQ(triangles[0][0], -1);
  std::sort(triangles[4].begin(), triangles[4].end());
  for (int i = 0; i < 240; ++i) EXPECT_EQ(triangles[4][i], i);
}

/// A link near a wall, beside one of its faces, must be outside the volumes of its triangles.
TEST(SsvTree, FacesOfABoxTakeNoMoreRoomThanTheBox) {
  for (const Vector3d& size : {Vector3d(1.1, 1.1, 0.02), Vector3d(2.0, 0.7, 0.3), Vector3d(0.4, 0.4, 0.4)}) {
    Geometry box;
    box.shape = Box{size};
    box.pose = some_pose(3);
    const Eigen::Isometry3d to_box = box.pose.inverse();
    const SsvTree tree = SsvTree::build({box}, "box");
    int leaves = 0;
    for (std::vector<int> stack{0}; !stack.empty();) {
      const int node = stack.back();
      stack.pop_back();
      if (!tree.is_leaf(node)) {
        stack.push_back(tree.left(node));
        stack.push_back(tree.right(node));
        continue;
      }
      ++leaves;
      const Ssv v = tree.volume(node);
      EXPECT_LE(v.radius, 1e-6 * size.maxCoeff());
      for (int j = 0; j < v.corner_count(); ++j) {
        const Vector3d over = (to_box * v.corner(j)).cwiseAbs() - 0.5 * size;
        EXPECT_LE(over.maxCoeff(), 1e-6 * size.maxCoeff());
      }
    }
    EXPECT_EQ(leaves, 12);
  }
}

TEST(SsvTree, KeepsThePlacedCoordinatesOfItsTriangles) {
  const TriangleMesh mesh = synthetic::torus_knot(30, 6);
  Geometry g = mesh_geometry(mesh);
  g.pose = some_pose(9);
  const SsvTree tree = SsvTree::build({g}, "knot");
  for (int i = 0; i < tree.primitive_count(); ++i) {
    const Primitive p = tree.primitive(i);
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(p.corners[k], g.pose * mesh.vertices[mesh.triangles[p.triangle][k]]);
      EXPECT_EQ(tree.triangle(i)[k], p.corners[k]);
    }
  }
}

TEST(SsvTree, TrianglesThatShareNoVertexTakeAtMost160Bytes) {
  const auto bytes = [](const TriangleMesh& mesh) {
    const SsvTree tree = SsvTree::build({mesh_geometry(mesh)}, "mesh");
    return double(tree.memory()) / mesh.triangles.size();
  };
  TriangleMesh apart;
  for (int i = 0; i < 5000; ++i) {
    for (int k = 0; k < 3; ++k) apart.vertices.emplace_back(i % 70, i / 70, 0.5 * k * (k - 2.5));
    apart.vertices.back()[0] += 0.5;
    apart.triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
  }
  EXPECT_LE(bytes(apart), 160.0);
  EXPECT_LE(bytes(synthetic::torus_knot(120, 12)), 160.0);
}

TEST(SsvTree, RefusesBadInputByName) {
  const auto message = [](const std::vector<Geometry>& g) {
    try {
      SsvTree::build(g, "gripper");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(message({}).find("gripper"), std::string::npos);
  EXPECT_NE(message({mesh_geometry({})}).find("gripper"), std::string::npos);
  TriangleMesh bad = synthetic::torus_knot(10, 5);
  bad.vertices[3][1] = std::nan("");
  EXPECT_NE(message({mesh_geometry(bad)}).find("vertex 3"), std::string::npos);
  bad = synthetic::torus_knot(10, 5);
  bad.triangles[7][2] = 50;
  EXPECT_NE(message({mesh_geometry(bad)}).find("triangle 7"), std::string::npos);
  Geometry skewed = mesh_geometry(synthetic::torus_knot(10, 5));
  skewed.pose.linear() *= 1.01;
  EXPECT_NE(message({skewed}).find("rigid"), std::string::npos);
}

}  // namespace
}  // namespace planner_ccd
