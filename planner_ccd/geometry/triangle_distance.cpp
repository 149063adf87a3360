#include "planner_ccd/geometry/triangle_distance.hpp"

#include <cmath>

#include "planner_ccd/geometry/triangle_distance_detail.hpp"
#include "planner_ccd/math/lanes.hpp"

/// Distance of two triangles. (MATHS.md 10c)
///
/// The closest points of two disjoint triangles lie on a vertex and a face, or on two edges (Larsen et al. 1999). They
/// are searched in plain arithmetic, most likely features first:
///   1. the edges at the two vertices that face each other along the line through the centroids, four pairs at once:
///      the answer for 19 of 20 pairs whose closest points lie on edges;
///   2. the vertex over a face, where a plane has the other triangle on one side and the nearest vertex's foot inside;
///   3. edges through faces, where both planes cut;
///   4. the features that nearest_features() names in single precision, from all pairs of them at once;
///   5. search_thoroughly(): slivers, nearly parallel edges, everything.
/// The first bracket of (34) and (35) that is as narrow as rounding allows ends the search.
namespace planner_ccd {
namespace {

using namespace triangle_detail;
using namespace lanes;
using Eigen::Vector3d;

struct Candidate {
  Witness witness;
  Vector3d direction;  ///< From A to B, any length.
};

/// Double2 edges, each with the corner it starts from and the share of it at which its closest point lies.
struct EdgePair {
  Vector3d p, e, q, f;
  double s, t;
  double inverse_ee, inverse_ff;
  Feature feature_a, feature_b;

  Witness witness() const { return {p + s * e, q + t * f, feature_a, feature_b}; }

  /// A direction that proves them apart. The difference of the closest points is exact only to u * scale, which turns
  /// it far too much when it is short; the edges whose interiors contain the points fix its direction: orthogonal to
  /// both edges, or with the component along one of them removed.
  Vector3d direction() const {
    const Vector3d z = t * f - s * e - (p - q);
    // Which case it is cannot be predicted: select by factors of 0 and 1 instead of branches.
    const Double2 st{s, t};
    const Double2 in = only((st > both(0.0)) & (st < both(1.0)), both(1.0));
    const double in_e = in[0], in_f = in[1];
    const double inside = in_e * in_f;
    const Vector3d across = e.cross(f);
    const double towards_b = inside * std::copysign(1.0, across.dot(z));
    const double along_e = (1.0 - in_f) * in_e * e.dot(z) * inverse_ee;
    const double along_f = (1.0 - in_e) * in_f * f.dot(z) * inverse_ff;
    return towards_b * across + (1.0 - inside) * z - along_e * e - along_f * f;
  }
};

/// Edge i of A and edge j of B, by (36) in double.
EdgePair edge_edge(const LocalPair& l, int i, int j) {
  const Vector3d e = l.e(i), f = l.f(j);
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
  return {l.p[i], e, l.q[j], f, s, t, inverse_ee, inverse_ff, edge_feature(i, s), edge_feature(j, t)};
}

Candidate candidate(const LocalPair& l, const FeatureGuess& guess) {
  const auto vertex = static_cast<Feature>(guess.column);
  if (guess.row < 3) {
    const EdgePair k = edge_edge(l, guess.row, guess.column);
    return {k.witness(), k.direction()};
  }
  if (guess.row == 3) {
    const Vector3d& x = l.q[guess.column];
    const Foot foot = foot_on_face(l.p[0], l.p[1], l.p[2], x);
    return {{foot.point, x, Feature::Face, vertex}, foot.normal};
  }
  const Vector3d& x = l.p[guess.column];
  const Foot foot = foot_on_face(l.q[0], l.f(0), -l.f(2), x);
  return {{x, foot.point, vertex, Feature::Face}, -foot.normal};
}

/// The vertices that face each other along the line through the centroids.
struct Facing {
  Vector3d direction;
  int i, j;
  double raw_gap;  ///< Along the direction.
};

inline Facing facing_vertices(const LocalPair& l) {
  const Vector3d v = (l.q[0] + l.q[1] + l.q[2]) - (l.p[1] + l.p[2]);
  const double p1 = v.dot(l.p[1]), p2 = v.dot(l.p[2]);
  const double q0 = v.dot(l.q[0]), q1 = v.dot(l.q[1]), q2 = v.dot(l.q[2]);
  const double p = greater(greater(p1, p2), 0.0);
  const double q = lesser(lesser(q0, q1), q2);
  return {v, (p1 == p) + 2 * ((p1 != p) & (p2 == p)), (q1 == q) + 2 * ((q1 != q) & (q2 == q)), q - p};
}

/// The two edges that leave a corner.
struct CornerEdges {
  const Vector3d *corner, *end[2];
  Vector3x2 lanes;

