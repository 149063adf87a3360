#pragma once

#include <memory>

#include "planner_ccd/moving_pairs/robot_cells.hpp"
#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {

/// What a PreparedRobot is made of. Immutable once shared.
struct PreparedParts {
  std::shared_ptr<const RobotModel> robot;
  CollisionMatrix matrix;
  LinkTrees trees;
  RobotCells cells;     ///< None yet.
  double margin = 0.0;  ///< [m] Of the cells.

  PreparedParts(std::shared_ptr<const RobotModel> model, const CollisionMatrix& rules);
};

}  // namespace planner_ccd
