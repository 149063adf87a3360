#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <limits>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "planner_ccd/geometry/triangle_distance.hpp"
#include "planner_ccd/math/tolerances.hpp"

/// Shared by the fast and the thorough search of triangle_distance(). Not for users.
///
/// Rounding.  u = 2^-53; a hat marks a computed number. Both triangles are taken relative to the first corner of A,
///   p_i = a_i - a_0,   q_j = b_j - a_0,   e_i = a_{i+1} - a_i,   f_j = b_{j+1} - b_j,
/// one rounding a component: |x^ - x| <= u |x^|, so a common offset of both triangles costs nothing (nearby doubles
/// even subtract exactly). With P = max|p_i|, F = max(|f_0|, |f_2|): |q_j| <= |q_0| + F, and `scale` >= P + |q_0| + F.
///
/// Lower bound.  For a given v (its doubles taken as exact) a three-term dot product obeys
///   |fl(v.x^) - v.x| <= (gamma_3 + u(1 + gamma_3)) |v||x^| <= 4.01 u |v||x|,
/// so with g^ = min fl(v.q^) - max fl(v.p^), which loses u (P + Q)|v| itself,
///   (min v.b - max v.a) / |v|  >=  g^ / |v| - 5.01 u (P + Q).                                                      (1)
/// The left side is a lower bound of the distance. 1 / |v| is computed to 3.6u, the product and the difference below
/// add u each: 10.7 u (P + Q) in all. The returned normal n = fl(v / |v|) is wrong by u in each component beside a
/// common factor 1 + 3.6u, which adds 4.7 u (P + Q). So
///   min n.b - max n.a  >=  fl(fl(g^ / |v|) - 16 u scale)  =  distance                                              (2)
/// for the exact unit vector and for n. It holds for every v: the search decides only how tight it is.
///
/// Upper bound.  A witness is a point p_i + s e_i or p_0 + v (p_1 - p_0) + w (p_2 - p_0) with s in [0,1] or v, w >= 0,
/// v + w <= 1 + u. Each of its at most four operations adds u times at most 2P, so it is within 6 u P of a point of the
/// triangle; likewise u (2|q_0| + 6F) for B; the norm of the difference adds 4u relative:
///   distance <= |fl(q - p)| (1 + 6u) + 8 u scale.                                                                  (3)
///
/// Underflow. `scale` contains 2^-500; u 2^-500 covers every product that underflows (each loses at most 2^-1074, under
/// a square root 2^-537).
namespace planner_ccd::triangle_detail {

inline constexpr double kTiny = 0x1p-1000;  ///< Squared lengths below it count as 0.

inline constexpr int next(int i) { return i == 2 ? 0 : i + 1; }

/// std::min and std::max (for numbers) that are never compiled to a branch, which here would be unpredictable.
#if defined(__SSE2__)
inline double lesser(double a, double b) { return _mm_cvtsd_f64(_mm_min_sd(_mm_set_sd(a), _mm_set_sd(b))); }
inline double greater(double a, double b) { return _mm_cvtsd_f64(_mm_max_sd(_mm_set_sd(a), _mm_set_sd(b))); }
#else
inline double lesser(double a, double b) { return a < b ? a : b; }
inline double greater(double a, double b) { return a > b ? a : b; }
#endif
inline double clamp01(double x) { return lesser(greater(x, 0.0), 1.0); }

/// Double2 triangles relative to the first corner of A.
struct LocalPair {
  const Triangle &a, &b;       ///< As given.
  Eigen::Vector3d p[3], q[3];  ///< Corners.
  double scale;                ///< >= P + |q_0| + F
  double scale2;               ///< Its square, roughly.

