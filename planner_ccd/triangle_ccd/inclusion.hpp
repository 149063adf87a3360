#pragma once

#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd {

/// Inclusion kernel: guaranteed, with minimum separation.                                          (README.md, MATHS.md 5)
///
/// Works in time alone, on the patch b - a of detail/patch.hpp. Three inclusion functions, each with its rounding bound, discard
/// time: those of detail/front.hpp. What the cubic leaves over are at most three intervals around its roots; those are advanced
/// through by certified directions (detail/advance.hpp) from left to right, so the first contact is found first.
/// Invariant: all of [0, proved) is apart.
LeafResult inclusion_vertex_face_ccd(const VertexFaceMotion& motion, const LeafOptions& options);
LeafResult inclusion_edge_edge_ccd(const EdgeEdgeMotion& motion, const LeafOptions& options);

/// For queries that the front left open, with [0, proved) proved apart.
LeafResult inclusion_rest(const VertexFaceMotion& motion, double proved, const LeafOptions& options);
LeafResult inclusion_rest(const EdgeEdgeMotion& motion, double proved, const LeafOptions& options);

}  // namespace planner_ccd
