#include "planner_ccd/triangle_ccd/plucker.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd::plucker {
namespace {

using Eigen::Vector3d;

constexpr double kUp = 1.0 + 8.0 * kUnitRoundoff;
constexpr double kDown = 1.0 - 8.0 * kUnitRoundoff;
constexpr double kTiny = 1e-300;  ///< Above anything that a product may lose to underflow.

Span widened(double lo, double hi) {
  return {lo - (std::abs(lo) * 8.0 * kUnitRoundoff + kTiny), hi + (std::abs(hi) * 8.0 * kUnitRoundoff + kTiny)};
}

/// numerator / [lo, hi], 0 <= lo < hi; infinite where the divisor may be 0.
Span quotient(double numerator, const Span& divisor) {
  const double far = numerator / divisor.lo;
  const double near = numerator / divisor.hi;
  return widened(std::min(near, far), std::max(near, far));
}

void add_clipped(Spans& spans, double lo, double hi, const Span& domain) {
  lo = std::max(lo, domain.lo);
  hi = std::min(hi, domain.hi);
  if (lo <= hi) spans.add({lo, hi});
}

/// Where a r^2 + 2 b r + c <= 0, or more. Roots: q = |b| + sqrt(b^2 - a c), -sign(b) q / a and -sign(b) c / q, which do
/// not cancel; q is kept as a bracket that covers the rounding of the discriminant.
Spans quadratic_at_most_zero(double a, double b, double c, const Span& domain) {
  Spans result;
  const double reach = (std::abs(a) + 2.0 * std::abs(b)) * kUp;  // of the terms in r, as |r| <= 1
  if (c > reach) return result;
  if (c < -reach) {
    result.add(domain);
    return result;
  }
  const double bb = b * b;
  const double ac = a * c;
  const double error = 4.0 * kUnitRoundoff * (bb + std::abs(ac)) + kTiny;
  const double high = (bb - ac) + error;
  const double low = std::max(0.0, (bb - ac) - error);
  if (high < 0.0) {  // no root: one sign everywhere, and a c > 0
    if (c < 0.0) result.add(domain);
    return result;
  }
  const Span q{(std::abs(b) + std::sqrt(low)) * kDown, (std::abs(b) + std::sqrt(high)) * kUp};
  if (q.lo <= 1e-150 || !std::isfinite(q.hi) || (a < 0.0 && low == 0.0)) {
    result.add(domain);
    return result;
  }
  const double turn = b >= 0.0 ? -1.0 : 1.0;
  const Span near = quotient(turn * c, q);
  if (a == 0.0) {  // one root, -c / (2 b); q = 2 |b|
    if (b > 0.0) add_clipped(result, domain.lo, near.hi, domain);
    if (b < 0.0) add_clipped(result, near.lo, domain.hi, domain);
    return result;
  }
  const Span far = widened(std::min(turn * q.lo / a, turn * q.hi / a), std::max(turn * q.lo / a, turn * q.hi / a));
  if (a > 0.0) {
    add_clipped(result, std::min(near.lo, far.lo), std::max(near.hi, far.hi), domain);
    return result;
  }
  const double first = std::min(near.hi, far.hi);
  const double last = std::max(near.lo, far.lo);
  if (first >= last) {
    result.add(domain);
    return result;
  }
  add_clipped(result, domain.lo, first, domain);
  add_clipped(result, last, domain.hi, domain);
  return result;
}

Spans intersection(const Spans& a, const Spans& b) {
  Spans result;
  for (int i = 0; i < a.count; ++i) {
    for (int j = 0; j < b.count; ++j) {
      const double lo = std::max(a.items[i].lo, b.items[j].lo);
      const double hi = std::min(a.items[i].hi, b.items[j].hi);
      if (lo <= hi) result.add({lo, hi});
    }
  }
  return result;
}

}  // namespace

