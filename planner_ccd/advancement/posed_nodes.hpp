#pragma once

#include "planner_ccd/advancement/certified_span.hpp"
#include "planner_ccd/advancement/search_problem.hpp"
#include "planner_ccd/geometry/ssv_gap_quick.hpp"
#include "planner_ccd/hierarchy/primitive_distance.hpp"

namespace planner_ccd {

/// Operations on two members of a pair of trees at one instant: placing, measuring, opening.

/// A convex part of A, placed in B's frame for eq. (2): the corners of its generator there, and the gap to B's part.
struct PosedGap {
  SeparatingGap gap;
  Eigen::Vector3d corners[4];
  int count;
  double spread;  ///< SpanRequest::spread.

  /// [m] How much nearer to B than by `gap` A may be when displaced in the tube, which there is, at the instant itself; >= 0.
  double nearer(const PairMotion& motion, SpanRequest request) const {
    request.spread = spread;
    double top = gap.normal.dot(corners[0]);
    for (int j = 1; j < count; ++j) top = std::max(top, gap.normal.dot(corners[j]));
    double most = 0.0;
    const std::array<PairTube::Reach, 4> along = request.reach_along(gap.normal, corners, count, motion);
    for (int j = 0; j < count; ++j) {
      const double behind = (top - gap.normal.dot(corners[j])) * kRoundDown;
      most = std::max(most, std::min(along[j].now, request.reach_anywhere(corners[j], motion).now) - behind);
    }
    return most;
  }

  CertifiedSpan certify(const PairState& state, const PairMotion& motion, SpanRequest request) const {
    request.spread = spread;
    return certified_span(gap, corners, count, state, motion, request);
  }
};

/// The corners of A's node, with the gap from `gap_of(volume of A in B's frame, volume of B)`.
template <class GapOf>
PosedGap posed_nodes(const SearchPair& pair, int a, int b, const PairState& state, const GapOf& gap_of) {
  const Ssv volume = state.place(pair.tree_a->volume(a));
  PosedGap out{gap_of(volume, pair.tree_b->volume(b)), {}, volume.corner_count(), 0.0};
  for (int j = 0; j < out.count; ++j) out.corners[j] = volume.corner(j);
  return out;
}

inline PosedGap posed_nodes(const SearchPair& pair, int a, int b, const PairState& state) {
  return posed_nodes(pair, a, b, state, [](const Ssv& x, const Ssv& y) { return ssv_gap_quick(x, y); });
}

/// A's primitive in B's frame.
inline Primitive placed(const PairState& state, const Primitive& primitive) {
  return moved(primitive, state.R_BA, state.p_BA);
}

/// The corners of A's primitive (ends of a cylinder's axis, centre of a cube), with a gap computed before.
inline PosedGap posed_primitive(const Primitive& a_in_b, const SeparatingGap& gap) {
  if (a_in_b.kind == PrimitiveKind::Cube) {
    const Eigen::Vector3d& c = a_in_b.corners[0];
    return {gap, {c, c, c, c}, 1, reach_of_cube(a_in_b)};
  }
  const bool cylinder = a_in_b.kind == PrimitiveKind::Cylinder;
  return {
      gap, {a_in_b.corners[0], a_in_b.corners[1], a_in_b.corners[2]}, cylinder ? 2 : 3, cylinder ? a_in_b.radius : 0.0};
}

/// True if of two nodes, not both leaves, A's is opened: the larger one, as in PQP; never a leaf.
inline bool opens_a(const SearchPair& pair, int a, int b) {
  return pair.tree_b->is_leaf(b) || (!pair.tree_a->is_leaf(a) && pair.tree_a->size(a) >= pair.tree_b->size(b));
}

/// Opens a pair of nodes: calls take(a, b, primitives) for the children of the larger node with the other one, or for
/// every pair of primitives of two leaves.
template <class Take>
void open_nodes(const SearchPair& pair, int a, int b, Take&& take) {
  const SsvTree& tree_a = *pair.tree_a;
  const SsvTree& tree_b = *pair.tree_b;
  if (tree_a.is_leaf(a) && tree_b.is_leaf(b)) {
    const int end_a = tree_a.first_primitive(a) + tree_a.primitive_count(a);
    const int end_b = tree_b.first_primitive(b) + tree_b.primitive_count(b);
    for (int i = tree_a.first_primitive(a); i < end_a; ++i) {
      for (int j = tree_b.first_primitive(b); j < end_b; ++j) take(i, j, true);
    }
  } else if (opens_a(pair, a, b)) {
    take(tree_a.left(a), b, false);
    take(tree_a.right(a), b, false);
  } else {
    take(a, tree_b.left(b), false);
    take(a, tree_b.right(b), false);
  }
}

}  // namespace planner_ccd
