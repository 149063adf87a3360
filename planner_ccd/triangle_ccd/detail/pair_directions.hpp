#pragma once

#include <array>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/triangle_ccd/detail/patch.hpp"

namespace planner_ccd::leaf {

/// Two moving triangles, and directions that prove them apart.
///
/// All points are relative to the first corner of A at the same time: p_i = a_i - a_0, q_j = b_j - a_0, linear in t as they
/// are. A direction n proves the triangles farther apart than d as long as all nine
///
///   n.q_j(t) - n.p_i(t) > d |n|.                                                                                   (9)
///
/// Each is linear, so where it holds at both ends of an interval it holds between, and a root is a quotient. For -n only the
/// signs change.
///
/// Rounding, u = 2^-53: with P and Q the greatest coordinates of p and q, fl(b - a) is off by a factor 1 + u, a point between
/// the ends (`from_time_on`) by 3 u more, a product and two sums by 1 + 3 u, so n.x is off by 7.1 u |n|_1 P or Q; the two
/// subtractions of (9) and of the pad add 2.02 u |n|_1 (P + Q) and u d |n|, computing d |n| itself 4 u d |n|. The pad
/// 12 u |n|_1 (P + Q) + 8 u d |n| + 1e-300 exceeds their sum strictly. The first of nine roots s / (s - e) is found by comparing
/// products, which with the rest moves it by 6 u. For products not to underflow or overflow, a root is only looked for where |n|_1 (P + Q) is
/// within [1e-120, 1e140]: what is left above the pad is no less than 2^-106 of that.
///
/// Two triangles that are apart at a time t are so along a normal of one of them, or along the cross product of an edge of
/// the one and an edge of the other, unless they lie in one plane. So eleven directions and that of the centroids are tried at
/// once, and the one that proves most is kept. They need not be good: whatever they are, (9) is a proof.
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
