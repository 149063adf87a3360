#include "bench/peers/fcl_octree.hpp"

#include <fcl/geometry/octree/octree.h>
#include <octomap/octomap.h>

#include <sstream>

namespace planner_ccd::bench {

MapOfPoints map_of_points(const std::vector<Eigen::Vector3f>& points, double resolution) {
  MapOfPoints map{std::make_shared<octomap::OcTree>(resolution), {}};
  for (const Eigen::Vector3f& p : points)
    map.tree->setNodeValue(p.x(), p.y(), p.z(), map.tree->getClampingThresMaxLog(), true);
  map.tree->updateInnerOccupancy();
  map.tree->prune();
  std::ostringstream file;
  map.tree->writeBinaryConst(file);
  map.file = file.str();
  return map;
}

FclGeometries fcl_octree(const MapOfPoints& map) {
  return [tree = map.tree](const Collider& c) -> std::shared_ptr<fcl::CollisionGeometryd> {
    if (c.body == 0 && !c.is_link) return std::make_shared<fcl::OcTreed>(tree);
    return fcl_model(*c.tree);
  };
}

}  // namespace planner_ccd::bench
