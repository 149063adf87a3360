#pragma once

#include <array>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/triangle_ccd/detail/patch.hpp"

namespace planner_ccd::leaf {

/// Two moving triangles, and directions that prove them apart. (MATHS.md T8, (7))
///
/// All points are relative to the first corner of A at the same time, linear in t as they are, so where a direction separates them at both ends
/// of an interval it does between, and a root is a quotient. Twelve directions are tried at once and the one that proves most is kept. They
/// need not be good: whatever they are, (7) with its pad is a proof.
struct TrianglePairMotion {
  Vector3x2 p1, p2, q0, q1, q2;  ///< At t = `from` and at t = 1.
  double from;
  double size;        ///< P + Q [m]; not finite when an input is not.
  double coordinate;  ///< Greatest coordinate of a corner [m].
};

inline constexpr double kLeastScale = 1e-120, kGreatestScale = 1e140;
inline constexpr double kPairPad = 12 * kUnitRoundoff, kPairRootDown = 1 - 16 * kUnitRoundoff;

TrianglePairMotion pair_motion(const TriangleMotion& a, const TriangleMotion& b);

/// The same on [from, 1], where `motion` is on [0, 1].
TrianglePairMotion from_time_on(const TrianglePairMotion& motion, double from);

/// True when a coordinate axis keeps them farther apart than `separation` on all of [0, 1].
bool axis_apart(const TriangleMotion& a, const TriangleMotion& b, double separation);

/// The twelve directions at share t of [from, 1], two in each element: first both normals, the centroids and a cross product,
/// which are nearly always enough, then the other cross products.
std::array<Vector3x2, 2> likely_directions(const TrianglePairMotion& pair, double t);
std::array<Vector3x2, 4> other_directions(const TrianglePairMotion& pair, double t);

/// The greatest share of [from, 1] over which one of the directions (an even number of elements) proves the triangles apart from
/// its start on; -1 when none does. In lanes where there are any, with the same result bit for bit (front_lanes.hpp).
double proved_share(const TrianglePairMotion& pair, std::span<const Vector3x2> directions, double separation);

/// The time at this share, rounded down: three roundings.
inline double time_at(const TrianglePairMotion& pair, double share) {
  return share >= 1 ? 1.0 : (pair.from + (1 - pair.from) * share) * (1 - 8 * kUnitRoundoff);
}

}  // namespace planner_ccd::leaf
