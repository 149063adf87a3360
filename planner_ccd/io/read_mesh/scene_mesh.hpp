#pragma once

#include <string>

#include "planner_ccd/io/detail/foreign_mesh.hpp"

namespace planner_ccd::read_mesh {

/// All that Assimp reads of a file, as one mesh in metres: every mesh of the scene in each place where a node has it, by the
/// nodes' transforms in double precision; polygons cut into triangles by our own rule, because Assimp leaves some out; equal corners
/// joined, because it repeats them. Throws InputError, without the file's name, for what it cannot read, and for parts that
/// stand elsewhere than their node says (skins, morphs).
ForeignMesh scene_mesh(const std::string& path);

}  // namespace planner_ccd::read_mesh
