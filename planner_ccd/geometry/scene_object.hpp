#pragma once

#include <string>
#include <vector>

#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/math/types.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// An obstacle, or an object that can be picked up.
struct SceneObject {
  std::string name;
  std::vector<Geometry> geometry;  ///< In the object's frame.
  Pose pose = Pose::Identity();    ///< X_WorldObject
};

}  // namespace planner_ccd
#pragma GCC visibility pop
