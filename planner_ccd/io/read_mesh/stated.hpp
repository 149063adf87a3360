#pragma once

#include <string>

namespace planner_ccd::read_mesh {

/// What a file states and Assimp passes over.
struct Stated {
  double unit = 1.0;  ///< [m]
  bool has_unit = false;
};

/// Looks for it in formats where it is known to exist: units of AMF, 3MF and X3D. `ending` is lower case, with its dot. Throws
/// InputError, without the file's name, for parts of these and of glTF that Assimp would leave out in silence, and for COLLADA, which
/// we read without it.
Stated read_stated(const std::string& path, const std::string& ending);

/// The only part of a ZIP archive whose name ends in `ending`. Throws InputError for none, several, or a damaged archive.
std::string zip_part(const std::string& archive, const std::string& ending);

}  // namespace planner_ccd::read_mesh
