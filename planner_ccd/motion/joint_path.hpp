#pragma once

#include <Eigen/Core>
#include <vector>

namespace planner_ccd {

/// Waypoints joined by straight lines in joint space.
struct JointPath {
  std::vector<Eigen::VectorXd> waypoints;  ///< Each of RobotModel::dof() entries.
  std::vector<double> times;               ///< [s] One per waypoint, or empty.
};

}  // namespace planner_ccd
