#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"
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

}  // namespace planner_ccd::grains
