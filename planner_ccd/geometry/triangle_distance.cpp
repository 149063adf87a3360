#include "planner_ccd/geometry/triangle_distance.hpp"

#include <algorithm>
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

/// Vertex against face. `face[0]` is the face's corner 0, `e0`, `e1` its edges to corners 1 and 2, `vertices` the other
/// triangle. Only if all three vertices lie on one side can one of them be closest to the interior, and it must be the
/// nearest to the plane; if it then projects into the face, its height is the distance, and no edge needs to be looked
/// at.
struct FaceHit {
  bool hit = false;
  int vertex = 0;
  double v = 0.0, w = 0.0;  ///< The foot: face[0] + v e0 + w e1.
  Vector3d normal;          ///< Not normalised; towards the vertex.
};

FaceHit vertex_on_face(const Vector3d& corner, const Vector3d& e0, const Vector3d& e1, const Vector3d* vertices) {
  FaceHit r;
  r.normal = e0.cross(e1);
  const Vector3d x[3] = {vertices[0] - corner, vertices[1] - corner, vertices[2] - corner};
  const double h[3] = {r.normal.dot(x[0]), r.normal.dot(x[1]), r.normal.dot(x[2])};
  const double lo = std::min(std::min(h[0], h[1]), h[2]);
  const double hi = std::max(std::max(h[0], h[1]), h[2]);
  if (!(lo > 0.0 || hi < 0.0)) return r;
  const double nearest = lo > 0.0 ? lo : hi;
  r.vertex = nearest == h[0] ? 0 : nearest == h[1] ? 1 : 2;
  const Vector3d side = x[r.vertex].cross(r.normal);
  const double n2 = r.normal.squaredNorm();
  r.v = -side.dot(e1);
  r.w = side.dot(e0);
  r.hit = r.v >= 0.0 && r.w >= 0.0 && r.v + r.w <= n2;
  if (!r.hit) return r;
  r.v /= n2;
  r.w = std::min(r.w / n2, 1.0 - r.v);
  if (nearest < 0.0) r.normal = -r.normal;
  return r;
}

/// Closest points of all nine pairs of edges, r + s e - t f with r = p_i - q_j: the unconstrained s, clamped; the best
/// t for it, clamped; the best s for that, clamped. The result is exact for any start if the edges are parallel
/// (Ericson 2005, 5.1.9).
struct EdgePair {
  int i = 0, j = 0;
  double s = 0.0, t = 0.0;
  double distance2 = std::numeric_limits<double>::infinity();
  Vector3d difference = Vector3d::Zero();  ///< From A to B.
};

double clamp01(double x) { return std::min(std::max(x, 0.0), 1.0); }

/// 0 for edges shorter than 1e-150: they count as their first point.
double inverse_or_zero(double x) { return x > 0x1p-1000 ? 1.0 / x : 0.0; }

EdgePair closest_edges(const LocalPair& l) {
  EdgePair best;
  double ee[3], ff[3], inv_ee[3], inv_ff[3];
  for (int i = 0; i < 3; ++i) {
    ee[i] = l.e[i].squaredNorm();
    ff[i] = l.f[i].squaredNorm();
    inv_ee[i] = inverse_or_zero(ee[i]);
    inv_ff[i] = inverse_or_zero(ff[i]);
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vector3d r = l.p[i] - l.q[j];
      const double c = l.e[i].dot(l.f[j]);
      const double d = l.e[i].dot(r);
      const double g = l.f[j].dot(r);
      const double det = ee[i] * ff[j] - c * c;
      const double s0 = clamp01((c * g - d * ff[j]) * inverse_or_zero(det));
      const double t = clamp01((c * s0 + g) * inv_ff[j]);
      const double s = clamp01((c * t - d) * inv_ee[i]);
      const Vector3d difference = t * l.f[j] - s * l.e[i] - r;
      const double distance2 = difference.squaredNorm();
      if (distance2 < best.distance2) best = {i, j, s, t, distance2, difference};
    }
  }
  return best;
}

/// The direction that proves two closest edge points apart. The difference itself is exact to u * scale only, which
/// turns it far too much when it is short; the edges that the points are interior to say where it must point.
Vector3d edge_normal(const LocalPair& l, const EdgePair& pair) {
  const bool in_e = pair.s > 0.0 && pair.s < 1.0;
  const bool in_f = pair.t > 0.0 && pair.t < 1.0;
  const Vector3d& e = l.e[pair.i];
  const Vector3d& f = l.f[pair.j];
  if (in_e && in_f) {
    const Vector3d n = e.cross(f);
    return n.dot(pair.difference) < 0.0 ? Vector3d(-n) : n;
  }
  if (in_e) return pair.difference - e * (e.dot(pair.difference) / e.squaredNorm());
  if (in_f) return pair.difference - f * (f.dot(pair.difference) / f.squaredNorm());
  return pair.difference;
}

Witness edge_witness(const LocalPair& l, const EdgePair& pair) {
  return {l.p[pair.i] + pair.s * l.e[pair.i], l.q[pair.j] + pair.t * l.f[pair.j], edge_feature(pair.i, pair.s),
          edge_feature(pair.j, pair.t)};
}

void set_candidate(const LocalPair& l, const Witness& witness, const Vector3d& direction, Bracket& found) {
  found.witness = witness;
  found.upper = upper_bound(l, witness);
  found.normal = direction;
  if (normalize(found.normal)) {
    found.lower = gap_along(l, found.normal) * (1.0 - 8.0 * kUnit);
  } else {
    found.normal = Vector3d::UnitX();
    found.lower = 0.0;
  }
}

Bracket search(const LocalPair& l) {
  Bracket found;
  if (const FaceHit hit = vertex_on_face(l.p[0], l.p[1], l.p[2], l.q); hit.hit) {
    const Witness w{hit.v * l.p[1] + hit.w * l.p[2], l.q[hit.vertex], Feature::Face, static_cast<Feature>(hit.vertex)};
    set_candidate(l, w, hit.normal, found);
  } else if (const FaceHit hit_b = vertex_on_face(l.q[0], l.f[0], -l.f[2], l.p); hit_b.hit) {
    const Witness w{l.p[hit_b.vertex], l.q[0] + hit_b.v * l.f[0] - hit_b.w * l.f[2], static_cast<Feature>(hit_b.vertex),
                    Feature::Face};
    set_candidate(l, w, -hit_b.normal, found);
  } else {
    const EdgePair pair = closest_edges(l);
    set_candidate(l, edge_witness(l, pair), edge_normal(l, pair), found);
  }
  if (!found.tight(l)) search_thoroughly(l, found);
  return found;
}

}  // namespace

TriangleDistance triangle_distance(const Triangle& a, const Triangle& b) {
  const LocalPair l = make_local(a, b);
  const Bracket found = search(l);
  return {found.lower > 0.0 ? found.lower : 0.0,
          found.upper,
          found.witness.point_a + a[0],
          found.witness.point_b + a[0],
          found.normal,
          found.witness.feature_a,
          found.witness.feature_b};
}

double triangle_gap_along(const Triangle& a, const Triangle& b, const Vector3d& n) {
  return gap_along(make_local(a, b), n);
}

bool triangle_gap_exceeds(const Triangle& a, const Triangle& b, double threshold) {
  const LocalPair l = make_local(a, b);
  return search(l).lower > threshold;
}

bool triangles_may_touch(const Triangle& a, const Triangle& b) {
  const LocalPair l = make_local(a, b);
  return !(search(l).lower > 0.0);
}

}  // namespace planner_ccd
