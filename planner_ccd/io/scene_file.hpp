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
      nullptr;                  ///< Not owned. Lets names of links be checked; without it any name passes for a link.
  MeshCache* meshes = nullptr;  ///< Share meshes with other loads; not owned. nullptr: a cache for this load alone.
};

/// A scene from YAML, ours or a PlanningScene of MoveIt, or from the text that MoveIt saves as `.scene`; planner_ccd/io/README.md shows
/// every key. Mesh files are sought as in a URDF. Throws InputError
/// that names file and line for malformed YAML, keys that are unknown, twice or missing, numbers with units or that are
/// not finite, names that are unknown or taken, and meshes that cannot be read.
Loaded<Scene> load_scene(const std::string& path, const SceneFileOptions& options = {});

/// The same from text; `name` is what messages call it, relative mesh files are sought from folder `base`.
Loaded<Scene> parse_scene(const std::string& text, const std::string& name, const std::string& base,
                          const SceneFileOptions& options = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
