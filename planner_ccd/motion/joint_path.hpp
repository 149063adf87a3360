#pragma once

#include <vector>

#include "planner_ccd/math/types.hpp"

namespace planner_ccd {

/// How a joint without limits moves from q0 to q1.
enum class AnglePolicy {
  Literal,  ///< By q1 - q0, whatever its size: what a controller given these numbers does.
  Wrap,     ///< By the shorter turn: what planners over SO(2) mean.
};

/// Waypoints joined by straight lines in joint space.
struct JointPath {
  std::vector<JointVector> waypoints;  ///< Each of RobotModel::dof() entries.
  std::vector<double> times;           ///< [s] One per waypoint, or empty.
};

}  // namespace planner_ccd
