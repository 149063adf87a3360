#pragma once

#include <string>

#include "planner_ccd/io/detail/yaml.hpp"
#include "planner_ccd/io/scene_file.hpp"

namespace planner_ccd {

/// A moveit_msgs/PlanningScene as `ros2 topic echo` and robowflex print it. `base`: where mesh files are sought from. Throws InputError
/// for what it holds and a scene cannot say: an octomap, planes, cones, scaled links, frames that move, a change of another scene.
Loaded<Scene> read_planning_scene(const YamlFile& file, const std::string& base, const SceneFileOptions& options,
                                  MeshCache& meshes);

/// The text that MoveIt's RViz plugin saves as `.scene`: objects of the world. Both versions of it.
Loaded<Scene> parse_scene_text(const std::string& text, const std::string& name, const SceneFileOptions& options);

/// The shapes that MoveIt names. `numbers` in the order of shape_msgs/SolidPrimitive (a cylinder: height, radius). Throws InputError,
/// without a place, for another kind or number of dimensions, and for one that is not positive.
Shape moveit_primitive(const std::string& kind, const std::vector<double>& numbers);

/// A quaternion that is all 0 means none, as in MoveIt. Throws InputError, without a place, unless the length is 1 to 1e-3.
Pose moveit_pose(const Eigen::Vector3d& position, const Eigen::Vector4d& xyzw);

}  // namespace planner_ccd
