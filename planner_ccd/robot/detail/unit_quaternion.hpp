#pragma once

#include <Eigen/Geometry>

#include "planner_ccd/robot/robot_model.hpp"

namespace planner_ccd::detail {

/// The orientation given by four finite coordinates of a floating joint (x, y, z, w), of any length. Throws InputError
/// naming the joint if they are zero to 1e-9.
Eigen::Quaterniond unit_quaternion(const Eigen::Vector4d& xyzw, const Joint& joint);

}  // namespace planner_ccd::detail
