#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd {

/// Continuous collision as intersection of simplices in space-time (Brochu and Bridson 2009).
///
/// Time is a fourth coordinate. A moving vertex sweeps a segment; a moving edge two triangles and a moving face three
/// tetrahedra, which share vertices with the start (t = 0) and the end (bar, t = 1) of the motion:
///
///     edge 1 2:    1 2 2'      1 1' 2'
///     face 1 2 3:  1 2 3 3'    1 2 2' 3'    1 1' 2' 3'                                      (1)
///
/// with the corners in one global order (here: by coordinates, start before end), so that features that share an edge cut
/// its swept surface along the same diagonal and leave no crack. The motion *model* is the piecewise linear one of these
/// simplices, and for it the test is exact and has no tolerance.
///
/// Two simplices with corner sets A0, B0 at t = 0 and A1, B1 at t = 1 have the sections (1-t) conv A0 + t conv A1 (and
/// the same of B), so the differences of simultaneous points fill, over all t,
///
///     conv( (A0 - B0) u (A1 - B1) )  in R^3                                                    (2)
///
/// and they meet exactly when (2) holds the origin. For a segment and a tetrahedron (2) is a tetrahedron; for two
/// triangles it is one, or a pyramid over a parallelogram, cut in two. The four barycentric coordinates of the origin are
/// 3x3 determinants of differences of simultaneous points: the same determinants that the paper gets by Cramer's rule
/// from its 6 x 6 system, because the rows of one time cancel.
///
/// Signs are certified by a forward error bound, and where it fails, computed exactly with expansions. When all four
/// vanish the points span at most a plane and some three of them hold the origin if all do (Caratheodory); these are
/// decided in the projections along the axes, then pairs on a line, then single points: degenerate motion, zero-length
/// edges and static features need no special treatment. Faces, edges and the ends of time are closed.
struct SpaceTimeResult {
  /// Free and Contact are exact; Undecided only for a coordinate that is not finite, or not 0 and not in [2^-280, 2^330] in
  /// size, where products are exact.
  Verdict verdict = Verdict::Free;
  double time = 0.0;           ///< Contact: the least time over the simplex pairs, to rounding (see `degenerate`).
  bool degenerate = false;     ///< A dimension was lost: `time` is one of the times of contact, not always the first.
  int exact_determinants = 0;  ///< How often the forward error bound did not suffice.
};

SpaceTimeResult space_time_vertex_face(const VertexFaceMotion& motion);
SpaceTimeResult space_time_edge_edge(const EdgeEdgeMotion& motion);

/// The guaranteed kernel for *linear* corner motion.
///
/// Corner i moves by d_i. On the diagonal from i to j the model is off by t (1-t) (d_j - d_i), on the corners by nothing,
/// and it is affine between those (it is a piecewise affine map of the barycentric triangle at each t), so
///
///     deviation  <=  max |d_j - d_i| / 4       over the edges of a face (or the one edge)            (3)
///
/// summed over A and B. Over a part of the motion of length h it is h times as large. So the kernel walks dyadic parts of
/// [0, t_max] from the left, and a part is proved apart when either the hull of all differences, which contains the
/// linear motion itself, or else every set (2) lies beyond a plane n.x > (min_separation + deviation + rounding) |n|.
/// When the corners of each feature share one displacement exactly, (3) is 0 and the exact test alone decides, if
/// min_separation is 0. What resists until deviation and movement are below tolerance/4 is a contact with its witness.
class SpaceTimeKernel final : public LeafKernel {
 public:
  std::string_view name() const override { return "space_time"; }
  LeafResult decide(const VertexFaceMotion& motion, const LeafOptions& options) const override;
  LeafResult decide(const EdgeEdgeMotion& motion, const LeafOptions& options) const override;
};

}  // namespace planner_ccd
