#pragma once

#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/robot/robot_model.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

struct CollisionRules {
  bool exclude_adjacent = true;  ///< Exclude links that touch because a joint connects them.
};

/// Which pairs of the robot's links are not checked, and why. Reasons in order of precedence, of which the first
/// applies: no geometry, same body, adjacent (unless the SRDF enables the pair), disabled by the SRDF.
///
/// Adjacent are a link and its nearest ancestor with geometry, if what lies between them is one moving joint, or hinges
/// that all turn about one point (a ball joint made of hinges with empty links between). Planar and floating joints do
/// not make links adjacent; siblings below an empty link are not adjacent either: such pairs are checked.
CollisionMatrix build_collision_matrix(const RobotModel& model, const Srdf& srdf = {},
                                       const CollisionRules& rules = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
