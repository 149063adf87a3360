#pragma once

#include <string>

#include "planner_ccd/io/loaded.hpp"
#include "planner_ccd/io/resource.hpp"
#include "planner_ccd/robot/robot_spec.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

class MeshCache;

struct UrdfOptions {
  ResourceOptions resources;
  bool use_visual = false;    ///< Links without a <collision> use their <visual> geometry.
  bool load_visuals = false;  ///< Fill LinkSpec::visual, with colours (for a viewer); unreadable visuals are warnings.
  MeshCache* meshes = nullptr;  ///< Share meshes with other loads; not owned. nullptr: a cache for this load alone.
};

/// A robot from a URDF file. Every <collision> element counts; primitives stay exact; joints and links keep their
/// order. Throws InputError naming file, line and element for anything that would make a verdict meaningless: invalid
/// XML, xacro, missing or unreadable meshes, unknown shapes or joint types, numbers that are not finite, zero axes,
/// reversed limits, unknown or duplicate names.
Loaded<RobotSpec> load_urdf(const std::string& path, const UrdfOptions& options = {});

/// The same from text; messages call it `name`, relative mesh files are searched from folder `base`.
Loaded<RobotSpec> parse_urdf(const std::string& text, const std::string& name, const std::string& base,
                             const UrdfOptions& options = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
