#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <string_view>

#include "planner_ccd/geometry/triangle_mesh.hpp"
#include "planner_ccd/io/resource.hpp"

namespace planner_ccd {

/// More triangles or vertices in one mesh are an error; checked before allocating.
inline constexpr std::size_t kMaxMeshElements = 50'000'000;
/// The same for meshes assembled from instances, of which a small file can request any number.
inline constexpr std::size_t kMaxInstancedElements = 10'000'000;
/// Limits of visits to nodes in a file's tree, and of their nesting.
inline constexpr int kMaxNodeVisits = 1'000'000;
inline constexpr int kMaxNodeDepth = 200;

// One reader per format. Each throws InputError beginning with `name`, with the line or triangle; none allocates more
// than a small multiple of its input's size. parse_mesh checks finiteness and index ranges for all.
TriangleMesh read_stl(std::string_view bytes, const std::string& name);
TriangleMesh read_obj(std::string_view bytes, const std::string& name);
TriangleMesh read_ply(std::string_view bytes, const std::string& name);
TriangleMesh read_off(std::string_view bytes, const std::string& name);
TriangleMesh read_glb(std::string_view bytes, const std::string& name);

/// A DAE file, with its <asset>'s statements about the coordinates.
struct DaeMesh {
  TriangleMesh mesh;
  std::string up_axis;  ///< "X_UP", "Y_UP", "Z_UP"; empty: not stated.
  bool has_unit;
};
DaeMesh read_dae(std::string_view bytes, const std::string& name, DaeUpAxis up_axis);

/// Adds `part`, moved by `X`, to `mesh`: one node of a file's tree. Triangles are reversed where X mirrors. Throws
/// InputError when there are too many parts, because a few nested instances can request any number.
void append_instance(TriangleMesh& mesh, const TriangleMesh& part, const Eigen::Affine3d& X, const std::string& name);

[[noreturn]] void fail_at_line(const std::string& name, std::size_t line, const std::string& message);

}  // namespace planner_ccd
