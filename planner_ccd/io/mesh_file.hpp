#pragma once

#include <Eigen/Core>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/geometry/triangle_mesh.hpp"
#include "planner_ccd/io/resource.hpp"
#include "planner_ccd/validation/assumptions.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

enum class MeshFormat { Stl, Obj, Ply, Off, Dae, Glb };

/// By the file extension; empty for others, which load_mesh reads through Assimp.
std::optional<MeshFormat> mesh_format_of(const std::string& path);

/// The triangles in a file's bytes: every part placed by the file's node tree, polygons cut into triangles, one
/// triangle in the result for each in the file (zero-area ones too), equal vertices of STL merged. The `unit` of DAE is
/// applied once. Messages call the file `name`. Throws InputError for malformed, truncated, non-finite or out-of-range
/// data, and for files without triangles.
TriangleMesh parse_mesh(std::string_view bytes, MeshFormat format, const std::string& name,
                        DaeUpAxis up_axis = DaeUpAxis::Ignore);

/// parse_mesh of a file, scaled. Files of no MeshFormat (FBX, 3DS, glTF, 3MF, X3D, AMF, ...) are read through Assimp, by the program
/// planner_ccd_read_mesh, which is started for each with limits of memory and time. A mirroring scale reverses the triangles, so that the outside stays outside.
MeshPtr load_mesh(const std::string& path, const Eigen::Vector3d& scale = Eigen::Vector3d::Ones(),
                  DaeUpAxis up_axis = DaeUpAxis::Ignore);

/// Loads each file once; the same file and scale give the same mesh.
class MeshCache {
 public:
  MeshPtr load(const std::string& path, const Eigen::Vector3d& scale = Eigen::Vector3d::Ones(),
               DaeUpAxis up_axis = DaeUpAxis::Ignore);

  /// What was assumed in reading a file: that Assimp did, and axes and units that it omits, or states and RViz ignores.
  std::vector<Assumption> assumptions(const std::string& path, DaeUpAxis up_axis = DaeUpAxis::Ignore) const;

 private:
  using Key = std::pair<std::string, DaeUpAxis>;
  struct File {
    MeshPtr mesh;  // unscaled
    std::vector<Assumption> assumptions;
  };

  std::map<Key, File> files_;  // by canonical path
  std::map<std::pair<Key, std::array<double, 3>>, MeshPtr> scaled_;
};

/// Describes a size that is implausible for a mesh in metres: "spans 1200 m ...". Empty for sizes from 1 mm to
/// `largest`.
std::string implausible_size(const TriangleMesh& mesh, double largest);

}  // namespace planner_ccd
#pragma GCC visibility pop
