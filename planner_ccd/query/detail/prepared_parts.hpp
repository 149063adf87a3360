#pragma once

#include <memory>

#include "planner_ccd/first_look/body_cover.hpp"
#include "planner_ccd/moving_pairs/robot_cells.hpp"
#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {

/// The contents of a PreparedRobot, and of a checker for a robot that is not prepared. Immutable once shared.
struct PreparedParts {
  std::shared_ptr<const RobotModel> robot;
  CollisionMatrix matrix;
  LinkTrees trees;
  LinkCovers covers;
  std::shared_ptr<const CollisionWorld> alone;  ///< The robot without a scene; null if nothing is prepared.
  RobotCells cells;                             ///< Of `alone`.

  PreparedParts(std::shared_ptr<const RobotModel> model, const CollisionMatrix& rules);
};

}  // namespace planner_ccd
