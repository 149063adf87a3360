#pragma once

#include "planner_ccd/scene/scene.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// The same shapes in the same places of the object; where it stands does not matter.
bool same_geometry(const SceneObject& a, const SceneObject& b);
bool same_attached(const AttachedObject& a, const AttachedObject& b);
bool same_attached(const Scene& a, const Scene& b);
bool same_padding(const Scene& a, const Scene& b);
/// All but the objects: what is held, allowed, and demanded, in the same order.
bool same_rules(const Scene& a, const Scene& b);

}  // namespace planner_ccd
#pragma GCC visibility pop
