#include "planner_ccd/triangle_ccd/plucker_piece.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd::plucker {
namespace {

using Eigen::Vector3d;

constexpr double kUp = 1.0 + 16.0 * kUnitRoundoff;

/// Of coefficients of (12) and (13), relative to the features' edges and size. Everything here is about the triangles that the doubles a, b
/// describe and an ideal rotation about k / |k|; the real ones are within `rounding` of them. (MATHS.md T10)
constexpr double kTrajectoryError = 256.0 * kUnitRoundoff;

/// Evaluations allowed for a span once its features are within the tolerance.
constexpr int kEvaluationsInTolerance = 24;

}  // namespace

Piece::Piece(Kind kind, const Vector3d& k, double travel, const Triangle& a, const Triangle& b,
             const PieceLimits& limits, const Span& domain)
    : kind_(kind), k_(k), travel_(travel), a_(a), b_(b), limits_(limits), domain_(domain) {
  for (int i = 0; i < 3; ++i) {
    moving_[i] = moving_vertex(kind, k, travel, a[i]);
    edges_a_[i] = line_through(a[i], a[(i + 1) % 3]);
    edges_b_[i] = line_through(b[i], b[(i + 1) % 3]);
  }
  normal_a_ = edges_a_[0].direction.cross(edges_a_[1].direction);
  normal_b_ = edges_b_[0].direction.cross(edges_b_[1].direction);
}

Triangle Piece::moved(double r) const {
  return {position(kind_, moving_[0], r), position(kind_, moving_[1], r), position(kind_, moving_[2], r)};
}

Spans Piece::suspects(const FeaturePair& pair) const {
  const double m = limits_.separation;
  const auto level = [&](const Vector3d& e, const Vector3d& f, double slack) {
    const double area = e.norm() * f.norm();
    const double separation = (m + 2.0 * limits_.rounding) * slack;
    return (separation + kTrajectoryError * area * (limits_.size + m)) * kUp;
  };
  Height h;
  double bound = 0.0;
  if (pair.type == PairType::VertexFace) {
    h = vertex_plane(moving_[pair.a], normal_b_, normal_b_.dot(b_[0]));
    bound = level(edges_b_[0].direction, edges_b_[1].direction, normal_b_.norm());
  } else if (pair.type == PairType::FaceVertex) {
    h = plane_vertex(kind_, k_, travel_, normal_a_, a_[0], b_[pair.b]);
    bound = level(edges_a_[0].direction, edges_a_[1].direction, normal_a_.norm());
  } else {
    const Line& p = edges_a_[pair.a];
    const Line& q = edges_b_[pair.b];
    h = edge_edge(kind_, k_, travel_, p, q);
    bound = level(p.direction, q.direction, p.direction.norm() * q.direction.norm());
  }
  return within(kind_, h, bound, domain_);
}

Piece::Corners Piece::corners_of(const FeaturePair& pair) {
  if (pair.type == PairType::VertexFace) return {{pair.a, pair.a, pair.a}, {0, 1, 2}};
  if (pair.type == PairType::FaceVertex) return {{0, 1, 2}, {pair.b, pair.b, pair.b}};
  const int a1 = (pair.a + 1) % 3;
  const int b1 = (pair.b + 1) % 3;
  return {{pair.a, a1, pair.a}, {pair.b, b1, pair.b}};
}

Span Piece::free_around(const Vector3d& n, double r) const { return free_around({{0, 1, 2}, {0, 1, 2}}, n, r); }

/// Of corners within 40u L of the ideal rotation, and dot products. (MATHS.md T10)
Span Piece::free_around(const Corners& corners, const Vector3d& n, double r) const {
  const Span none{r, r};
  constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  const double length = n.norm();
  if (!(length > 1e-100)) return none;
  const double wall = std::min({n.dot(b_[corners.b[0]]), n.dot(b_[corners.b[1]]), n.dot(b_[corners.b[2]])});
  const double need =
      length * (limits_.separation + 64.0 * kUnitRoundoff * limits_.size + 2.0 * limits_.rounding) * kUp;
  Span free{-kUnlimited, kUnlimited};
  for (int i = 0; i < 3; ++i) {
    if (i > 0 && corners.a[i] == corners.a[0]) continue;
    const Height gap = vertex_plane(moving_[corners.a[i]], n, wall).negated();
    const Spans blocked = at_most(kind_, gap, need, domain_);
    for (int s = 0; s < blocked.count; ++s) {
      const Span& span = blocked.items[s];
      if (span.lo <= r && r <= span.hi) return none;
      if (span.lo > r) free.hi = std::min(free.hi, span.lo);
      if (span.hi < r) free.lo = std::max(free.lo, span.hi);
    }
  }
  return free;
}

