#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "planner_ccd/geometry/triangle_mesh.hpp"

namespace planner_ccd {

// Files that our own readers do not read are read by Assimp, in a process of its own: the program planner_ccd_read_mesh. Assimp
// ends in a crash, a hang or an allocation without end on some malformed files; there it can harm neither this process nor, by its
// limits, the machine. The library does not link Assimp.

/// What planner_ccd_read_mesh answers.
struct ForeignMesh {
  TriangleMesh mesh;                     ///< In metres, by `unit`.
  double unit = 1.0;                     ///< [m] Of the file's numbers.
  bool has_unit = false;                 ///< The file or its format says so; else metres are assumed.
  bool own_axes = false;                 ///< The file's own; else those that Assimp has turned them to.
  std::vector<std::string> others = {};  ///< Files that it refers to, which were read as well.
};

/// The answer in bytes: a mesh, or one line about why there is none.
std::string foreign_answer(const ForeignMesh& mesh);
std::string foreign_refusal(std::string_view why);

/// The mesh in `answer`. Throws InputError beginning with `name` for a refusal, and for anything that is not exactly an answer.
/// Indices and numbers in it are not looked at: that is for validate().
ForeignMesh read_foreign_answer(std::string_view answer, const std::string& name);

struct ForeignMeshOptions {
  std::string program = {};  ///< Empty: planner_ccd_read_mesh beside this program or library, else on PATH.
  std::size_t memory = std::size_t{4} << 30;  ///< [byte] Of address space.
  int seconds = 60;                           ///< Of computing time, and twice that on the clock.
};

/// Throws InputError for everything but a valid mesh, whatever becomes of the other process.
ForeignMesh read_foreign_mesh(const std::string& path, const ForeignMeshOptions& options = {});

}  // namespace planner_ccd
