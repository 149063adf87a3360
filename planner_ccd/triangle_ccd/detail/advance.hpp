#pragma once

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/triangle_ccd/detail/patch.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd::leaf {

/// Advances through an interval by certified directions: the last step of the cubic and the inclusion kernel. (MATHS.md 5c)
///
/// The direction of the patch's nearest point proves the interval apart by (6), or some of it, and the advance goes on there; or the point,
/// rounded up, is a contact's witness. How it was found does not matter. A step is at least tolerance / speed: the advance ends, and
/// where rounding hides the gap (a tolerance near 1e-15 of the size of the patch) with Undecided.
struct PatchAdvance {
  Verdict verdict;  ///< Free: `proved` > hi of the interval, or == t_max.
  double proved;    ///< Proved apart from the start of the interval up to here.
  double t_hi;      ///< Contact: its time.
  PatchPoint witness;
  int iterations;
};

/// Decides [on.lo, on.hi], given that everything in [0, on.lo) is proved apart.
PatchAdvance advance(const MovingPatch& patch, const LeafOptions& options, TimeInterval on, int budget);

/// The distance of a witness, rounded up.
inline double distance_up(const MovingPatch& patch, const PatchPoint& p) {
  return p.distance * (1 + 8 * kUnitRoundoff) + 32 * kUnitRoundoff * patch.size;
}

/// An upper bound of |q_k(1) - q_k(0)| of every corner.
double greatest_speed(const MovingPatch& patch);

/// Fills times, weights, features, points and normal of a Contact.
void set_contact(LeafResult& result, const VertexFaceMotion& motion, const MovingPatch& patch,
                 const PatchAdvance& found, double min_separation);
void set_contact(LeafResult& result, const EdgeEdgeMotion& motion, const MovingPatch& patch, const PatchAdvance& found,
                 double min_separation);

}  // namespace planner_ccd::leaf
#pragma GCC visibility pop
