#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner_ccd/geometry/scans.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// [m] A box in the map's frame. Faces that lie on one between cells, to 1e-9 of a cell, are taken to be there.
struct OctomapRegion {
  Eigen::Vector3d min, max;
};

/// The cells of a map of octomap that are obstacles.
struct Octomap {
  std::vector<OctreeCell> cells;
  double resolution = 0.0;  ///< [m]
};

/// The occupied cells (.bt, or .ot of an OcTree or ColorOcTree), wherever they are, and those within the region that nobody has looked
/// at: out to the faces of the finest cells that reach into it; without a region none of these. A leaf that the map has pruned is one
/// cell. Occupied: of probability 0.5 or more, octomap's own threshold. Throws InputError for what is malformed, cut short or
/// longer than it says, for more than kMostScanShapes, and for a region that is empty or beyond the map.
Octomap parse_octomap(std::string_view bytes, const std::optional<OctomapRegion>& region, const std::string& name);
/// The same as the shapes of an object, cubes_of() them.
std::vector<Geometry> load_octomap(const std::string& path, const OctomapRegion& region);

}  // namespace planner_ccd
#pragma GCC visibility pop
