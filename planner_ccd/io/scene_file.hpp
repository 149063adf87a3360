#pragma once

#include <string>

#include "planner_ccd/io/loaded.hpp"
#include "planner_ccd/io/resource.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "planner_ccd/scene/scene.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

class MeshCache;

struct SceneFileOptions {
  ResourceOptions resources;
  const RobotModel* robot =
      nullptr;                  ///< Not owned. Used to check link names; without it any name is accepted as a link.
  MeshCache* meshes = nullptr;  ///< Share meshes with other loads; not owned. nullptr: a cache for this load alone.
};

/// A scene from YAML, ours or a PlanningScene of MoveIt, or from MoveIt's `.scene` text; planner_ccd/io/README.md shows
/// every key. Mesh files are searched as in a URDF. Throws InputError naming file and line for malformed YAML, unknown,
/// duplicate or missing keys, numbers with units or not finite, unknown names, names already taken, and unreadable
/// meshes.
Loaded<Scene> load_scene(const std::string& path, const SceneFileOptions& options = {});

/// The same from text; messages call it `name`, relative mesh files are searched from folder `base`.
Loaded<Scene> parse_scene(const std::string& text, const std::string& name, const std::string& base,
                          const SceneFileOptions& options = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
