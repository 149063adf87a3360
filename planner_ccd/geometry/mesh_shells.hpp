#pragma once

#include <cstdint>
#include <vector>

#include "planner_ccd/geometry/triangle_mesh.hpp"

namespace planner_ccd {

class EdgeTable;

/// Which side of a shell its triangles, as given, call the outside.
enum class Facing : std::int8_t {
  Outwards,
  Inwards,
  Mixed,  ///< They disagree, or are there in both orientations.
  Flat,   ///< The shell's volume is 0 to rounding, so neither can be told.
};

/// A piece of surface that encloses something.
struct MeshShell {
  int vertex;     ///< One of its vertices.
  double volume;  ///< [m^3] Of what it encloses.
  Facing facing;
};

/// What of a mesh encloses something, however its triangles are turned, doubled or glued together.
///
/// Every triangle has two sides, and where triangles meet in an edge, a side continues on the next triangle about the
/// edge; at a free border it continues on the other side of the same triangle. What a side continues to, all along, faces
/// one cell of space. A part whose two sides are one, like a sheet, a bowl or a box without its lid, has no inside. One
/// with several cells has an inside, everything but the outermost cell: the sides that face that one are its shell, and the
/// winding number of this shell, each triangle counted as turned with that side outside, is not 0 where a point is inside.
///
/// Copies of a triangle are one triangle here, in whichever orientation. A part is what hangs together through edges of two
/// triangles; in an edge of more, the parts that do not come out even there by themselves are joined, so that boxes which
/// share an edge are two parts, and a box and the fin on it too. Each part is judged alone.
///
/// The order about an edge is exact. Triangles that overlap in one plane (both sides of a sheet, divided by different
/// diagonals) count as lying back to back. A part that passes through itself is judged by its winding number: what it
/// encloses once each way round is not inside.
struct MeshShells {
  std::vector<MeshShell> shells;
  std::vector<std::int32_t> shell;  ///< For every triangle, its shell; -1 if it separates no inside from the outside.
  std::vector<bool> turned;         ///< For every triangle, whether its normal points to the inside.
  int open_parts = 0;               ///< Parts of surface that have no inside.
};

/// Of a mesh whose equal vertices are one.
MeshShells find_shells(const TriangleMesh& mesh, const EdgeTable& edges);

/// Whether the whole surface encloses something, so that anything inside the body is found. The one answer to
/// "does it have an inside?"; SsvTree::has_inside() is the same for a body.
bool has_inside(const TriangleMesh& mesh);

}  // namespace planner_ccd
