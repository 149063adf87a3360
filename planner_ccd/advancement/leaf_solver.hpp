#pragma once

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/advancement/search_problem.hpp"
#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd {

/// The answer of exact triangle CCD for one primitive pair on [t0, t1].
struct LeafStep {
  double t_free;     ///< Proved apart by more than the margin on [t0, t_free); t1 or more: on all of it.
  double t_contact;  ///< A time at which the distance is at most margin + tolerance / 2; infinite if none is known.
};

/// Exact triangle CCD at the leaves of a search. (MATHS.md 5)
///
/// When exactly one joint moves between the bodies, at constant rate, A turns about a fixed axis or slides along one: the
/// leaf is exact (axis_triangle_ccd), unless the kernel asks for chords. Otherwise A's corners are replaced by their chords over
/// [t0, t1], from which they stay within e of (3) (MATHS.md T7), and linear CCD with minimum separation margin + e proves the interval
/// free, or its part up to t_lo. Its contact counts only when e is small against the tolerance.
///
/// In a tube the primitives are kept apart by as much more as A's may be displaced in any direction (PairTube::anywhere).
/// Cylinders and cubes are left to the search: nothing is proved about them here.
LeafStep solve_leaf(EdgeState& edge, const SearchPair& pair, int primitive_a, int primitive_b, double t0, double t1,
                    const SearchLimits& limits);

}  // namespace planner_ccd
