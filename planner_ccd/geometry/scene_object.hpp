#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "planner_ccd/geometry/shape.hpp"

namespace planner_ccd {

/// An obstacle, or a thing that can be picked up.
struct SceneObject {
  std::string name;
  std::vector<Geometry> geometry;                          ///< In the object's frame.
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  ///< X_WorldObject
};

}  // namespace planner_ccd
