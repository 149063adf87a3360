#pragma once

#include <Eigen/Geometry>

#include "planner_ccd/geometry/scene_object.hpp"
#include "planner_ccd/io/detail/yaml.hpp"

namespace planner_ccd {

/// {xyz: [x, y, z], rpy: [roll, pitch, yaw]} or, in place of rpy, quaternion: [x, y, z, w] or rotation: the rows of
/// a matrix; each may be missing.
Eigen::Isometry3d read_pose(const YamlFile& file, const YamlNode& node);
/// {xyz: metres, angle: radians}; either may be missing.
PoseError read_pose_error(const YamlFile& file, const YamlNode& node);

}  // namespace planner_ccd
