#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/triangle_ccd/detail/lanes.hpp"
#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd::leaf {

/// The planar patch of differences b - a, whose corners move linearly, and directions that prove it away from the origin. (MATHS.md 5b)
///
/// Two primitives are within distance d at time t exactly when the patch (5) has a point within d of the origin: a triangle for a vertex and a
/// face (its last corner is repeated), a parallelogram for two edges. For a fixed direction n two values of n.q_k say all there is to know
/// about a corner on [0, 1]: see (6). Below kHugePad no n.q overflows; beyond, a direction proves nothing.

inline constexpr double kHugePad = 1e290;

enum class PatchShape { Triangle, Parallelogram };

struct TimeInterval {
  double lo;
  double hi;
};

/// An empty interval.
inline constexpr TimeInterval kNoTime{2.0, -1.0};

/// What spans a patch. Every pair of lanes is (start, end).
struct PatchFrame {
  Vector3x2 q0, u, v;
};

struct MovingPatch {
  Vector3x2 corner[4];
  Vector3x2 u, v;
  double size;  ///< Q [m]; not finite when an input is not.
  PatchShape shape;
};

/// The point of a patch nearest to the origin. Nothing here is certified: `direction` is a guess for (6).
struct PatchPoint {
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();
  double distance;
  int border = -1;                 ///< From corner `border` to the next; -1 for a point inside.
  double alpha = 0.0, beta = 0.0;  ///< Of (5); on a border alpha is the share of the way along it.
};

/// (alpha, beta) of (5), also for a point on a border.
std::array<double, 2> parameters(PatchShape shape, const PatchPoint& point);

inline Vector3x2 load(const MovingPoint& p) {
  return {Double2{p.start.x(), p.end.x()}, Double2{p.start.y(), p.end.y()}, Double2{p.start.z(), p.end.z()}};
}

/// Coordinate ranges of the corners.
struct PatchRange {
  Vector3x2 lo, hi;
  Vector3x2 sum;  ///< Of the corners: not finite when an input is not.
};

inline PatchRange patch_range(const Vector3x2& q0, const Vector3x2& q1, const Vector3x2& q2, const Vector3x2& q3) {
  return {least(least(q0, q1), least(q2, q3)), greatest(greatest(q0, q1), greatest(q2, q3)), (q0 + q1) + (q2 + q3)};
}

inline double patch_size(const PatchRange& range) {
  const Double2 poison = 0.0 * (range.sum.x + range.sum.y + range.sum.z);
  return greatest_lane(greatest(greatest_coordinate(range.lo), greatest_coordinate(range.hi))) +
         (poison[0] + poison[1]);
}

inline PatchFrame patch_frame(const VertexFaceMotion& m) {
  const Vector3x2 x0 = load(m.face[0]);
  return {x0 - load(m.vertex), load(m.face[1]) - x0, load(m.face[2]) - x0};
}

inline PatchFrame patch_frame(const EdgeEdgeMotion& m) {
  const Vector3x2 a0 = load(m.a[0]), b0 = load(m.b[0]);
  return {b0 - a0, a0 - load(m.a[1]), load(m.b[1]) - b0};
}

inline MovingPatch make_patch(const VertexFaceMotion& m) {
  const Vector3x2 p = load(m.vertex), x0 = load(m.face[0]), x1 = load(m.face[1]), x2 = load(m.face[2]);
  const Vector3x2 q0 = x0 - p, q1 = x1 - p, q2 = x2 - p;
  return {{q0, q1, q2, q2}, x1 - x0, x2 - x0, patch_size(patch_range(q0, q1, q2, q2)), PatchShape::Triangle};
}

inline MovingPatch make_patch(const EdgeEdgeMotion& m) {
  const Vector3x2 a0 = load(m.a[0]), a1 = load(m.a[1]), b0 = load(m.b[0]), b1 = load(m.b[1]);
  const Vector3x2 q0 = b0 - a0, q1 = b0 - a1, q2 = b1 - a1, q3 = b1 - a0;
  return {{q0, q1, q2, q3}, a0 - a1, b1 - b0, patch_size(patch_range(q0, q1, q2, q3)), PatchShape::Parallelogram};
}

/// True when one coordinate axis keeps the patch farther than `separation` from the origin on all of [0, 1]: (6) for
/// n = +-e_c, without a pad, because fl(b - a) > d (1 + 4 u) implies b - a > d. No branches: on inputs that are a toss-up,
/// mispredicting one costs as much as all of the arithmetic.
inline bool axis_apart(const PatchRange& range, double separation) {
  const Vector3x2 &lo = range.lo, &hi = range.hi;
  const Double2 xy_lo = least(firsts(lo.x, lo.y), seconds(lo.x, lo.y));
  const Double2 xy_hi = greatest(firsts(hi.x, hi.y), seconds(hi.x, hi.y));
  const Double2 z_lo = least(lo.z, swapped(lo.z)), z_hi = greatest(hi.z, swapped(hi.z));
  const Double2 above = greatest(greatest(xy_lo, -xy_hi), greatest(z_lo, -z_hi));
  const Double2 poison = 0.0 * (range.sum.x + range.sum.y + range.sum.z);
  return greatest_lane(above) > separation * (1 + 4 * kUnitRoundoff) + (poison[0] + poison[1]);
}

/// Before a patch is built: most pairs that reach a leaf kernel end here.
inline bool axis_apart(const VertexFaceMotion& m, double separation) {
  const Vector3x2 p = load(m.vertex);
  const Vector3x2 q0 = load(m.face[0]) - p, q1 = load(m.face[1]) - p, q2 = load(m.face[2]) - p;
  return axis_apart({least(least(q0, q1), q2), greatest(greatest(q0, q1), q2), q0 + q1 + q2}, separation);
}

inline bool axis_apart(const EdgeEdgeMotion& m, double separation) {
  const Vector3x2 a0 = load(m.a[0]), a1 = load(m.a[1]), b0 = load(m.b[0]), b1 = load(m.b[1]);
  return axis_apart({least(b0, b1) - greatest(a0, a1), greatest(b0, b1) - least(a0, a1), (a0 + a1) + (b0 + b1)},
                    separation);
}

/// The times in [0, 1] where direction n proves the distance greater than `separation`, by (6). Empty when there are none.
/// The second form takes any number of moving points, whose hull stands for the patch, and their Q.
TimeInterval certified_times(const MovingPatch& patch, const Eigen::Vector3d& n, double separation);
TimeInterval certified_times(std::span<const Vector3x2> corners, double size, const Eigen::Vector3d& n,
                             double separation);

PatchPoint nearest_point(const MovingPatch& patch, double t);

}  // namespace planner_ccd::leaf
#pragma GCC visibility pop
