#include "planner_ccd/geometry/cell_map.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "planner_ccd/geometry/space_curve.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

void require_room(std::size_t count, const std::string& name) {
  if (count == 0) throw InputError(name + ": no cell of it is an obstacle; leave the object out");
  if (count > CellMap::kMostCells) {
    throw InputError(name + ": " + std::to_string(count) + " cells; at most " + std::to_string(CellMap::kMostCells) +
                     " are taken, so make it coarser");
  }
}

/// Ordered along the curve.
template <typename Cell, typename Place>
std::vector<Cell> in_order(const std::vector<Cell>& cells, const Place& place) {
  std::vector<std::pair<std::uint64_t, std::int32_t>> order;
  order.reserve(cells.size());
  for (const Cell& cell : cells) order.emplace_back(place(cell), static_cast<std::int32_t>(order.size()));
  sort_by_place(order);
  std::vector<Cell> sorted;
  sorted.reserve(cells.size());
  for (const auto& [at, i] : order) sorted.push_back(cells[i]);
  return sorted;
}

std::uint64_t place(const OctreeCell& c) { return place_on_curve({c.key[0], c.key[1], c.key[2]}); }
std::uint64_t place(const HeightField::Column& c) { return place_on_curve({c.x, c.y, 0}); }

}  // namespace

CellMap::CellMap(std::vector<OctreeCell> cells, double resolution, const std::string& name) : resolution_(resolution) {
  if (!(resolution > 1e-9) || !(resolution * kMiddle <= kMaxCoordinate)) {
    throw InputError(name + ": the resolution must be a positive number of metres below 300, not " +
                     std::to_string(resolution));
  }
  require_room(cells.size(), name);
  for (const OctreeCell& cell : cells) {
    const bool aligned = cell.level <= kLevels && std::all_of(cell.key.begin(), cell.key.end(), [&](std::uint32_t k) {
                           return (k & ((1u << cell.level) - 1u)) == 0;
                         });
    if (!aligned) throw InputError(name + ": a cell that is none of the octree's");
    unknown_count_ += cell.unknown ? 1 : 0;
  }
  cells_ = in_order(cells, [](const OctreeCell& cell) { return place(cell); });
}

CellMap::CellMap(HeightField field, const std::string& name) : field_(std::move(field)) {
  HeightField& f = *field_;
  require_room(f.columns.size(), name);
  bool sound = f.pixel >= 1e-6 && f.pixel * f.row_length <= kMaxCoordinate && f.row_length >= 2 && f.left_out >= 0 &&
               std::abs(f.floor) <= 2.0 * kMaxCoordinate && std::abs(f.top) <= 2.0 * kMaxCoordinate;
  for (const HeightField::Column& c : f.columns) {
    const bool unknown = std::isinf(c.height);
    const double height = unknown ? f.top : static_cast<double>(c.height);
    sound = sound && height - f.floor >= (1.0 - 1e-9) * f.pixel && height <= 2.0 * kMaxCoordinate &&
            c.x < f.row_length - 1 && std::int64_t{c.y} * f.row_length < static_cast<std::int64_t>(kMostHeights);
    unknown_count_ += unknown ? 1 : 0;
  }
  if (!sound) throw InputError(name + ": what was stored is no height field");
  f.columns = in_order(f.columns, [](const HeightField::Column& column) { return place(column); });
}

bool CellMap::unknown(int i) const { return field_ ? std::isinf(field_->columns[i].height) : cell(i).unknown; }

int CellMap::number(int i) const {
  if (!field_) return i;
  const HeightField::Column& c = field_->columns[i];
  return c.y * field_->row_length + c.x;
}

int CellMap::find(int number) const {
  if (!field_) return number >= 0 && number < size() ? number : -1;
  for (int i = 0; i < size(); ++i) {
    if (this->number(i) == number) return i;
  }
  return -1;
}

double CellMap::upper_end(int i) const {
  const float height = field_->columns[i].height;
  return std::isinf(height) ? field_->top : static_cast<double>(height);
}

Eigen::Vector3d CellMap::half_edges(int i) const {
  if (!field_) return Eigen::Vector3d::Constant(std::ldexp(resolution_, cell(i).level - 1));
  const double half = 0.5 * field_->pixel;
  return {half, half, 0.5 * (upper_end(i) - field_->floor)};
}

/// Keys, their halves, and places of columns are exact; a coordinate is one product, or one sum.
Eigen::Vector3d CellMap::center(int i) const {
  if (field_) {
    const HeightField::Column& c = field_->columns[i];
    return {(c.x + 0.5) * field_->pixel, (c.y + 0.5) * field_->pixel, 0.5 * (upper_end(i) + field_->floor)};
  }
  const OctreeCell& c = cell(i);
  const double half = std::ldexp(0.5, c.level);
  Eigen::Vector3d center;
  for (int k = 0; k < 3; ++k) {
    center[k] = (static_cast<double>(c.key[k]) - kMiddle + half) * resolution_;
  }
  return center;
}

/// Each coordinate of the centre is within u of its size, and the vector within twice that of the greatest. A column's
/// height is within u of its own.
double CellMap::rounding(int i) const {
  const double far = center(i).cwiseAbs().maxCoeff();
  return 2.0 * kUnitRoundoff * (field_ ? far + half_edges(i)[2] : far);
}

/// The root of 3 is below 1.73206, that of 2 below 1.41422.
double CellMap::reach(int i) const {
  const Eigen::Vector3d half = half_edges(i);
  return (field_ ? std::hypot(1.4143 * half[0], half[2]) * kRoundUp : 1.7321 * half[0]) + rounding(i);
}

std::uint64_t CellMap::place_on_curve(int i) const { return field_ ? place(field_->columns[i]) : place(cell(i)); }

}  // namespace planner_ccd
