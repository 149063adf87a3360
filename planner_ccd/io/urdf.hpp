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
  bool use_visual = false;    ///< Links without a <collision> take their <visual> geometry instead.
  bool load_visuals = false;  ///< Fill LinkSpec::visual, with colours (for a viewer); what cannot be read is a warning.
  MeshCache* meshes = nullptr;  ///< Share meshes with other loads; not owned. nullptr: a cache for this load alone.
};

/// A robot from a URDF file. Every <collision> element counts; primitives stay exact; joints and links keep their
/// order. Throws InputError that names file, line and element for anything that would make a verdict meaningless: XML
/// at fault, a xacro, a mesh that is missing or unreadable, unknown shapes or joint types, numbers that are not finite,
/// zero axes, reversed limits, unknown or duplicate names.
Loaded<RobotSpec> load_urdf(const std::string& path, const UrdfOptions& options = {});

/// The same from text; `name` is what messages call it, relative mesh files are sought from folder `base`.
Loaded<RobotSpec> parse_urdf(const std::string& text, const std::string& name, const std::string& base,
                             const UrdfOptions& options = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
