#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "planner_ccd/io/octomap_file.hpp"
#include "planner_ccd/io/text.hpp"

namespace planner_ccd {
namespace {

using Cells = std::vector<const OctreeCell*>;

/// Everything that is none of the cells is free, so a cube without cells is a free leaf.
class MapWriter {
 public:
  /// Two bits for each child of a cube, then those that have children themselves, in order.
  void write_children(const std::array<int, 3>& key, int level, const Cells& cells) {
    enum : unsigned { Unknown, Free, Occupied, Inner };
    const int half = 1 << (level - 1);
    std::array<Cells, 8> parts;
    std::array<unsigned, 8> what{};
    unsigned bits = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      const std::array<int, 3> corner = child(key, half, i);
      for (const OctreeCell* cell : cells) {
        if (meet(*cell, corner, half)) parts[i].push_back(cell);
      }
      what[i] = parts[i].empty() ? Free : Inner;
      for (const OctreeCell* cell : parts[i]) {
        if (cell->level >= level - 1) what[i] = cell->unknown ? Unknown : Occupied;
        if (what[i] == Occupied) break;
      }
      nodes_ += what[i] != Unknown ? 1 : 0;
      bits |= what[i] << (2 * i);
    }
    bytes_ += static_cast<char>(bits & 0xFF);
    bytes_ += static_cast<char>(bits >> 8);
    for (std::size_t i = 0; i < 8; ++i) {
      if (what[i] == Inner) write_children(child(key, half, i), level - 1, parts[i]);
    }
  }
  const std::string& bytes() const { return bytes_; }
  std::size_t nodes() const { return nodes_; }

 private:
  std::string bytes_;
  std::size_t nodes_ = 1;  // the root

  static std::array<int, 3> child(std::array<int, 3> key, int half, std::size_t i) {
    for (std::size_t k = 0; k < 3; ++k) key[k] += (i >> k & 1) != 0 ? half : 0;
    return key;
  }
  static bool meet(const OctreeCell& cell, const std::array<int, 3>& corner, int edge) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int low = cell.key[k];
      if (low >= corner[k] + edge || low + (1 << cell.level) <= corner[k]) return false;
    }
    return true;
  }
};

/// The box around the unknown cells; empty if there are none.
std::optional<OctomapRegion> region_of(const Cells& cells, double resolution) {
  Eigen::Vector3d low = Eigen::Vector3d::Constant(CellMap::kMiddle), high = -low;
  for (const OctreeCell* cell : cells) {
    if (!cell->unknown) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto axis = static_cast<Eigen::Index>(k);
      const double begin = static_cast<double>(cell->key[k]) - CellMap::kMiddle;
      low[axis] = std::min(low[axis], begin);
      high[axis] = std::max(high[axis], begin + std::ldexp(1.0, cell->level));
    }
  }
  if (high[0] < low[0]) return std::nullopt;
  return OctomapRegion{low * resolution, high * resolution};
}

}  // namespace

OctomapText format_octomap(const CellMap& map) {
  Cells cells;
  for (int i = 0; i < map.size(); ++i) cells.push_back(&map.cell(i));
  MapWriter writer;
  writer.write_children({0, 0, 0}, CellMap::kLevels, cells);
  OctomapText out;
  out.options.region = region_of(cells, map.resolution());
  out.options.unknown_is_free = !out.options.region;
  out.bytes = "# Octomap OcTree binary file\nid OcTree\nsize " + std::to_string(writer.nodes()) + "\nres " +
              format_number(map.resolution()) + "\ndata\n" + writer.bytes();
  return out;
}

}  // namespace planner_ccd
