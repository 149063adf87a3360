#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/geometry/shape.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// A cube of an octree in octomap's keys: along each axis the cells [key, key + 2^level) of 2^16; cell 2^15 begins at
/// coordinate 0. Level 0 is the finest.
struct OctreeCell {
  std::array<std::uint16_t, 3> key{};
  std::uint8_t level = 0;
  bool unknown = false;  ///< Never observed; otherwise occupied.

  bool operator==(const OctreeCell&) const = default;
};

/// Solid cubes of an octree. Immutable, shared by all objects and checkers that use it. 8 bytes per cell.
class CellMap {
 public:
  static constexpr int kLevels = 16;
  static constexpr int kMiddle = 1 << (kLevels - 1);  ///< The cell that begins at coordinate 0.
  static constexpr std::size_t kMostCells = 4'000'000;

  /// Throws InputError, naming `name`, for no cells or too many, a cell outside the octree, or a resolution that is not
  /// positive or too large.
  CellMap(std::vector<OctreeCell> cells, double resolution, const std::string& name);

  double resolution() const { return resolution_; }  ///< [m] Edge of the finest cells.
  int size() const { return static_cast<int>(cells_.size()); }
  int unknown_count() const { return unknown_count_; }
  /// Cells are reordered: neighbours in space mostly have near indices.
  const OctreeCell& cell(int i) const { return cells_[static_cast<std::size_t>(i)]; }

  double half_edge(int i) const;  ///< [m] Exact.
  /// Each coordinate is rounded once.
  Eigen::Vector3d center(int i) const;
  /// [m] The cell lies within this distance of the cube of half_edge() about center().
  double rounding(int i) const;
  /// [m] Radius of a ball about center() that holds the cell, wherever both are placed.
  double reach(int i) const { return 1.7321 * half_edge(i) + rounding(i); }  // the root of 3 is below 1.73206
  /// 48-bit position of a cell on the curve that orders them; grows with i.
  std::uint64_t place_on_curve(int i) const;

  friend bool operator==(const CellMap& a, const CellMap& b) {
    return a.resolution_ == b.resolution_ && a.cells_ == b.cells_;
  }

 private:
  std::vector<OctreeCell> cells_;
  double resolution_;
  int unknown_count_ = 0;
};

}  // namespace planner_ccd
#pragma GCC visibility pop
