#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "planner_ccd/geometry/shape.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

// What sensors saw, as shapes of one object.

/// The most points or cells in one object: each takes about 500 bytes once it is checked. A finer scan must be thinned.
inline constexpr std::size_t kMostScanShapes = 200'000;

/// Points somewhere in memory: coordinate k of point i stands `i * point_step + k * coordinate_step` bytes after `first`, at any
/// alignment.
struct PointView {
  enum class Scalar : std::uint8_t { Float32, Float64 };

  const void* first = nullptr;
  std::size_t count = 0;
  Scalar scalar = Scalar::Float32;
  std::ptrdiff_t point_step = 0;
  std::ptrdiff_t coordinate_step = 0;

  PointView() = default;
  PointView(std::span<const Eigen::Vector3f> points)
      : first(points.data()), count(points.size()), point_step(sizeof(Eigen::Vector3f)), coordinate_step(4) {}
  PointView(std::span<const Eigen::Vector3d> points)
      : first(points.data()),
        count(points.size()),
        scalar(Scalar::Float64),
        point_step(sizeof(Eigen::Vector3d)),
        coordinate_step(8) {}
  PointView(const std::vector<Eigen::Vector3f>& points) : PointView(std::span<const Eigen::Vector3f>(points)) {}
  PointView(const std::vector<Eigen::Vector3d>& points) : PointView(std::span<const Eigen::Vector3d>(points)) {}

  Eigen::Vector3d operator[](std::size_t i) const;
};

/// Every point a ball, in their order; Geometry::source is "point 17", by the number among all that were given.
struct Cloud {
  std::vector<Geometry> balls;
  std::size_t left_out =
      0;  ///< Points of which a coordinate is NaN or infinite, as cameras give where they saw nothing.
};
/// Throws InputError, naming `name`, when no point is left or more than kMostScanShapes are, for one beyond 1e7 m, and for a radius
/// that is not a positive number of metres.
Cloud balls_at(const PointView& points, double radius, const std::string& name);

/// A cube of an octree as octomap counts them: along each axis the cells [key, key + 2^level) of 2^16, of which cell 2^15 begins
/// at 0. Level 0 is the finest.
struct OctreeCell {
  static constexpr int kLevels = 16;
  static constexpr int kMiddle = 1 << (kLevels - 1);  ///< The cell that begins at 0.

  std::array<std::uint16_t, 3> key{};
  std::uint8_t level = 0;
  bool unknown = false;  ///< Nobody has looked there; else something was seen.

  bool operator==(const OctreeCell&) const = default;
};
/// Every cell a box, in their order; Geometry::source is "occupied cell" or "unknown cell". A box holds its cell, computed from the
/// whole numbers, and is wider by rounding at most. `resolution`: the edge of the finest cells [m]. Throws InputError, naming
/// `name`, for no cells or more than kMostScanShapes, one that is none of the octree, or a resolution that is not a positive number or too large.
std::vector<Geometry> cubes_of(std::span<const OctreeCell> cells, double resolution, const std::string& name);

}  // namespace planner_ccd
#pragma GCC visibility pop
