#include "planner_ccd/hierarchy/pair_frame.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

using namespace lanes;
using Eigen::Vector3d;

constexpr double kUsualDefect = 128.0 * kUnitRoundoff;  ///< Not exceeded by products of several rotations.

inline Vector3x2 stored(const float* a, const float* b) {
  return {Double2{a[0], b[0]}, Double2{a[1], b[1]}, Double2{a[2], b[2]}};
}
/// From B to A in B's lane.
inline Double2 towards_other(Double2 x) { return Double2{x[0], -x[1]}; }
inline Double2 absolute(Double2 x) { return max(x, -x); }

/// The roots' generators, A's and B's a lane each.
struct Roots {
  const detail::Rotations& rotations;
  Vector3x2 edge0, edge1;  ///< Each in its body's frame.
  Vector3d D;              ///< In the world.
  double needed;           ///< Radii, margin and rounding.

  /// n, given in both bodies' frames.
  bool apart_along(const Vector3d& n, const Vector3x2& local) const {
    const Double2 extent = absolute(dot(local, edge0)) + absolute(dot(local, edge1));
    const double square = n.squaredNorm();
    return square < kMaxCoordinate * kMaxCoordinate &&
           n.dot(D) - 0.5 * (extent[0] + extent[1]) > needed * std::sqrt(square);
  }

  /// From the middle of each generator to its point nearest to the one at `local` from there.
  Vector3x2 nearest(const Vector3x2& local) const {
    const Double2 least = both(1e-290), half = both(0.5);
    const Double2 s = dot(local, edge0) / max(dot(edge0, edge0), least);
    const Double2 t = dot(local, edge1) / max(dot(edge1, edge1), least);
    return rotations * (max(-half, min(half, s)) * edge0 + max(-half, min(half, t)) * edge1);
  }
};

}  // namespace

double pose_pad(const PosedPair& p) {
  const lanes::Double2 defects = lanes::root(p.squared_defects);
  const double skew = defects[0] + defects[1];
  const double apart = (p.X_WA.translation() - p.X_WB.translation()).norm();
  if (!(skew < 1e-6) || !p.proper || !(apart <= 2.0 * std::sqrt(3.0) * kMaxCoordinate)) {
    validate(p.X_WA, "body " + p.a.name());
    validate(p.X_WB, "body " + p.b.name());
  }
  return (128.0 * kUnitRoundoff + 2.0 * skew) * (apart + p.a.reach() + p.b.reach());
}

PairFrame::PairFrame(const PosedPair& p) : pad(pose_pad(p)) {
  const Eigen::Matrix3d to_b = p.X_WB.linear().transpose();
  R_BA.noalias() = to_b * p.X_WA.linear();
  p_BA.noalias() = to_b * (p.X_WA.translation() - p.X_WB.translation());
}

/// A first test of two bodies: any vector n between the middles of the roots' generators proves a gap, (40) of MATHS.md 10e. First n is the line
/// between the middles, then that from the point of A's generator nearest to B's middle to the point of B's generator nearest to that.
///
/// Both bodies are treated alike, so each has a lane of a vector of two doubles.
bool roots_apart(const PosedPair& p, double margin) {
  if (!(p.squared_defects[0] + p.squared_defects[1] <= kUsualDefect * kUsualDefect) || !p.proper) return false;

  const SsvTree &a = p.a, &b = p.b;
  const detail::Rotations& rotations = p.rotations;
  const float *va = a.packed(0), *vb = b.packed(0);
  const Vector3x2 e0 = stored(va + 3, vb + 3), e1 = stored(va + 6, vb + 6);
  const Vector3x2 origin = side_by_side(a.bounding_center(), b.bounding_center()) + stored(va, vb);
  const Vector3x2 middle = rotations * (origin + both(0.5) * (e0 + e1));
  const Vector3d apart = p.X_WB.translation() - p.X_WA.translation();
  const Double2 magnitude = abs_sum(origin) + abs_sum(e0) + abs_sum(e1);
  const double radii = static_cast<double>(va[9]) + vb[9];
  const double S = apart.lpNorm<1>() + magnitude[0] + magnitude[1] + radii;
  const Roots roots{rotations, e0, e1, apart + (middle.second() - middle.first()),
                    (radii + margin + 384.0 * kUnitRoundoff * S) * (1.0 + 32.0 * kUnitRoundoff)};
  const Vector3x2 local = rotations.transposed_times(twice(roots.D));
  if (roots.apart_along(roots.D, local)) return true;
  // Points of the generators, or of one and the other's middle, this near leave nothing to prove.
  const auto near = [&](const Vector3d& v) { return !(v.squaredNorm() > roots.needed * roots.needed); };
  const Vector3x2 points = roots.nearest({towards_other(local.x), towards_other(local.y), towards_other(local.z)});
  const Vector3d from_a = roots.D - points.first();
  if (near(from_a) || near(roots.D + points.second())) return false;
  const Vector3d n = from_a + roots.nearest(rotations.transposed_times(twice(-from_a))).second();
  return !near(n) && roots.apart_along(n, rotations.transposed_times(twice(n)));
}

}  // namespace planner_ccd
