#include "planner_ccd/geometry/scans.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/rounding.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

template <typename T>
double load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return static_cast<double>(value);
}

void require_few(std::size_t count, const char* what, const std::string& name) {
  if (count <= kMostScanShapes) return;
  throw InputError(name + ": " + std::to_string(count) + " " + what + "; at most " + std::to_string(kMostScanShapes) +
                   " are taken, so make it coarser");
}

/// What a box must be wider by on either side, so that its faces, placed at the rounded centre and rounded again, are not within those
/// of the cell: they err by less than u of |centre| and u of |centre| + half. 0 where nothing is rounded.
double rounding(double keys, double resolution, double center, double half) {
  const auto is_exact = [](double a, double b) {  // a + b, by its error (Knuth)
    const double sum = a + b, of_b = sum - a;
    return (a - (sum - of_b)) + (b - of_b) == 0.0;
  };
  if (std::fma(keys, resolution, -center) == 0.0 && is_exact(center, half) && is_exact(center, -half)) return 0.0;
  return 4.0 * kUnitRoundoff * (std::abs(center) + half);
}

}  // namespace

Vector3d PointView::operator[](std::size_t i) const {
  const char* at = static_cast<const char*>(first) + static_cast<std::ptrdiff_t>(i) * point_step;
  Vector3d p = Vector3d::Zero();
  for (int k = 0; k < 3; ++k, at += coordinate_step) {
    p[k] = scalar == Scalar::Float32 ? load<float>(at) : load<double>(at);
  }
  return p;
}

Cloud balls_at(const PointView& points, double radius, const std::string& name) {
  if (!(radius > 0.0) || !(radius <= kMaxCoordinate)) {
    throw InputError(name + ": the radius of its points must be a positive number of metres, not " +
                     std::to_string(radius));
  }
  Cloud cloud;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < points.count; ++i) {
    const Vector3d p = points[i];
    if (!p.allFinite()) continue;
    if (p.cwiseAbs().maxCoeff() > kMaxCoordinate) {
      throw InputError(name + ": point " + std::to_string(i) + " lies beyond 1e7 m");
    }
    kept.push_back(i);
  }
  require_few(kept.size(), "points", name);
  cloud.left_out = points.count - kept.size();
  if (kept.empty()) {
    throw InputError(name + ": it has no points" +
                     (points.count == 0 ? "" : " but " + std::to_string(points.count) + " that are not finite"));
  }
  cloud.balls.reserve(kept.size());
  for (const std::size_t i : kept) {
    Geometry ball{Sphere{radius}, Pose::Identity(), "point " + std::to_string(i)};
    ball.pose.translation() = points[i];
    cloud.balls.push_back(std::move(ball));
  }
  return cloud;
}

/// Keys and their halves are exact, and half of an edge is the resolution times a power of two.
std::vector<Geometry> cubes_of(std::span<const OctreeCell> cells, double resolution, const std::string& name) {
  if (!(resolution > 1e-9) || !(resolution * OctreeCell::kMiddle <= kMaxCoordinate)) {
    throw InputError(name + ": the resolution must be a positive number of metres below 300, not " +
                     std::to_string(resolution));
  }
  if (cells.empty()) throw InputError(name + ": no cell of it is an obstacle; leave the object out");
  require_few(cells.size(), "cells", name);
  std::vector<Geometry> cubes;
  cubes.reserve(cells.size());
  for (const OctreeCell& cell : cells) {
    const bool aligned = cell.level <= OctreeCell::kLevels &&
                         std::all_of(cell.key.begin(), cell.key.end(),
                                     [&](std::uint32_t key) { return (key & ((1u << cell.level) - 1u)) == 0; });
    if (!aligned) throw InputError(name + ": a cell that is none of the octree's");
    const double half_cells = std::ldexp(0.5, cell.level), half = half_cells * resolution;
    Box box{Vector3d::Zero()};
    Geometry cube{box, Pose::Identity(), cell.unknown ? "unknown cell" : "occupied cell"};
    for (int k = 0; k < 3; ++k) {
      const double middle =
          static_cast<double>(cell.key[static_cast<std::size_t>(k)]) - OctreeCell::kMiddle + half_cells;
      const double center = middle * resolution;
      cube.pose.translation()[k] = center;
      const double wider = rounding(middle, resolution, center, half);
      box.size[k] = 2.0 * (wider > 0.0 ? add_up(half, wider) : half);
    }
    cube.shape = box;
    cubes.push_back(std::move(cube));
  }
  return cubes;
}

}  // namespace planner_ccd
