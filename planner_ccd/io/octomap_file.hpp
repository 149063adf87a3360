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

/// [m] A box in the map's frame. Faces that lie on one between cells, to 1e-9 of a cell, are taken to be there.
struct OctomapRegion {
  Eigen::Vector3d min, max;
};

/// What counts where nobody has looked. Without another word all of it within `region` is an obstacle, out to the faces of the
/// finest cells that reach into the region.
struct OctomapOptions {
  bool unknown_is_free = false;
  std::optional<OctomapRegion> region = std::nullopt;  ///< There must be one, or unknown_is_free.
};

/// The cells of a map of octomap that are obstacles.
struct Octomap {
  std::vector<OctreeCell> cells;
  double resolution = 0.0;  ///< [m]
};

/// The occupied cells (.bt, or .ot of an OcTree or ColorOcTree), wherever they are, and the unknown ones. A leaf that the map has
/// pruned is one cell. Occupied: of probability 0.5 or more, octomap's own threshold. Throws InputError for what is malformed, cut
/// short or longer than it says, for more than CellMap::kMostCells, and for a region that is empty or beyond the map.
Octomap parse_octomap(std::string_view bytes, const OctomapOptions& options, const std::string& name);
/// The same as a shape.
Loaded<CellsPtr> load_octomap(const std::string& path, const OctomapOptions& options);

}  // namespace planner_ccd
#pragma GCC visibility pop
