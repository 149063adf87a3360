#pragma once

#include "planner_ccd/scene/scene.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// True for the same shapes at the same poses in the object; the objects' own poses may differ.
bool same_geometry(const SceneObject& a, const SceneObject& b);
bool same_attached(const AttachedObject& a, const AttachedObject& b);
bool same_attached(const Scene& a, const Scene& b);
bool same_padding(const Scene& a, const Scene& b);
/// Compares all but the objects: attached objects, allowed pairs and margins, in order.
bool same_rules(const Scene& a, const Scene& b);

}  // namespace planner_ccd
#pragma GCC visibility pop
