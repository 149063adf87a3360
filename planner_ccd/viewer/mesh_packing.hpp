#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>

#include "planner_ccd/geometry/triangle_mesh.hpp"

namespace planner_ccd::viewer {

/// A mesh as the page stores it: corners on a grid, small numbers in place of large ones, ready to be deflated.
///
/// Grid. A coordinate x is stored as round((x - origin) / step), so a drawn corner is off by at most step / 2 along
/// each axis (plus float32 rounding on graphics hardware: 2^-24 of its coordinate). Corners on one grid point are
/// merged; triangles that thereby lose their area are left out.
///
/// Order. Triangles are ordered so that most share an edge with the previous one, corners by first use. With `next` the
/// number of corners seen so far, a corner is stored as next - index: 0 is a new corner. A new corner is stored as its
/// difference from a prediction, zigzag coded ((x << 1) ^ (x >> 31)):
///   a + b - c   when it completes a triangle a, b, . over the edge a b of the previous triangle a, b, c   (parallelogram)
///   b           the corner before it in its triangle, else the newest corner, else the origin
///
/// Bytes: `index_bytes` planes of the 3 * triangles corner codes (lowest bytes first), then for x, y and z
/// `position_bytes` planes of one number a corner. web/src/mesh.js is the reader.
struct PackedMesh {
  std::uint32_t vertices = 0;
  std::uint32_t triangles = 0;
  int index_bytes = 1;
  int position_bytes = 1;
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  double step = 0.0;  ///< [m]
  std::string bytes;
};

/// [m] Steps for a mesh of this extent: 2e-5, a fifth of the default tolerance, so that what is drawn agrees with what is
/// reported; finer for small parts (at least 16 bits), coarser only where 24 bits do not suffice (beyond 335 m).
double grid_step(double extent);

PackedMesh pack(const TriangleMesh& mesh);

}  // namespace planner_ccd::viewer
