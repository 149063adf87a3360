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
  Mixed,  ///< They disagree, or appear in both orientations.
  Flat,   ///< The shell's volume is 0 to rounding: undetermined.
};

/// A piece of surface that encloses something.
struct MeshShell {
  int vertex;     ///< One of its vertices.
  double volume;  ///< [m^3] Of what it encloses.
  Facing facing;
};

/// Which parts of a mesh enclose something, however its triangles are oriented, duplicated or glued together.
///
/// Every triangle has two sides. Where triangles meet in an edge, a side continues on the next triangle about the edge;
/// at a free border it continues on the other side of the same triangle. All sides connected in this way face one cell
/// of space. A part whose two sides are connected, like a sheet, a bowl or a box without its lid, has no inside. One
/// with several cells has an inside, everything but the outermost cell: the sides that face that one are its shell, and
/// the winding number of this shell, each triangle counted with that side outside, is not 0 where a point is inside.
///
/// Copies of a triangle, in whichever orientation, count as one. A part is what is connected through edges of two
/// triangles; at an edge of more, the parts with an odd number of triangles there are joined, so that boxes sharing an
/// edge are two parts, and so are a box and a fin on it. Each part is judged alone.
///
/// The order about an edge is exact. Triangles that overlap in one plane (both sides of a sheet, divided by different
/// diagonals) count as lying back to back. A part that passes through itself is judged by its winding number: a region
/// enclosed once in each direction is not inside.
struct MeshShells {
  std::vector<MeshShell> shells;
  std::vector<std::int32_t> shell;  ///< For every triangle, its shell; -1 if it separates no inside from the outside.
  std::vector<bool> turned;         ///< For every triangle, whether its normal points to the inside.
  int open_parts = 0;               ///< Parts of surface that have no inside.
};

/// Of a mesh whose equal vertices are merged.
MeshShells find_shells(const TriangleMesh& mesh, const EdgeTable& edges);

/// True if the whole surface encloses something, so that anything inside the body is found. SsvTree::has_inside() is
/// the same for a body.
bool has_inside(const TriangleMesh& mesh);

}  // namespace planner_ccd
