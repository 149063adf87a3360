#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdio>

#include "hierarchy/grains.hpp"
#include "hierarchy/synthetic_meshes.hpp"
#include "planner_ccd/hierarchy/deferred_tree.hpp"
#include "planner_ccd/hierarchy/inside.hpp"
#include "planner_ccd/hierarchy/primitive_distance.hpp"
#include "planner_ccd/hierarchy/queries.hpp"
#include "support/scale.hpp"

/// Clouds of points and maps of cells as bodies, compared with brute force in extended precision.
namespace planner_ccd {
namespace {

using namespace grains;

TEST(Grains, VolumesHoldThem) {
  Source source{std::mt19937(testing::seeded(3))};
  for (const int count : {1, 2, 9, 300, 5000, 20000}) {
    SCOPED_TRACE(count);
    const std::vector<Vector3d> points = surface(source, count, 2.0);
    const auto cloud = std::make_shared<const PointCloud>(std::span<const Vector3d>(points), 0.02, "cloud");
    expect_enclosed(tree_of(cloud));
    expect_enclosed(tree_of(cloud, source.pose(5.0)));
    expect_enclosed(tree_of(random_cells(source, count, 0.05), source.pose(3.0)));
  }
  const std::vector<Vector3d> same(1000, Vector3d(1, 2, 3));
  expect_enclosed(tree_of(std::make_shared<const PointCloud>(std::span<const Vector3d>(same), 0.1, "one place")));
  std::vector<Vector3d> line;  // each half as far away as the previous one: the deepest possible tree
  for (int i = 0; i < 60; ++i) line.insert(line.end(), 20, Vector3d::Constant(std::ldexp(1.0, -i)));
  expect_enclosed(tree_of(std::make_shared<const PointCloud>(std::span<const Vector3d>(line), 0.1, "line")));
}

/// The bounds that a world uses for an object whose tree is not built yet.
TEST(Grains, BoundsAreKnownBeforeTheTree) {
  Source source{std::mt19937(testing::seeded(10))};
  for (int i = 0; i < 40; ++i) {
    SceneObject object{"o", {}, source.pose(3.0)};
    Shape shape = random_cells(source, 50, 0.05);
    if (i % 2 == 0) shape = std::make_shared<const PointCloud>(surface(source, 200, 1.0), 0.01, "cloud");
    object.geometry.push_back({shape, source.pose(2.0), "seen"});
    const BodyBounds before = planner_ccd::bounds_of(object);
    const SsvTree tree = SsvTree::build(placed(object.geometry, object.pose), "o");
    EXPECT_EQ(before.box.min(), tree.bounds().min());
    EXPECT_EQ(before.box.max(), tree.bounds().max());
    EXPECT_EQ(before.radius, tree.bounding_radius());
  }
}

/// The primitive contains the cell given by the integer keys, and hardly more.
TEST(Grains, CubesAreTheCellsOfTheMap) {
  Source source{std::mt19937(testing::seeded(4))};
  for (const double resolution : {0.05, 0.1, 1.0 / 3.0, 0.25}) {
    for (const int about : {CellMap::kMiddle, 200, 60000}) {
      const CellsPtr map = random_cells(source, 200, resolution, about);
      const SsvTree tree = tree_of(map);
      for (int i = 0; i < map->size(); ++i) {
        Vec lo, hi;
        bounds_of(*map, i, lo, hi);
        const Primitive p = tree.primitive(i);
        const Vec c = p.corners[0].cast<Real>();
        const Real half = p.corners[1].cast<Real>().norm(), off = ((lo + hi) / 2 - c).norm();
        ASSERT_NEAR(static_cast<double>(half - (hi[0] - lo[0]) / 2), 0.0, 1e-14);
        ASSERT_LE(off, static_cast<Real>(p.radius));
        ASSERT_LE(p.radius, 1e-11);
      }
    }
  }
}

Real ball_triangle(const Vec& p, const Vec (&t)[3]) {
  // the nearest point of a triangle by halving: of the plane if inside, else of the edges
  const Vec n = (t[1] - t[0]).cross(t[2] - t[0]);
  Real best = std::numeric_limits<Real>::infinity();
  bool within = n.squaredNorm() > 0;
  for (int k = 0; k < 3; ++k) {
    const Vec e = t[(k + 1) % 3] - t[k];
    within = within && n.cross(e).dot(p - t[k]) >= 0;
    const Real s = e.squaredNorm() > 0 ? std::clamp<Real>((p - t[k]).dot(e) / e.squaredNorm(), 0, 1) : 0;
    best = std::min(best, (p - t[k] - s * e).norm());
  }
  return within ? std::min(best, std::abs(n.dot(p - t[0])) / n.norm()) : best;
}

TEST(Grains, DistancesOfCloudsAreThoseOfAllPoints) {
  Source source{std::mt19937(testing::seeded(5))};
  const TriangleMesh mesh = synthetic::torus_knot(30, 6);
  Geometry g;
  g.shape = std::make_shared<const TriangleMesh>(mesh);
  const SsvTree knot = SsvTree::build({g}, "knot");
  int apart = 0, near = 0;
  const int count = testing::scaled(40, 10);
  for (int i = 0; i < count; ++i) {
    const std::vector<Vector3d> points = surface(source, 400, source.uniform(0.1, 1.5));
    const double radius = source.uniform(0.001, 0.05);
    const auto cloud = std::make_shared<const PointCloud>(std::span<const Vector3d>(points), radius, "cloud");
    const Pose in_body = source.pose(0.3);
    const SsvTree tree = tree_of(cloud, in_body);
    const Isometry3d X_A = source.pose(1.5), X_B = source.pose(1.5);
    Real truth = std::numeric_limits<Real>::infinity();
    for (const Vector3d& given : points) {
      const Vec p = unplaced(X_B, placed(X_A, placed(Isometry3d(in_body.matrix()), given.cast<Real>())));
      for (const Eigen::Vector3i& t : mesh.triangles) {
        const Vec corners[3] = {mesh.vertices[t[0]].cast<Real>(), mesh.vertices[t[1]].cast<Real>(),
                                mesh.vertices[t[2]].cast<Real>()};
        truth = std::min(truth, ball_triangle(p, corners) - static_cast<Real>(cloud->ball_radius()));
      }
    }
    if (truth <= 0) {  // a point may be inside
      ++near;
      EXPECT_TRUE(collide(tree, X_A, knot, X_B).collide);
      EXPECT_TRUE(collide(knot, X_B, tree, X_A).collide);
      continue;
    }
    if (one_contains_other(tree, knot, PairFrame(tree, X_A, knot, X_B))) continue;
    ++apart;
    // stored points are off by at most the growth of the radius, on either side
    const DistanceResult d = distance(tree, X_A, knot, X_B);
    const Real moved = static_cast<Real>(cloud->ball_radius() - radius);
    ASSERT_LE(d.lower, truth + moved + 1e-14L);
    ASSERT_GE(d.upper, truth - moved - 1e-12L);
    ASSERT_LE(d.upper - d.lower, 1e-9);
    const DistanceResult e = distance(knot, X_B, tree, X_A);
    ASSERT_LE(e.lower, truth + moved + 1e-14L);
    ASSERT_GE(e.upper, truth - moved - 1e-12L);
  }
  std::printf("seed 5: %d apart, %d touching\n", apart, near);
  EXPECT_GE(apart, count / 10);
  EXPECT_GE(near, count / 10);
}

TEST(Grains, DistancesOfCellsAreThoseOfAllCells) {
  Source source{std::mt19937(testing::seeded(6))};
  int apart = 0, near = 0;
  const int count = testing::scaled(300, 60);
  for (int i = 0; i < count; ++i) {
    const CellsPtr map = random_cells(source, 60, source.uniform(0.01, 0.1));
    const SsvTree tree = tree_of(map);
    const double radius = source.uniform(0.001, 0.2);
    Geometry g;
    g.shape = Sphere{radius};
    const SsvTree ball = SsvTree::build({g}, "ball");
    const Isometry3d X_A = source.pose(2.0);
    Isometry3d X_B = source.pose(2.0);
    if (i % 2 == 0) X_B.translation() = X_A * Vector3d(map->center(source.integer(0, 59)) + source.vector(0.2));
    const Vec c = unplaced(X_A, X_B.translation().cast<Real>());
    Real truth = std::numeric_limits<Real>::infinity();
    for (int k = 0; k < map->size(); ++k) {
      Vec lo, hi;
      bounds_of(*map, k, lo, hi);
      truth = std::min(truth, (c - c.cwiseMax(lo).cwiseMin(hi)).norm() - static_cast<Real>(radius));
    }
    truth = std::max<Real>(truth, 0);
    (truth > 0 ? apart : near)++;
    expect_distance({tree, X_A}, {ball, X_B}, truth, "draw " + std::to_string(i));
  }
  std::printf("seed 6: %d apart, %d touching\n", apart, near);
  EXPECT_GE(apart, count / 10);
  EXPECT_GE(near, count / 20);
}

/// A point of the mesh and one of the cube are as near as the reported distance of triangle and cube: sampling the
/// triangle finds no smaller distance.
TEST(Grains, CubesAndTrianglesAgreeWithSamples) {
  Source source{std::mt19937(testing::seeded(7))};
  int apart = 0;
  const int count = testing::scaled(200, 40);
  for (int i = 0; i < count; ++i) {
    const CellsPtr map = random_cells(source, 5, 0.1);
    const SsvTree tree = tree_of(map);
    auto mesh = std::make_shared<TriangleMesh>();
    mesh->vertices = {source.vector(5.0), source.vector(5.0), source.vector(5.0)};
    mesh->triangles = {{0, 1, 2}};
    Geometry g;
    g.shape = MeshPtr(mesh);
    const SsvTree triangle = SsvTree::build({g}, "triangle");
    const Isometry3d X_A = source.pose(2.0), X_B = source.pose(2.0);
    const DistanceResult d = distance(tree, X_A, triangle, X_B);
    Real least = std::numeric_limits<Real>::infinity();
    for (int u = 0; u <= 60; ++u) {
      for (int v = 0; u + v <= 60; ++v) {
        const Vector3d p = (u * mesh->vertices[0] + v * mesh->vertices[1] + (60 - u - v) * mesh->vertices[2]) / 60.0;
        const Vec c = unplaced(X_A, placed(X_B, p.cast<Real>()));
        for (int k = 0; k < map->size(); ++k) {
          Vec lo, hi;
          bounds_of(*map, k, lo, hi);
          least = std::min(least, (c - c.cwiseMax(lo).cwiseMin(hi)).norm());
        }
      }
    }
    ASSERT_LE(d.lower, least + 1e-14L);
    ASSERT_GE(d.upper, least - 0.3L) << "samples are no farther apart";
    ASSERT_LE(d.upper - d.lower, 1e-9);
    apart += least > 0;
  }
  EXPECT_GE(apart, count / 10);
}

TEST(Grains, AreFoundInsideOfMeshes) {
  Source source{std::mt19937(testing::seeded(8))};
  Geometry g;
  g.shape = std::make_shared<const TriangleMesh>(synthetic::bumpy_sphere(24, 12));  // a radius of about 1
  const SsvTree solid = SsvTree::build({g}, "solid");
  for (int i = 0; i < 60; ++i) {
    std::vector<Vector3d> points;
    for (int k = 0; k < 500; ++k) points.push_back(source.uniform(1.5, 3.0) * source.vector(1.0).normalized());
    const bool nested = i % 2 == 0;
    if (nested) points[static_cast<std::size_t>(source.integer(0, 499))] = source.vector(0.3);
    const bool cells = i % 4 < 2;
    Shape shape;
    if (cells) {
      std::vector<OctreeCell> all;
      for (const Vector3d& p : points) {
        OctreeCell c;
        for (int k = 0; k < 3; ++k) {
          c.key[static_cast<std::size_t>(k)] = static_cast<std::uint16_t>(CellMap::kMiddle + std::floor(p[k] / 0.01));
        }
        all.push_back(c);
      }
      shape = std::make_shared<const CellMap>(std::move(all), 0.01, "cells");
    } else {
      shape = std::make_shared<const PointCloud>(std::span<const Vector3d>(points), 0.01, "cloud");
    }
    const SsvTree tree = tree_of(shape);
    const Isometry3d X = source.pose(3.0);
    const CollideResult c = collide(tree, X, solid, X), d = collide(solid, X, tree, X);
    EXPECT_EQ(c.collide, nested);
    EXPECT_EQ(c.contained, nested);
    EXPECT_EQ(d.contained, nested);
    EXPECT_EQ(collide(tree, X, tree_of(shape), X).contained, false) << "grains enclose nothing";
  }
}

TEST(Grains, AMillionPointsTakeLittleMemory) {
  Source source{std::mt19937(9)};
  std::vector<Vector3f> points;
  for (const Vector3d& p : surface(source, 1'000'000, 2.0)) points.push_back(p.cast<float>());
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto start = now();
  const auto cloud = std::make_shared<const PointCloud>(std::span<const Vector3f>(points), 0.004, "cloud");
  const auto sorted = now();
  const SsvTree tree = tree_of(cloud);
  const auto built = now();
  const double bytes = 16.0 + static_cast<double>(tree.memory()) / 1e6;
  std::printf("%.1f bytes a point; sorted in %.3f s, built in %.3f s\n", bytes,
              std::chrono::duration<double>(sorted - start).count(),
              std::chrono::duration<double>(built - sorted).count());
  EXPECT_LE(bytes, 40.0);
}

/// Rounding grows a cube all around.
TEST(Grains, CubesAreGrownByTheirRadius) {
  Primitive cube{
      PrimitiveKind::Cube, {Vector3d(0.0, 0.0, 0.0), Vector3d(0.5, 0.0, 0.0), Vector3d(0.0, 0.5, 0.0)}, 0.125, 0, 0};
  Primitive point{PrimitiveKind::RoundedTriangle, {}, 0.25, 0, -1};
  for (Vector3d& c : point.corners) c = Vector3d(2.0, 0.1, -0.2);
  const PrimitiveDistance d = primitive_distance(cube, point), back = primitive_distance(point, cube);
  EXPECT_LE(d.lower, 1.125);
  EXPECT_NEAR(d.lower, 1.125, 1e-12);
  EXPECT_LE(back.lower, 1.125);
  EXPECT_NEAR(back.upper, 1.125, 1e-12);
  EXPECT_FALSE(primitive_gap_exceeds(cube, point, 1.13));
  EXPECT_TRUE(primitive_gap_exceeds(cube, point, 1.12));
}

}  // namespace
}  // namespace planner_ccd
