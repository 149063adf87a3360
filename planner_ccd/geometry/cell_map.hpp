#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "planner_ccd/geometry/height_field.hpp"
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

/// Solid cubes of an octree, or columns of a height field. Immutable, shared by all objects and checkers that use it. 8
/// bytes per cell.
class CellMap {
 public:
  static constexpr int kLevels = 16;
  static constexpr int kMiddle = 1 << (kLevels - 1);  ///< The cell that begins at coordinate 0.
  static constexpr std::size_t kMostCells = 4'000'000;
  static constexpr std::size_t kMostHeights = 16'000'000;  ///< Of a field; those of columns left out count, too.

  /// Throws InputError, naming `name`, for no cells or too many, a cell outside the octree, or a resolution that is not
  /// positive or too large.
  CellMap(std::vector<OctreeCell> cells, double resolution, const std::string& name);
  /// Throws InputError for no columns or too many, and for one that no make_height_field() gives.
  CellMap(HeightField field, const std::string& name);

  int size() const { return static_cast<int>(field_ ? field_->columns.size() : cells_.size()); }
  int unknown_count() const { return unknown_count_; }
  bool unknown(int i) const;  ///< An obstacle because nobody knows.
  /// How contacts name a cell: its index, or that of the first of a column's four heights in the input.
  int number(int i) const;
  /// The index of the cell of this number; -1 if there is none.
  int find(int number) const;

  // Cells are reordered: neighbours in space mostly have near indices.
  const OctreeCell& cell(int i) const { return cells_[i]; }  ///< Of an octree.
  double resolution() const { return resolution_; }          ///< [m] Of an octree: edge of the finest cells.
  const HeightField* field() const { return field_ ? &*field_ : nullptr; }  ///< Null for an octree.

  /// [m] Half the edges, the third at least as long as the others, which are equal. Exact for an octree.
  Eigen::Vector3d half_edges(int i) const;
  Eigen::Vector3d center(int i) const;
  /// [m] The cell lies within this distance of the box of half_edges() about center().
  double rounding(int i) const;
  /// [m] Radius of a ball about center() that holds the cell, wherever both are placed.
  double reach(int i) const;
  /// 48-bit position of a cell on the curve that orders them; grows with i.
  std::uint64_t place_on_curve(int i) const;

  friend bool operator==(const CellMap& a, const CellMap& b) {
    return a.resolution_ == b.resolution_ && a.cells_ == b.cells_ && a.field_ == b.field_;
  }

 private:
  std::vector<OctreeCell> cells_;
  std::optional<HeightField> field_;
  double resolution_ = 0.0;
  int unknown_count_ = 0;

  double upper_end(int i) const;  ///< Of a column.
};

}  // namespace planner_ccd
#pragma GCC visibility pop
