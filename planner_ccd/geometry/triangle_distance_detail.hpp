#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "planner_ccd/geometry/triangle_distance.hpp"

/// The parts that the fast and the thorough search of triangle_distance() share. Not for users.
///
/// Rounding.  u = 2^-53; a hat marks a computed number. Both triangles are taken relative to the first corner of A,
///   p_i = a_i - a_0,   q_j = b_j - a_0,   e_i = a_{i+1} - a_i,   f_j = b_{j+1} - b_j,
/// one rounding a component: |x^ - x| <= u |x^|, so a common offset of both triangles costs nothing (nearby doubles
/// even subtract exactly). With P = max|p_i|, F = max(|f_0|, |f_2|): |q_j| <= |q_0| + F, and `scale` >= P + |q_0| + F.
///
/// Lower bound.  For a given n, |n| <= 1 + 5u (taken as exact), a three-term dot product obeys
///   |fl(n.x^) - n.x| <= (gamma_3 + u(1 + gamma_3)) |n||x^| <= 4.01 u |x|,
/// and the two subtractions below lose 2u (P + Q), so with g^ = min fl(n.q^) - max fl(n.p^)
///   min n.b - max n.a  >=  fl(g^ - 7 u scale). (1)
/// Dividing by |n| <= 1 + 5u makes it a lower bound of the distance: multiply by 1 - 8u. (2) (1) and (2) hold for every
/// n: the search decides only how tight they are, never whether they are true.
///
/// Upper bound.  A witness is a point p_i + s e_i or p_0 + v (p_1 - p_0) + w (p_2 - p_0) with s in [0,1] or v, w >= 0,
/// v + w <= 1 + u. Each of its at most four operations adds u times at most 2P, so it is within 6 u P of a point of the
/// triangle; likewise u (2|q_0| + 6F) for B; the norm of the difference adds 4u relative:
///   distance <= |fl(q - p)| (1 + 6u) + 8 u scale. (3)
///
/// Underflow. `scale` contains 2^-500; u 2^-500 covers every product that underflows (each loses at most 2^-1074, under
/// a square root 2^-537).
namespace planner_ccd::triangle_detail {

inline constexpr double kUnit = 0x1p-53;

inline constexpr int next(int i) { return i == 2 ? 0 : i + 1; }

/// Two triangles relative to the first corner of A.
struct LocalPair {
  Eigen::Vector3d p[3], q[3];  ///< Corners.
  Eigen::Vector3d e[3], f[3];  ///< Edges: e[i] runs from p[i] to p[next(i)].
  double scale;                ///< >= P + |q_0| + F
};

inline LocalPair make_local(const Triangle& a, const Triangle& b) {
  LocalPair l;
  l.p[0].setZero();
  l.p[1] = a[1] - a[0];
  l.p[2] = a[2] - a[0];
  for (int j = 0; j < 3; ++j) l.q[j] = b[j] - a[0];
  l.e[0] = l.p[1];
  l.e[1] = a[2] - a[1];
  l.e[2] = -l.p[2];
  for (int j = 0; j < 3; ++j) l.f[j] = b[next(j)] - b[j];
  const double p2 = std::max(l.e[0].squaredNorm(), l.e[2].squaredNorm());
  const double f2 = std::max(l.f[0].squaredNorm(), l.f[2].squaredNorm());
  // (x + y + z)^2 <= 3 (x^2 + y^2 + z^2); 3.001 absorbs the rounding of this line.
  l.scale = std::sqrt(3.001 * (p2 + f2 + l.q[0].squaredNorm())) + 0x1p-500;
  return l;
}

/// (1)
inline double gap_along(const LocalPair& l, const Eigen::Vector3d& n) {
  const double p1 = n.dot(l.p[1]);
  const double p2 = n.dot(l.p[2]);
  const double q = std::min(std::min(n.dot(l.q[0]), n.dot(l.q[1])), n.dot(l.q[2]));
  return (q - std::max(std::max(p1, p2), 0.0)) - 7.0 * kUnit * l.scale;
}

/// A pair of witness points, local.
struct Witness {
  Eigen::Vector3d point_a, point_b;
  Feature feature_a = Feature::Vertex0, feature_b = Feature::Vertex0;
};

/// (3)
inline double upper_bound(const LocalPair& l, const Witness& w) {
  return (w.point_b - w.point_a).norm() * (1.0 + 6.0 * kUnit) + 8.0 * kUnit * l.scale;
}

/// What a search has found so far: a certified interval, and where each end of it comes from.
struct Bracket {
  double lower;            ///< (2) Not above the distance if positive; without meaning if not.
  double upper;            ///< (3)
  Eigen::Vector3d normal;  ///< Unit.
  Witness witness;

  /// No search could narrow it by much more than the rounding of (1) to (3).
  bool tight(const LocalPair& l) const { return upper - lower <= 64.0 * kUnit * l.scale + 0x1p-44 * upper; }
};

/// A unit vector along v, whose length may lie anywhere in [2^-400, 2^400]; false for others.
inline bool normalize(Eigen::Vector3d& v) {
  const double n2 = v.squaredNorm();
  if (!(n2 > 0x1p-800 && n2 < 0x1p800)) return false;
  v *= 1.0 / std::sqrt(n2);
  return true;
}

inline Feature edge_feature(int edge, double s) {
  if (s <= 0.0) return static_cast<Feature>(edge);
  if (s >= 1.0) return static_cast<Feature>(next(edge));
  return static_cast<Feature>(3 + edge);
}

/// All features, carefully: crossing edges by cross products instead of determinants that cancel, every normal made
/// orthogonal again to the edges it comes from, edges through faces. Narrows `found` as far as rounding allows.
void search_thoroughly(const LocalPair& l, Bracket& found);

}  // namespace planner_ccd::triangle_detail