  /// Edges, from corner i to next(i).
  Eigen::Vector3d e(int i) const { return a[next(i)] - a[i]; }
  Eigen::Vector3d f(int j) const { return b[next(j)] - b[j]; }
};

inline LocalPair make_local(const Triangle& a, const Triangle& b) {
  LocalPair l{a, b, {}, {}, 0.0, 0.0};
  l.p[0].setZero();
  l.p[1] = a[1] - a[0];
  l.p[2] = a[2] - a[0];
  for (int j = 0; j < 3; ++j) l.q[j] = b[j] - a[0];
  const double p2 = greater(l.p[1].squaredNorm(), l.p[2].squaredNorm());
  const double f2 = greater(l.f(0).squaredNorm(), l.f(2).squaredNorm());
  // (x + y + z)^2 <= 3 (x^2 + y^2 + z^2); 3.001 absorbs the rounding of this line.
  l.scale2 = 3.001 * (p2 + f2 + l.q[0].squaredNorm()) + 0x1p-1000;
  l.scale = std::sqrt(l.scale2);
  return l;
}

/// Smallest v.b less greatest v.a, in plain rounding. (1)
inline double raw_gap(const LocalPair& l, const Eigen::Vector3d& v) {
  const double p1 = v.dot(l.p[1]);
  const double p2 = v.dot(l.p[2]);
  const double q = lesser(lesser(v.dot(l.q[0]), v.dot(l.q[1])), v.dot(l.q[2]));
  return q - greater(greater(p1, p2), 0.0);
}

/// A direction and what it proves.
struct Separation {
  double gap = -std::numeric_limits<double>::infinity();  ///< (2)
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();
};

/// (2) for any v with a length in [2^-400, 2^400]; proves nothing for others.
inline Separation separation_along(const LocalPair& l, const Eigen::Vector3d& v) {
  const double n2 = v.squaredNorm();
  if (!(n2 > 0x1p-800 && n2 < 0x1p800)) return {};
  const double inverse = 1.0 / std::sqrt(n2);
  return {raw_gap(l, v) * inverse - 16.0 * kUnitRoundoff * l.scale, v * inverse};
}

/// A pair of witness points, local.
struct Witness {
  Eigen::Vector3d point_a, point_b;
  Feature feature_a = Feature::Vertex0, feature_b = Feature::Vertex0;
};

/// (3)
inline double upper_bound(const LocalPair& l, const Witness& w) {
  return (w.point_b - w.point_a).norm() * (1.0 + 6.0 * kUnitRoundoff) + 8.0 * kUnitRoundoff * l.scale;
}

/// The result of a search so far: a certified interval, and the origin of each of its ends.
struct Bracket {
  Separation lower;
  double upper;  ///< (3)
  Witness witness;

  void narrow(const Bracket& other) {
    if (other.lower.gap > lower.gap) lower = other.lower;
    if (other.upper < upper) {
      upper = other.upper;
      witness = other.witness;
    }
  }

  /// True if no search could narrow it by much more than the rounding of (2) and (3).
  bool tight(const LocalPair& l) const {
    return upper - greater(lower.gap, 0.0) <= 64.0 * kUnitRoundoff * l.scale + 512.0 * kUnitRoundoff * upper;
  }
};

/// Start, interior and end of each edge.
inline constexpr Feature kEdgeFeature[3][3] = {{Feature::Vertex0, Feature::Edge01, Feature::Vertex1},
                                               {Feature::Vertex1, Feature::Edge12, Feature::Vertex2},
                                               {Feature::Vertex2, Feature::Edge20, Feature::Vertex0}};

inline Feature edge_feature(int edge, double s) { return kEdgeFeature[edge][(s > 0.0) + (s >= 1.0)]; }

/// A point x and a face, given by a corner and the edges from it to the other two: the foot corner + v e0 + w e1,
/// brought into the face, and the normal towards x.
struct Foot {
  Eigen::Vector3d point;
  Eigen::Vector3d normal;  ///< Any length.
};

inline Foot foot_on_face(const Eigen::Vector3d& corner, const Eigen::Vector3d& e0, const Eigen::Vector3d& e1,
                         const Eigen::Vector3d& x) {
  const Eigen::Vector3d y = x - corner;
  const Eigen::Vector3d normal = e0.cross(e1);
  const Eigen::Vector3d side = y.cross(normal);
  const double inverse = 1.0 / greater(normal.squaredNorm(), kTiny);
  const double v = clamp01(-side.dot(e1) * inverse);
  const double w = lesser(clamp01(side.dot(e0) * inverse), 1.0 - v);
  return {corner + v * e0 + w * e1, normal * std::copysign(1.0, normal.dot(y))};
}

/// Rows 0 to 2: edge `row` of A and edge `column` of B. Row 3: the face of A and vertex `column` of B. Row 4: vertex
/// `column` of A and the face of B.
struct FeatureGuess {
  int row, column;
};

/// The closest features, named in single precision: a guess that needs confirming.
FeatureGuess nearest_features(const LocalPair& l);

/// Edges through faces. True if one of them ends the search.
bool search_piercing(const LocalPair& l, Bracket& found);

/// All features, carefully: crossing edges by cross products instead of determinants that cancel, every normal made
/// orthogonal again to the edges it comes from, edges through faces. Narrows `found` as far as rounding allows.
void search_thoroughly(const LocalPair& l, Bracket& found);

}  // namespace planner_ccd::triangle_detail
