#include "planner_ccd/triangle_ccd/detail/pair_witness.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/triangle_ccd/detail/patch.hpp"

namespace planner_ccd::leaf {
namespace {

using Eigen::Vector3d;
using Weights = std::array<double, 3>;

constexpr int next(int i) { return i == 2 ? 0 : i + 1; }

/// Share of the way from corner `from` to the next one, of the point of that edge nearest to p.
Weights on_edge(const Triangle& x, int from, const Vector3d& p) {
  const Vector3d e = x[next(from)] - x[from];
  const double share = std::clamp((p - x[from]).dot(e) / std::max(e.squaredNorm(), 1e-300), 0.0, 1.0);
  Weights w{};
  w[from] = 1 - share;
  w[next(from)] = share;
  return w;
}

/// A face, with the data for coordinates in its plane.
struct Plane {
  Vector3d corner, e, f, normal;

  explicit Plane(const Triangle& x) : corner(x[0]), e(x[1] - x[0]), f(x[2] - x[0]), normal(e.cross(f)) {}

  double height(const Vector3d& p) const { return normal.dot(p - corner); }

  /// Shares of e and f, unclamped.
  std::array<double, 2> shares(const Vector3d& p) const {
    const Vector3d side = (p - corner).cross(normal);
    const double inverse = 1 / std::max(normal.squaredNorm(), 1e-300);
    return {-side.dot(f) * inverse, side.dot(e) * inverse};
  }
};

Weights on_face(const Triangle& x, const Vector3d& p) {
  const auto [share_e, share_f] = Plane(x).shares(p);
  const double v = std::clamp(share_e, 0.0, 1.0), w = std::clamp(share_f, 0.0, 1.0 - v);
  return {1 - v - w, v, w};
}

Weights weights(const Triangle& x, Feature feature, const Vector3d& p) {
  const int k = static_cast<int>(feature);
  if (feature == Feature::Face) return on_face(x, p);
  if (feature >= Feature::Edge01) return on_edge(x, k - 3, p);
  Weights w{};
  w[k] = 1.0;
  return w;
}

Vector3d combined(const Triangle& x, const Weights& w) { return w[0] * x[0] + w[1] * x[1] + w[2] * x[2]; }

double greatest_coordinate(const Triangle& x) {
  return std::max({x[0].cwiseAbs().maxCoeff(), x[1].cwiseAbs().maxCoeff(), x[2].cwiseAbs().maxCoeff()});
}

/// Distance of two points from their weights, rounded up. With Q the greatest coordinate of `a` and `b`, weights sum to 1 up to
/// 2 u, a product and two sums add 3 u: a point is off by at most 6 u Q per coordinate, their difference by 14 u Q, its norm
/// by 4 u of itself; 14 sqrt(3) < 32.
double distance_up(const Triangle& a, const Triangle& b, const PairWitness& w) {
  const double size = std::max(greatest_coordinate(a), greatest_coordinate(b));
  const double distance = (combined(b, w.weights_b) - combined(a, w.weights_a)).norm();
  return distance * (1 + 8 * kUnitRoundoff) + 32 * kUnitRoundoff * size + 1e-300;
}

/// Weights of the edge of `x` and of the face `plane` where one goes through the other.
struct Piercing {
  Weights edge, face;
};

std::optional<Piercing> piercing(const Triangle& x, const Plane& plane) {
  const double height[3] = {plane.height(x[0]), plane.height(x[1]), plane.height(x[2])};
  for (int i = 0; i < 3; ++i) {
    const double from = height[i], to = height[next(i)];
    if ((from > 0) == (to > 0)) continue;
    const double share = std::clamp(from / (from - to), 0.0, 1.0);
    const auto [v, w] = plane.shares((1 - share) * x[i] + share * x[next(i)]);
    if (!(v >= 0 && w >= 0 && v + w <= 1)) continue;
    Piercing found{{}, {1 - v - w, v, w}};
    found.edge[i] = 1 - share;
    found.edge[next(i)] = share;
    return found;
  }
  return std::nullopt;
}

/// The corner, side or face that points with these weights lie on.
Feature feature(const Weights& w) {
  for (int i = 0; i < 3; ++i) {
    if (w[i] == 1) return static_cast<Feature>(i);
    if (w[i] == 0) return static_cast<Feature>(3 + next(i));
  }
  return Feature::Face;
}

}  // namespace

std::optional<PairWitness> piercing_edge(const Triangle& a, const Triangle& b) {
  // Relative to a corner, so that coordinates far from zero lose no precision.
  const Vector3d& origin = a[0];
  const Triangle p{Vector3d::Zero(), a[1] - origin, a[2] - origin};
  const Triangle q{b[0] - origin, b[1] - origin, b[2] - origin};
  const Plane plane_a(p), plane_b(q);
  PairWitness out;
  if (const auto by_a = piercing(p, plane_b)) {
    out.weights_a = by_a->edge, out.weights_b = by_a->face;
    out.normal = plane_b.normal;
  } else if (const auto by_b = piercing(q, plane_a)) {
    out.weights_a = by_b->face, out.weights_b = by_b->edge;
    out.normal = plane_a.normal;
  } else {
    return std::nullopt;
  }
  const double length = out.normal.norm();
  if (!(length > 0 && std::isfinite(length))) return std::nullopt;
  const bool towards_a = out.normal.dot((q[0] + q[1] + q[2]) - (p[1] + p[2])) < 0;
  out.normal *= (towards_a ? -1 : 1) / length;
  out.feature_a = feature(out.weights_a), out.feature_b = feature(out.weights_b);
  out.point_a = origin + combined(p, out.weights_a), out.point_b = origin + combined(q, out.weights_b);
  out.distance = distance_up(p, q, out);
  return out;
}

PairWitness nearest_points(const Triangle& a, const Triangle& b, const TriangleDistance& nearest) {
  return {weights(a, nearest.feature_a, nearest.point_a),
          weights(b, nearest.feature_b, nearest.point_b),
          nearest.feature_a,
          nearest.feature_b,
          nearest.point_a,
          nearest.point_b,
          nearest.normal,
          nearest.upper};
}

}  // namespace planner_ccd::leaf
