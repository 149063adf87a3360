#pragma once

#include <Eigen/Geometry>

#include "planner_ccd/robot/robot_model.hpp"

namespace planner_ccd::detail {

/// The orientation that four finite coordinates of a floating joint (x, y, z, w) stand for, however long they are. Throws InputError
/// that names the joint for what is zero to 1e-9.
Eigen::Quaterniond unit_quaternion(const Eigen::Vector4d& xyzw, const Joint& joint);

}  // namespace planner_ccd::detail
