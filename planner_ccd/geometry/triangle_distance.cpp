#include "planner_ccd/geometry/triangle_distance.hpp"

#include <cmath>
#include <limits>

#include "planner_ccd/geometry/triangle_distance_detail.hpp"

/// Distance of two triangles.                                                                            (MATHS.md 10)
///
/// The closest points of two disjoint triangles are a vertex and a face, or two edges (Larsen et al. 1999). The search
/// runs over these in plain double arithmetic and may err; its answer is then bracketed by (1) to (3) of
/// triangle_distance_detail.hpp. Where the bracket is not as narrow as rounding allows (the triangles intersect, or
/// edges are so nearly parallel that the determinant is noise), search_thoroughly() takes over.
namespace planner_ccd {
namespace {

using namespace triangle_detail;
using Eigen::Vector3d;

/// Where a search may stop, or must go on.
struct Candidate {
  Witness witness;
  Vector3d direction;  ///< From A to B, any length.
};

constexpr double kTiny = 0x1p-1000;

/// Closest points of two edges, (4) of triangle_distance_screen.cpp in double, and the direction that proves them
/// apart.
///
/// Their difference itself is exact to u * scale only, which turns it far too much when it is short; the edges that the
/// points are interior to say where it must point: across both, or with the part along the one taken out.
Candidate edge_edge(const LocalPair& l, int i, int j) {
  const Vector3d& e = l.e[i];
  const Vector3d& f = l.f[j];
  const Vector3d r = l.p[i] - l.q[j];
  const double ee = greater(e.squaredNorm(), kTiny);
  const double ff = greater(f.squaredNorm(), kTiny);
  const double c = e.dot(f);
  const double d = e.dot(r);
  const double g = f.dot(r);
  const double inverse_ee = 1.0 / ee;
  const double inverse_ff = 1.0 / ff;
  const double s0 = clamp01((c * g - d * ff) / greater(ee * ff - c * c, kTiny));
  const double t = clamp01((c * s0 + g) * inverse_ff);
  const double s = clamp01((c * t - d) * inverse_ee);
  const Vector3d on_e = s * e;
  const Vector3d on_f = t * f;
  const Vector3d z = on_f - on_e - r;

  Candidate k{{l.p[i] + on_e, l.q[j] + on_f, edge_feature(i, s), edge_feature(j, t)}, z};
  // Which case it is cannot be predicted: select by factors of 0 and 1 instead of branches.
  const double in_e = (s > 0.0) & (s < 1.0);
  const double in_f = (t > 0.0) & (t < 1.0);
  const double both = in_e * in_f;
  const Vector3d across = e.cross(f);
  const double towards_b = both * std::copysign(1.0, across.dot(z));
  const double along_e = (1.0 - in_f) * in_e * e.dot(z) * inverse_ee;
  const double along_f = (1.0 - in_e) * in_f * f.dot(z) * inverse_ff;
  k.direction = towards_b * across + (1.0 - both) * z - along_e * e - along_f * f;
  return k;
}

/// A point x and a face, given by a corner and the edges from it: the foot corner + v e0 + w e1, and the normal towards
/// x.
struct Foot {
  Vector3d point;
  Vector3d normal;  ///< Any length.
};

Foot foot_on_face(const Vector3d& corner, const Vector3d& e0, const Vector3d& e1, const Vector3d& x) {
  const Vector3d y = x - corner;
  const Vector3d normal = e0.cross(e1);
  const Vector3d side = y.cross(normal);
  const double inverse = 1.0 / greater(normal.squaredNorm(), kTiny);
  const double v = clamp01(-side.dot(e1) * inverse);
  const double w = lesser(clamp01(side.dot(e0) * inverse), 1.0 - v);
  return {corner + v * e0 + w * e1, normal.dot(y) < 0.0 ? Vector3d(-normal) : normal};
}

Candidate candidate(const LocalPair& l, const FeatureGuess& guess) {
  const auto vertex = static_cast<Feature>(guess.column);
  if (guess.row < 3) return edge_edge(l, guess.row, guess.column);
  if (guess.row == 3) {
    const Vector3d& x = l.q[guess.column];
    const Foot foot = foot_on_face(l.p[0], l.p[1], l.p[2], x);
    return {{foot.point, x, Feature::Face, vertex}, foot.normal};
  }
  const Vector3d& x = l.p[guess.column];
  const Foot foot = foot_on_face(l.q[0], l.f[0], -l.f[2], x);
  return {{x, foot.point, vertex, Feature::Face}, -foot.normal};
}

Bracket search(const LocalPair& l) {
  const Candidate k = candidate(l, nearest_features(l));
  Bracket found{separation_along(l, k.direction), upper_bound(l, k.witness), k.witness};
  if (!found.tight(l)) search_thoroughly(l, found);
  return found;
}

}  // namespace

TriangleDistance triangle_distance(const Triangle& a, const Triangle& b) {
  const LocalPair l = make_local(a, b);
  const Bracket found = search(l);
  return {found.lower.gap > 0.0 ? found.lower.gap : 0.0,
          found.upper,
          found.witness.point_a + a[0],
          found.witness.point_b + a[0],
          found.lower.normal,
          found.witness.feature_a,
          found.witness.feature_b};
}

double triangle_gap_along(const Triangle& a, const Triangle& b, const Vector3d& n) {
  return separation_along(make_local(a, b), n).gap;
}

bool triangle_gap_exceeds(const Triangle& a, const Triangle& b, double threshold) {
  return search(make_local(a, b)).lower.gap > threshold;
}

bool triangles_may_touch(const Triangle& a, const Triangle& b) { return !(search(make_local(a, b)).lower.gap > 0.0); }

}  // namespace planner_ccd
