#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/io/loaded.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// [m] A box in the map's frame. Faces within 1e-9 of a cell of a cell boundary count as lying on it.
struct OctomapRegion {
  Eigen::Vector3d min, max;
};

/// What unknown cells count as. By default all unknown space in `region` is an obstacle, and so is the rest of the
/// finest cells that reach into it.
struct OctomapOptions {
  bool unknown_is_free = false;
  std::optional<OctomapRegion> region = std::nullopt;  ///< Required unless unknown_is_free.
};

/// The cells of an octomap that are obstacles.
struct Octomap {
  std::vector<OctreeCell> cells;
  double resolution = 0.0;  ///< [m]
};

/// The occupied cells (.bt, or .ot of an OcTree or ColorOcTree), wherever they are, and the unknown ones. A leaf that
/// the map has pruned is one cell. Occupied: probability 0.5 or more, octomap's own threshold. Throws InputError for
/// malformed, truncated or overlong data, for more than CellMap::kMostCells cells, and for a region that is empty or
/// larger than a map of this resolution.
Octomap parse_octomap(std::string_view bytes, const OctomapOptions& options, const std::string& name);
/// Loads a file as a shape.
Loaded<CellsPtr> load_octomap(const std::string& path, const OctomapOptions& options);

/// A map as a .bt file, and the options with which parse_octomap gives its cells again: the region is the box around the unknown
/// ones, and all other space is free in the file. Cells within others are not written.
struct OctomapText {
  std::string bytes;
  OctomapOptions options;
};
OctomapText format_octomap(const CellMap& map);

}  // namespace planner_ccd
#pragma GCC visibility pop
