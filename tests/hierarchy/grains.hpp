#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"
#include "planner_ccd/hierarchy/queries.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"

/// Clouds and maps for tests, and the meaning of their numbers in extended precision.
namespace planner_ccd::grains {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using Eigen::Vector3f;
using Real = long double;
using Vec = Eigen::Matrix<Real, 3, 1>;

struct Source {
  std::mt19937 rng;

  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(rng); }
  int integer(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(rng); }
  Vector3d vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Isometry3d pose(double size) {
    Isometry3d X = Isometry3d::Identity();
    X.linear() = Eigen::AngleAxisd(uniform(-3, 3), vector(1.0).normalized()).toRotationMatrix();
    X.translation() = vector(size);
    return X;
  }
};

inline SsvTree tree_of(Shape shape, const Pose& X = Pose::Identity()) {
  return SsvTree::build({{std::move(shape), X, "grains"}}, "grains");
}

/// On a bumpy plane, as seen by a camera, with some outliers.
inline std::vector<Vector3d> surface(Source& source, int count, double size) {
  std::vector<Vector3d> points;
  for (int i = 0; i < count; ++i) {
    const double x = source.uniform(-size, size), y = source.uniform(-size, size);
    points.push_back(i % 10 == 0
                         ? source.vector(size)
                         : Vector3d(x, y, 0.2 * size * std::sin(3.0 * x / size) + source.uniform(0, 0.01 * size)));
  }
  return points;
}

inline CellsPtr random_cells(Source& source, int count, double resolution, int about = CellMap::kMiddle) {
  std::vector<OctreeCell> cells;
  for (int i = 0; i < count; ++i) {
    OctreeCell c;
    c.level = static_cast<std::uint8_t>(source.integer(0, 3) == 0 ? source.integer(1, 4) : 0);
    c.unknown = source.integer(0, 1) == 0;
    for (std::uint16_t& k : c.key) {
      k = static_cast<std::uint16_t>((about + source.integer(-40, 40)) >> c.level << c.level);
    }
    cells.push_back(c);
  }
  return std::make_shared<const CellMap>(std::move(cells), resolution, "cells");
}

/// The faces of a cell, from its integer keys.
inline void bounds_of(const CellMap& map, int i, Vec& lo, Vec& hi) {
  const OctreeCell& c = map.cell(i);
  for (int k = 0; k < 3; ++k) {
    lo[k] = (static_cast<Real>(c.key[static_cast<std::size_t>(k)]) - 32768) * static_cast<Real>(map.resolution());
    hi[k] = lo[k] + static_cast<Real>(1 << c.level) * static_cast<Real>(map.resolution());
  }
}

inline Vec placed(const Isometry3d& X, const Vec& p) {
  return X.linear().cast<Real>() * p + X.translation().cast<Real>();
}
inline Vec unplaced(const Isometry3d& X, const Vec& p) {
  return X.linear().cast<Real>().transpose() * (p - X.translation().cast<Real>());
}

/// Volumes contain all grains below them, leaves name every grain once.
inline void expect_enclosed(const SsvTree& tree) {
  std::vector<std::pair<int, std::vector<int>>> stack{{0, {}}};
  int named = 0, worst = 0;
  std::vector<int> above;
  while (!stack.empty()) {
    const auto [node, path] = stack.back();
    stack.pop_back();
    std::vector<int> down = path;
    down.push_back(node);
    worst = std::max(worst, static_cast<int>(down.size()));
    if (!tree.is_leaf(node)) {
      stack.push_back({tree.right(node), down});
      stack.push_back({tree.left(node), down});
      continue;
    }
    ASSERT_EQ(tree.first_primitive(node), named) << "in their order";
    named += tree.primitive_count(node);
    for (int i = tree.first_primitive(node); i < named; ++i) {
      const Primitive p = tree.primitive(i);
      std::vector<std::pair<Vec, Real>> balls{{p.corners[0].cast<Real>(), static_cast<Real>(p.radius)}};
      if (p.kind == PrimitiveKind::Cube) {
        balls.clear();
        const Vec x = p.corners[1].cast<Real>(), y = p.corners[2].cast<Real>(), z = x.cross(y) / x.norm();
        for (int k = 0; k < 8; ++k) {
          balls.push_back(
              {p.corners[0].cast<Real>() + (k & 1 ? 1 : -1) * x + (k & 2 ? 1 : -1) * y + (k & 4 ? 1 : -1) * z,
               static_cast<Real>(p.radius)});
        }
      }
      for (const auto& [c, r] : balls) {
        ASSERT_LE((c - tree.bounding_center().cast<Real>()).norm() + r, static_cast<Real>(tree.bounding_radius()));
        for (const int up : down) {
          const Ssv v = tree.volume(up);
          Vec w = c - v.origin.cast<Real>();
          for (const Vector3d& e : {v.edge0, v.edge1}) {
            const Vec edge = e.cast<Real>();
            if (edge.squaredNorm() == 0) continue;
            w -= std::clamp<Real>(w.dot(edge) / edge.squaredNorm(), 0, 1) * edge;
          }
          ASSERT_LE(w.norm() + r, static_cast<Real>(v.radius) * (1 + 1e-15L)) << "node " << up << ", grain " << i;
        }
      }
    }
  }
  EXPECT_EQ(named, tree.primitive_count());
  EXPECT_LE(worst, SsvTree::kMaxDepth);
}

struct Posed {
  const SsvTree& tree;
  Isometry3d X;
};

inline void expect_distance(const Posed& grains, const Posed& mesh, Real truth, const std::string& where) {
  for (const bool turned : {false, true}) {
    const Posed &a = turned ? mesh : grains, &b = turned ? grains : mesh;
    const DistanceResult d = distance(a.tree, a.X, b.tree, b.X);
    ASSERT_LE(d.lower, truth + 1e-15L) << where;
    ASSERT_GE(d.upper, truth - 1e-12L) << where;
    ASSERT_LE(d.upper - d.lower, 1e-9) << where;
    for (const double margin : {0.0, 0.05}) {
      const CollideResult c = collide(a.tree, a.X, b.tree, b.X, {.margin = margin});
      ASSERT_TRUE(c.collide || truth > margin) << where;
      ASSERT_TRUE(!c.collide || truth < margin + 1e-9L) << where;
    }
  }
}

}  // namespace planner_ccd::grains
