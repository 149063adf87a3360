#include "planner_ccd/geometry/cell_map.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/geometry/space_curve.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {

CellMap::CellMap(std::vector<OctreeCell> cells, double resolution, const std::string& name) : resolution_(resolution) {
  if (!(resolution > 1e-9) || !(resolution * kMiddle <= kMaxCoordinate)) {
    throw InputError(name + ": the resolution must be a positive number of metres below 300, not " +
                     std::to_string(resolution));
  }
  if (cells.empty()) throw InputError(name + ": no cell of it is an obstacle; leave the object out");
  if (cells.size() > kMostCells) {
    throw InputError(name + ": " + std::to_string(cells.size()) + " cells; at most " + std::to_string(kMostCells) +
                     " are taken, so make it coarser");
  }
  std::vector<std::pair<std::uint64_t, std::int32_t>> order;
  order.reserve(cells.size());
  for (const OctreeCell& cell : cells) {
    const bool aligned = cell.level <= kLevels && std::all_of(cell.key.begin(), cell.key.end(), [&](std::uint32_t k) {
                           return (k & ((1u << cell.level) - 1u)) == 0;
                         });
    if (!aligned) throw InputError(name + ": a cell that is none of the octree's");
    unknown_count_ += cell.unknown ? 1 : 0;
    order.emplace_back(planner_ccd::place_on_curve({cell.key[0], cell.key[1], cell.key[2]}),
                       static_cast<std::int32_t>(order.size()));
  }
  sort_by_place(order);
  cells_.reserve(cells.size());
  for (const auto& [place, i] : order) cells_.push_back(cells[static_cast<std::size_t>(i)]);
}

double CellMap::half_edge(int i) const { return std::ldexp(resolution_, cell(i).level - 1); }

/// Keys and their halves are exact; a coordinate is one product.
Eigen::Vector3d CellMap::center(int i) const {
  const OctreeCell& c = cell(i);
  const double half = std::ldexp(0.5, c.level);
  Eigen::Vector3d center;
  for (int k = 0; k < 3; ++k) {
    center[k] = (static_cast<double>(c.key[static_cast<std::size_t>(k)]) - kMiddle + half) * resolution_;
  }
  return center;
}

/// Each coordinate is within u of its size, and the vector within twice that of the greatest.
double CellMap::rounding(int i) const { return 2.0 * kUnitRoundoff * center(i).cwiseAbs().maxCoeff(); }

std::uint64_t CellMap::place_on_curve(int i) const {
  const OctreeCell& c = cell(i);
  return planner_ccd::place_on_curve({c.key[0], c.key[1], c.key[2]});
}

}  // namespace planner_ccd