/// a x (b - a): a x b would cancel for a short edge far from the axis.
Line line_through(const Vector3d& a, const Vector3d& b) {
  const Vector3d direction = b - a;
  return {direction, a.cross(direction)};
}

Line ray(const Vector3d& a, const Vector3d& v) { return {v, a.cross(v)}; }

double side(const Line& p, const Line& q) { return p.direction.dot(q.moment) + p.moment.dot(q.direction); }

double value(Kind kind, const Height& h, double r) {
  if (kind == Kind::Translation) return h.v0 + h.v1 * r;
  const double scale = 1.0 / (1.0 + r * r);
  return h.v0 + h.v1 * (2.0 * r * scale) + h.v2 * ((1.0 - r * r) * scale);
}

MovingVertex moving_vertex(Kind kind, const Vector3d& k, double travel, const Vector3d& x) {
  if (kind == Kind::Translation) return {x, Vector3d::Zero(), travel * k};
  const Vector3d along = k * k.dot(x);
  return {along, x - along, k.cross(x)};
}

Vector3d position(Kind kind, const MovingVertex& p, double r) {
  if (kind == Kind::Translation) return p.c + r * p.w;
  const double scale = 1.0 / (1.0 + r * r);
  return p.c + ((1.0 - r * r) * scale) * p.u + (2.0 * r * scale) * p.w;
}

Height vertex_plane(const MovingVertex& p, const Vector3d& n, double offset) {
  return {n.dot(p.c) - offset, n.dot(p.w), n.dot(p.u)};
}

Height plane_vertex(Kind kind, const Vector3d& k, double travel, const Vector3d& n, const Vector3d& a,
                    const Vector3d& point) {
  if (kind == Kind::Translation) return {n.dot(point - a), -travel * n.dot(k), 0.0};
  // A rotation preserves n . a; n turns like a vertex.
  return vertex_plane(moving_vertex(kind, k, travel, n), point, n.dot(a));
}

Height edge_edge(Kind kind, const Vector3d& k, double travel, const Line& moving, const Line& fixed) {
  if (kind == Kind::Translation) {
    // The moment grows by r v x d; v x d . e = v . (d x e).
    return {side(moving, fixed), travel * k.dot(moving.direction.cross(fixed.direction)), 0.0};
  }
  const MovingVertex d = moving_vertex(kind, k, travel, moving.direction);
  const MovingVertex m = moving_vertex(kind, k, travel, moving.moment);
  return {d.c.dot(fixed.moment) + m.c.dot(fixed.direction), d.w.dot(fixed.moment) + m.w.dot(fixed.direction),
          d.u.dot(fixed.moment) + m.u.dot(fixed.direction)};
}

/// The level is raised by twice what rounding the coefficients of (14) changes. (MATHS.md T10)
Spans at_most(Kind kind, const Height& h, double level, const Span& domain) {
  const double size = std::abs(h.v0) + std::abs(h.v1) + std::abs(h.v2) + std::abs(level);
  const double raised = level + (8.0 * kUnitRoundoff * size + kTiny);
  if (!std::isfinite(size)) {
    Spans all;
    all.add(domain);
    return all;
  }
  if (kind == Kind::Translation) return quadratic_at_most_zero(0.0, 0.5 * h.v1, h.v0 - raised, domain);
  return quadratic_at_most_zero(h.v0 - h.v2 - raised, h.v1, h.v0 + h.v2 - raised, domain);
}

Spans within(Kind kind, const Height& h, double level, const Span& domain) {
  // |h - v0| <= |v1| + |v2|, rounded up: most pairs of features end here.
  if (std::abs(h.v0) > (std::abs(h.v1) + std::abs(h.v2) + level) * kUp + kTiny) return {};
  const Spans above = at_most(kind, h.negated(), level, domain);
  if (above.count == 0) return above;
  return intersection(at_most(kind, h, level, domain), above);
}

}  // namespace planner_ccd::plucker
