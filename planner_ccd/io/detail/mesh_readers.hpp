#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <string_view>

#include "planner_ccd/geometry/triangle_mesh.hpp"
#include "planner_ccd/io/resource.hpp"

namespace planner_ccd {

/// More triangles or vertices than this in one mesh are an error, not an allocation.
inline constexpr std::size_t kMaxMeshElements = 50'000'000;
/// The same for meshes put together from instances, which a file of any size can ask for.
inline constexpr std::size_t kMaxInstancedElements = 10'000'000;
/// Nodes visited in a file's tree, and how deep they nest.
inline constexpr int kMaxNodeVisits = 1'000'000;
inline constexpr int kMaxNodeDepth = 200;

// One reader a format. Each throws InputError that begins with `name` and says line or triangle; none allocates more
// than a small multiple of the bytes it was given. Finiteness and index ranges are checked by parse_mesh for all.
TriangleMesh read_stl(std::string_view bytes, const std::string& name);
TriangleMesh read_obj(std::string_view bytes, const std::string& name);
TriangleMesh read_ply(std::string_view bytes, const std::string& name);
TriangleMesh read_off(std::string_view bytes, const std::string& name);
TriangleMesh read_glb(std::string_view bytes, const std::string& name);

/// A DAE file with what its <asset> says about the coordinates.
struct DaeMesh {
  TriangleMesh mesh;
  std::string up_axis;  ///< "X_UP", "Y_UP", "Z_UP"; empty: it names none.
  bool has_unit;
};
DaeMesh read_dae(std::string_view bytes, const std::string& name, DaeUpAxis up_axis);

/// Adds `part`, moved by `X`, to `mesh`: one node of a file's tree. Where X mirrors, triangles are turned round. Throws
/// InputError when the parts get too many, because a few nested instances can ask for any number.
void append_instance(TriangleMesh& mesh, const TriangleMesh& part, const Eigen::Affine3d& X, const std::string& name);

[[noreturn]] void fail_at_line(const std::string& name, std::size_t line, const std::string& message);

}  // namespace planner_ccd