  CornerEdges(const Triangle& t, int i) : corner(&t[i]), end{&t[kOthers[i][0]], &t[kOthers[i][1]]} {
    lanes.x = Double2{(*end[0])[0], (*end[1])[0]} - both((*corner)[0]);
    lanes.y = Double2{(*end[0])[1], (*end[1])[1]} - both((*corner)[1]);
    lanes.z = Double2{(*end[0])[2], (*end[1])[2]} - both((*corner)[2]);
  }
  Vector3d edge(int k) const { return *end[k] - *corner; }

 private:
  static constexpr int kOthers[3][2] = {{1, 2}, {2, 0}, {0, 1}};
};

/// Start, interior and end of edge k = 0, 1 that leaves a corner.
constexpr Feature kLeavingFeature[3][2][3] = {
    {{Feature::Vertex0, Feature::Edge01, Feature::Vertex1}, {Feature::Vertex0, Feature::Edge20, Feature::Vertex2}},
    {{Feature::Vertex1, Feature::Edge12, Feature::Vertex2}, {Feature::Vertex1, Feature::Edge01, Feature::Vertex0}},
    {{Feature::Vertex2, Feature::Edge20, Feature::Vertex0}, {Feature::Vertex2, Feature::Edge12, Feature::Vertex1}}};

Feature leaving_feature(int corner, int k, double s) { return kLeavingFeature[corner][k][(s > 0.0) + (s >= 1.0)]; }

/// The nearest of the four pairs of edges at two facing corners, by (36) in double, two pairs at a time.
inline EdgePair nearest_edges_at(const LocalPair& l, int i, int j) {
  const Vector3d &p = l.p[i], &q = l.q[j];
  const CornerEdges e(l.a, i), f(l.b, j);
  const Vector3d r = p - q;
  const Vector3x2 rr{both(r[0]), both(r[1]), both(r[2])};
  const Double2 ee = max(dot(e.lanes, e.lanes), both(kTiny)), ff = max(dot(f.lanes, f.lanes), both(kTiny));
  const Double2 inverse_ee = both(1.0) / ee, inverse_ff = both(1.0) / ff;
  const Double2 d = dot(e.lanes, rr), g = dot(f.lanes, rr);
  Double2 s[2], t[2], square[2];
  for (int k = 0; k < 2; ++k) {
    const Vector3x2 ek{both(e.lanes.x[k]), both(e.lanes.y[k]), both(e.lanes.z[k])};
    const Double2 dk = both(d[k]), c = dot(ek, f.lanes);
    const Double2 s0 = clamp01((c * g - dk * ff) / max(both(ee[k]) * ff - c * c, both(kTiny)));
    t[k] = clamp01((c * s0 + g) * inverse_ff);
    s[k] = clamp01((c * t[k] - dk) * both(inverse_ee[k]));
    const Vector3x2 z{t[k] * f.lanes.x - s[k] * ek.x - rr.x, t[k] * f.lanes.y - s[k] * ek.y - rr.y,
                      t[k] * f.lanes.z - s[k] * ek.z - rr.z};
    square[k] = dot(z, z);
  }
  const auto least = lesser(lesser(square[0][0], square[0][1]), lesser(square[1][0], square[1][1]));
  const int m = (square[0][0] != least) & (square[0][1] != least);
  const int n = square[m][0] != least;
  return {p,
          e.edge(m),
          q,
          f.edge(n),
          s[m][n],
          t[m][n],
          inverse_ee[m],
          inverse_ff[n],
          leaving_feature(i, m, s[m][n]),
          leaving_feature(j, n, t[m][n])};
}

Bracket bracket(const LocalPair& l, const Candidate& k) {
  return {separation_along(l, k.direction), upper_bound(l, k.witness), k.witness};
}

/// Position of the corners x of a triangle relative to the face of the other, given by a corner and its edges from
/// there.
struct OverFace {
  bool cut;     ///< The plane has corners on both sides.
  bool above;   ///< If not cut: the foot of the nearest corner lies in the face.
  int nearest;  ///< Its index.
  Vector3d foot;
  Vector3d normal;  ///< Towards the nearest corner.
};

inline OverFace over_face(const Vector3d& corner, const Vector3d& e0, const Vector3d& e1, const Vector3d (&x)[3]) {
  const Vector3d normal = e0.cross(e1);
  const double h0 = normal.dot(x[0] - corner), h1 = normal.dot(x[1] - corner), h2 = normal.dot(x[2] - corner);
  const double lo = lesser(lesser(h0, h1), h2), hi = greater(greater(h0, h1), h2);
  const double near = lo > 0.0 ? lo : hi;
  const int k = (h1 == near) + 2 * ((h1 != near) & (h2 == near));
  const Vector3d side = (x[k] - corner).cross(normal);
  const double nn = greater(normal.squaredNorm(), kTiny), inverse = 1.0 / nn;
  const double v = -side.dot(e1), w = side.dot(e0);
  const double v1 = clamp01(v * inverse), w1 = lesser(clamp01(w * inverse), 1.0 - v1);
  return {lo <= 0.0 && hi >= 0.0, lesser(lesser(v, w), nn - (v + w)) >= 0.0, k, corner + v1 * e0 + w1 * e1,
          normal * std::copysign(1.0, near)};
}

/// Steps 2 to 5.
template <typename Done>
void search_on(const LocalPair& l, Bracket& found, Done&& done) {
  const OverFace b = over_face(l.p[0], l.p[1], l.p[2], l.q);
  if (!b.cut && b.above) {
    const Witness w{b.foot, l.q[b.nearest], Feature::Face, static_cast<Feature>(b.nearest)};
    found.narrow(bracket(l, {w, b.normal}));
    if (done(found)) return;
  }
  const OverFace a = over_face(l.q[0], l.f(0), -l.f(2), l.p);
  if (!a.cut && a.above) {
    const Witness w{l.p[a.nearest], a.foot, static_cast<Feature>(a.nearest), Feature::Face};
    found.narrow(bracket(l, {w, -a.normal}));
    if (done(found)) return;
  }
  if (a.cut && b.cut && search_piercing(l, found)) return;
  found.narrow(bracket(l, candidate(l, nearest_features(l))));
  if (!done(found)) search_thoroughly(l, found);
}

/// Searches until done(bracket).
template <typename Done>
Bracket search(const LocalPair& l, const Facing& facing, Done&& done) {
  const EdgePair edges = nearest_edges_at(l, facing.i, facing.j);
  const Witness w = edges.witness();
  const Vector3d z = w.point_b - w.point_a;
  // A difference this long has an accurate direction.
  const bool far = z.squaredNorm() > l.scale2 / 4096.0;
  Bracket found{separation_along(l, far ? z : edges.direction()), upper_bound(l, w), w};
  if (!done(found)) search_on(l, found, done);
  return found;
}

Bracket search(const LocalPair& l) {
  return search(l, facing_vertices(l), [&](const Bracket& found) { return found.tight(l); });
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

bool triangle_gap_exceeds(const Triangle& a, const Triangle& b, double threshold) {
  const LocalPair l = make_local(a, b);
  const Facing facing = facing_vertices(l);
  if (facing.raw_gap > 0.0 && separation_along(l, facing.direction).gap > threshold) return true;
  if ((l.q[facing.j] - l.p[facing.i]).squaredNorm() <= threshold * threshold) return false;
  const auto decided = [&](const Bracket& found) {
    return found.lower.gap > threshold || found.upper <= threshold || found.tight(l);
  };
  return search(l, facing, decided).lower.gap > threshold;
}

}  // namespace planner_ccd
