#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace planner_ccd {

/// An indexed triangle soup: it may be open, non-manifold, or contain zero-area triangles.
struct TriangleMesh {
  std::vector<Eigen::Vector3d> vertices;   ///< [m]
  std::vector<Eigen::Vector3i> triangles;  ///< Indices into `vertices`; counter-clockwise seen from outside.
};

/// Throws InputError, naming `name`, for an empty mesh, an index out of range, or a vertex that is not finite or
/// farther than `kMaxCoordinate` from the origin.
void validate(const TriangleMesh& mesh, const std::string& name);

/// [m] Coordinates beyond this are rejected: an error in units, or a corrupt file.
inline constexpr double kMaxCoordinate = 1e7;

}  // namespace planner_ccd
#pragma GCC visibility pop