ClosestFeatures Piece::closest(const FeaturePair& pair, double r) const {
  ClosestFeatures result;
  if (pair.type == PairType::VertexFace) {
    result = closest_point_triangle(position(kind_, moving_[pair.a], r), b_);
    result.weights_a = {};
    result.weights_a[pair.a] = 1.0;
  } else if (pair.type == PairType::FaceVertex) {
    const ClosestFeatures turned = closest_point_triangle(b_[pair.b], moved(r));
    result.point_a = turned.point_b;
    result.point_b = turned.point_a;
    result.weights_a = turned.weights_b;
    result.weights_b[pair.b] = 1.0;
  } else {
    const int a1 = (pair.a + 1) % 3;
    const int b1 = (pair.b + 1) % 3;
    const ClosestFeatures found =
        closest_segments({position(kind_, moving_[pair.a], r), position(kind_, moving_[a1], r)}, {b_[pair.b], b_[b1]});
    result.point_a = found.point_a;
    result.point_b = found.point_b;
    result.weights_a[pair.a] = found.weights_a[0];
    result.weights_a[a1] = found.weights_a[1];
    result.weights_b[pair.b] = found.weights_b[0];
    result.weights_b[b1] = found.weights_b[1];
  }
  return result;
}

Vector3d Piece::normal_at(const FeaturePair& pair, double r) const {
  if (pair.type == PairType::VertexFace) return normal_b_;
  const Triangle a = moved(r);
  if (pair.type == PairType::FaceVertex) return (a[1] - a[0]).cross(a[2] - a[1]);
  return (a[(pair.a + 1) % 3] - a[pair.a]).cross(edges_b_[pair.b].direction);
}

/// If the witness points coincide to rounding, uses the features' own normal, turned the way A moves.
PieceContact Piece::contact_at(const FeaturePair& pair, double r, const ClosestFeatures& closest,
                               double distance) const {
  PieceContact contact{r, closest, closest.point_b - closest.point_a, distance};
  if (contact.normal.norm() <= 1e-9 * limits_.size) {
    const auto turned = [&](const Vector3d& x) -> Vector3d {
      return kind_ == Kind::Rotation ? k_.cross(x) : Vector3d(travel_ * k_);
    };
    const Vector3d n = normal_at(pair, r);
    if (!n.isZero(0.0)) contact.normal = n.dot(turned(closest.point_a)) < 0.0 ? Vector3d(-n) : n;
  }
  contact.normal = contact.normal.stableNormalized();
  return contact;
}

/// Invariant: [span.lo, x) is proved free. A normal helps when its free span contains x; the first one is tried in the
/// middle, where it proves all of a narrow span.
PieceAdvance Piece::advance(const FeaturePair& pair, const Span& span, int& budget) const {
  const Corners corners = corners_of(pair);
  double x = span.lo;
  double r = 0.5 * (span.lo + span.hi);
  int close_calls = 0;
  while (budget-- > 0) {
    const ClosestFeatures found = closest(pair, r);
    const Vector3d n = found.point_b - found.point_a;
    const double distance = n.norm() * kUp + 2.0 * limits_.rounding;
    const bool in_tolerance = distance <= limits_.separation + limits_.tolerance;
    const bool tried_enough = r == x && in_tolerance && ++close_calls > kEvaluationsInTolerance;
    Span free = free_around(corners, n, r);
    if (!(free.lo < x && x < free.hi)) {
      // Features much larger than their distance: only their own normal is accurate enough.
      const Vector3d normal = normal_at(pair, r);
      free = free_around(corners, normal.dot(n) < 0.0 ? Vector3d(-normal) : normal, r);
    }
    if (!tried_enough && free.lo < x && x < free.hi) {
      if (free.hi > span.hi) return {Verdict::Free, free.hi, {}};
      r = x = free.hi;
    } else if (r != x) {
      r = x;
    } else {
      return {in_tolerance ? Verdict::Contact : Verdict::Undecided, x, contact_at(pair, r, found, distance)};
    }
  }
  return {Verdict::Undecided, x, {}};
}

}  // namespace planner_ccd::plucker
