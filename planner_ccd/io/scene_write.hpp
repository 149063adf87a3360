#pragma once

#include <string>

#include "planner_ccd/scene/scene.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Writes a scene as YAML that load_scene reads back: the same objects in the same order, with the same numbers. Meshes,
/// clouds and maps go to files in the folder STEM_files beside it; a file that is there already is never changed. Two
/// things are not the same after reading:
///   - a cloud whose points single precision cannot hold: its balls grow by that rounding, and contain those checked before;
///   - of a map, where unknown cells count: only the box around its unknown cells, which all are in it.
/// Throws InputError for a scene that validate() rejects, for names that are not text, and when a file cannot be written.
void save_scene(const std::string& file, const Scene& scene);

}  // namespace planner_ccd
#pragma GCC visibility pop
