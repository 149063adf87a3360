#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "planner_ccd/geometry/triangle_distance.hpp"
#include "planner_ccd/geometry/triangle_mesh.hpp"

namespace planner_ccd {

enum class Containment : std::uint8_t { Outside, Inside, Unclear };

/// How the segment from p to q passes a triangle. Against: opposite to the normal of its corners' order.
enum class Crossing : std::uint8_t { None, Along, Against, Unclear };

/// Exact; Unclear when the segment meets an edge or a corner, or an end lies in the plane.
Crossing segment_crossing(const Eigen::Vector3d& p, const Eigen::Vector3d& q, const Triangle& t);

/// Counts crossings of a segment from a point to infinity and tells whether the point is enclosed.
///
/// If every edge is used as often in one direction as in the other (oriented), Along minus Against is the winding
/// number, and inside is where it is not 0: overlapping parts stay solid, and cavities whose surface faces inwards are
/// hollow. A surface that is closed but not oriented only has a parity.
class CrossingCount {
 public:
  void add(Crossing c) { (c == Crossing::Along ? along_ : against_) += 1; }
  bool encloses(bool oriented) const { return oriented ? along_ != against_ : (along_ + against_) % 2 != 0; }

 private:
  int along_ = 0, against_ = 0;
};

/// The k-th of a sequence of unit vectors spread over the sphere: a ray that comes out Unclear is shot again elsewhere.
Eigen::Vector3d ray_direction(int k);
inline constexpr int kMaxRays = 24;

/// Whether the closed components of a mesh enclose p, by trying every triangle. Outside when there are none. Unclear only
/// when kMaxRays rays are, which takes a point on the surface.
Containment mesh_inside(const TriangleMesh& mesh, const Eigen::Vector3d& p);

}  // namespace planner_ccd
