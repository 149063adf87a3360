#pragma once

#include <memory>
#include <string>

#include "bench/peers/fcl_world.hpp"
#include "planner_ccd/geometry/cell_map.hpp"

namespace octomap {
class OcTree;
}

namespace planner_ccd::bench {

/// The same map twice: an octomap in which the cells of these points are occupied, and its cells as one of our shapes, read from the
/// file that octomap writes of it. What no point is in is unknown to octomap, and free for both.
struct MapOfPoints {
  std::shared_ptr<octomap::OcTree> tree;
  std::string file;  ///< .bt
};
MapOfPoints map_of_points(const std::vector<Eigen::Vector3f>& points, double resolution);

/// The map as FCL has it, for FclWorld: octomap's tree itself, in place of the only obstacle.
FclGeometries fcl_octree(const MapOfPoints& map);

}  // namespace planner_ccd::bench
