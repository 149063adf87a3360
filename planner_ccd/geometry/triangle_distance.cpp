#include "planner_ccd/geometry/triangle_distance.hpp"

#include <cmath>

#include "planner_ccd/geometry/triangle_distance_detail.hpp"

/// Distance of two triangles.                                                                           (MATHS.md 10)
///
/// The closest points of two disjoint triangles lie on a vertex and a face, or on two edges (Larsen et al. 1999). They
/// are searched in plain arithmetic, most likely features first:
///   1. the two vertices that face each other along the line through the centroids;
///   2. the features that nearest_features() names in single precision, from all 9 pairs of edges and 6 of vertex and
///      face at once;
///   3. search_thoroughly(): edges through faces, slivers, nearly parallel edges, everything.
/// The search may err. Each step's answer is bracketed by (1) to (3) of triangle_distance_detail.hpp, which hold for
/// any direction and any witnesses, and the first bracket that is as narrow as rounding allows ends it. That is how a
/// guess is recognised as the answer, and why no degeneracy can make a bound wrong.
namespace planner_ccd {
namespace {

using namespace triangle_detail;
using Eigen::Vector3d;

struct Candidate {
  Witness witness;
  Vector3d direction;  ///< From A to B, any length.
};

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

/// The vertices that face each other along the line through the centroids.
struct Facing {
  Vector3d direction;
  int i, j;
  double raw_gap;  ///< Along the direction.
};

Facing facing_vertices(const LocalPair& l) {
  const Vector3d v = (l.q[0] + l.q[1] + l.q[2]) - (l.p[1] + l.p[2]);
  const double p1 = v.dot(l.p[1]), p2 = v.dot(l.p[2]);
  const double q0 = v.dot(l.q[0]), q1 = v.dot(l.q[1]), q2 = v.dot(l.q[2]);
  const double p = greater(greater(p1, p2), 0.0);
  const double q = lesser(lesser(q0, q1), q2);
  return {v, (p1 == p) + 2 * (p1 != p && p2 == p), (q1 == q) + 2 * (q1 != q && q2 == q), q - p};
}

Bracket bracket(const LocalPair& l, const FeatureGuess& guess) {
  const Candidate k = candidate(l, guess);
  return {separation_along(l, k.direction), upper_bound(l, k.witness), k.witness};
}

Bracket search(const LocalPair& l) {
  // Two vertices, found at once: the common case when the triangles are far apart.
  const Facing facing = facing_vertices(l);
  const Vector3d z = l.q[facing.j] - l.p[facing.i];
  if (raw_gap(l, z) >= z.squaredNorm() * (1.0 - 0x1p-45)) {
    const Witness w{l.p[facing.i], l.q[facing.j], static_cast<Feature>(facing.i), static_cast<Feature>(facing.j)};
    const Bracket found{separation_along(l, z), upper_bound(l, w), w};
    if (found.tight(l)) return found;
  }
  Bracket found = bracket(l, nearest_features(l));
  if (!found.tight(l)) search_thoroughly(l, found);
  return found;
}

/// A vertex counts as the edge that starts there. Two faces cannot be closest: any edges will do.
FeatureGuess to_guess(Feature a, Feature b) {
  const int i = static_cast<int>(a) % 3;
  const int j = static_cast<int>(b) % 3;
  if (a == Feature::Face && b <= Feature::Vertex2) return {3, j};
  if (b == Feature::Face && a <= Feature::Vertex2) return {4, i};
  return {i, j};
}

TriangleDistance to_result(const Triangle& a, const Bracket& found) {
  return {found.lower.gap > 0.0 ? found.lower.gap : 0.0,
          found.upper,
          found.witness.point_a + a[0],
          found.witness.point_b + a[0],
          found.lower.normal,
          found.witness.feature_a,
          found.witness.feature_b};
}

}  // namespace

TriangleDistance triangle_distance(const Triangle& a, const Triangle& b) {
  return to_result(a, search(make_local(a, b)));
}

TriangleDistance triangle_distance(const Triangle& a, const Triangle& b, Feature guess_a, Feature guess_b) {
  const LocalPair l = make_local(a, b);
  const Bracket found = bracket(l, to_guess(guess_a, guess_b));
  return to_result(a, found.tight(l) ? found : search(l));
}

double triangle_gap_along(const Triangle& a, const Triangle& b, const Vector3d& n) {
  return separation_along(make_local(a, b), n).gap;
}

bool triangle_gap_exceeds(const Triangle& a, const Triangle& b, double threshold) {
  const LocalPair l = make_local(a, b);
  const Facing facing = facing_vertices(l);
  if (facing.raw_gap > 0.0 && separation_along(l, facing.direction).gap > threshold) return true;
  if ((l.q[facing.j] - l.p[facing.i]).squaredNorm() <= threshold * threshold) return false;
  return search(l).lower.gap > threshold;
}

bool triangles_may_touch(const Triangle& a, const Triangle& b) { return !triangle_gap_exceeds(a, b, 0.0); }

}  // namespace planner_ccd
