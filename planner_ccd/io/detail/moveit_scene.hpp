#pragma once

#include <string>

#include "planner_ccd/io/detail/yaml.hpp"
#include "planner_ccd/io/scene_file.hpp"

namespace planner_ccd {

/// A moveit_msgs/PlanningScene as printed by `ros2 topic echo` and robowflex. `base`: where mesh files are searched
/// from. Throws InputError for contents that a scene cannot represent: octomaps, planes, cones, scaled links, moving
/// frames, changes of another scene.
Loaded<Scene> read_planning_scene(const YamlFile& file, const std::string& base, const SceneFileOptions& options,
                                  MeshCache& meshes);

/// The `.scene` text saved by MoveIt's RViz plugin (objects of the world), in both of its versions.
Loaded<Scene> parse_scene_text(const std::string& text, const std::string& name, const SceneFileOptions& options);

/// A shape by its MoveIt name. `numbers` in the order of shape_msgs/SolidPrimitive (a cylinder: height, radius). Throws
/// InputError, without a location, for an unknown kind, the wrong number of dimensions, or one that is not positive.
Shape moveit_primitive(const std::string& kind, const std::vector<double>& numbers);

/// An all-zero quaternion means the identity, as in MoveIt. Throws InputError, without a location, unless the length is
/// 1 to 1e-3.
Pose moveit_pose(const Eigen::Vector3d& position, const Eigen::Vector4d& xyzw);

}  // namespace planner_ccd
