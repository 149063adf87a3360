#pragma once

#include <string>

#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/io/detail/yaml.hpp"

namespace planner_ccd {

/// What a person most likely meant by a scene that is none of ours, or whose numbers are in other units.

/// "spans 1200 m; ..." for a primitive or cloud larger than `largest` [m]; empty for others, and for meshes and maps.
std::string doubtful_size(const Shape& shape, double largest);

/// "'rpy' has 90; ..." for an angle of more than a whole turn in an object's pose; empty without one.
std::string doubtful_angles(const YamlFile& file, const YamlNode& pose);

/// Throws InputError for text that is XML.
void refuse_xml_scene(const std::string& text, const std::string& name);

/// Throws InputError, saying what is read instead, for keys of MoveIt's messages that are parts of a PlanningScene.
void refuse_parts_of_moveit_scene(const YamlFile& file, const YamlNode& root);

}  // namespace planner_ccd
