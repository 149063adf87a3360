#pragma once

#include <cstddef>

#include "planner_ccd/query/batch/check_edges.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Throws InputError that names edge `i` for a configuration that is not one of the robot's.
void require_usable(const RobotModel& robot, std::size_t i, const JointVectorRef& q);

inline void require_usable(const RobotModel& robot, std::size_t i, const Edge& edge) {
  require_usable(robot, i, edge.q0);
  require_usable(robot, i, edge.q1);
}

}  // namespace planner_ccd
#pragma GCC visibility pop
