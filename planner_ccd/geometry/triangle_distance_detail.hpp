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

/// Shared by the fast and the thorough search of triangle_distance(). Not for users. (MATHS.md T19, 10c)
///
/// Both triangles are taken relative to the first corner of A, so a common offset costs no precision. Every vector v gives a lower bound of
/// the distance, (34), and every pair of witnesses an upper one, (35): the search decides only how tight they are.
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

/// Smallest v.b less greatest v.a, in plain rounding: the numerator of (33).
inline double raw_gap(const LocalPair& l, const Eigen::Vector3d& v) {
  const double p1 = v.dot(l.p[1]);
  const double p2 = v.dot(l.p[2]);
  const double q = lesser(lesser(v.dot(l.q[0]), v.dot(l.q[1])), v.dot(l.q[2]));
  return q - greater(greater(p1, p2), 0.0);
}

/// A direction and what it proves.
struct Separation {
  double gap = -std::numeric_limits<double>::infinity();  ///< (34)
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();
};

/// (34) for any v with a length in [2^-400, 2^400]; proves nothing for others.
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

/// (35)
inline double upper_bound(const LocalPair& l, const Witness& w) {
  return (w.point_b - w.point_a).norm() * (1.0 + 6.0 * kUnitRoundoff) + 8.0 * kUnitRoundoff * l.scale;
}

/// The result of a search so far: a certified interval, and the origin of each of its ends.
struct Bracket {
  Separation lower;
  double upper;  ///< (35)
  Witness witness;

  void narrow(const Bracket& other) {
    if (other.lower.gap > lower.gap) lower = other.lower;
    if (other.upper < upper) {
      upper = other.upper;
      witness = other.witness;
    }
  }

  /// True if no search could narrow it by much more than the rounding of (34) and (35).
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
