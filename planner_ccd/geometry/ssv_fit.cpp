#include "planner_ccd/geometry/ssv_fit.hpp"

#include <algorithm>
#include <cmath>

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

/// Share of the set's extent by which volumes are grown before they are compared (0 would call every flat set equal).
constexpr double kGrowth = 1e-3;

inline double square(double x) { return x * x; }
inline double clamp01(double x) { return std::min(1.0, std::max(0.0, x)); }
inline double inverse(double x) { return x > 1e-290 ? 1.0 / x : 0.0; }

}  // namespace

/// On any edge without an obtuse angle the rectangle has twice the triangle's area. On the longest one it sticks out least. A
/// right triangle is half of a rectangle mostly, a face of a box or a wall: on its legs it takes just that, while on the
/// longest edge it sticks out of the wall by up to half its length.
Ssv fit_triangle(const Triangle& c) {
  constexpr double kRight = 1e-6;  // cosine of what passes for a right angle: files round
  int k = 0;
  double longest = -1.0;
  for (int i = 0; i < 3; ++i) {
    const double square = (c[(i + 2) % 3] - c[(i + 1) % 3]).squaredNorm();
    if (square > longest) {
      longest = square;
      k = i;
    }
  }
  const Vector3d leg0 = c[(k + 1) % 3] - c[k], leg1 = c[(k + 2) % 3] - c[k];
  const bool right = std::abs(leg0.dot(leg1)) < kRight * leg0.norm() * leg1.norm();
  Ssv v;
  v.origin = right ? c[k] : c[(k + 1) % 3];
  v.edge0 = right ? leg0 : leg1 - leg0;
  const Vector3d w = right ? leg1 : -leg0;
  v.edge1 = w - w.dot(v.edge0) * inverse(v.edge0.squaredNorm()) * v.edge0;
  v.type = longest > 0.0 ? v.edge1.squaredNorm() > 0.0 ? SsvType::Rectangle : SsvType::Line : SsvType::Point;
  if (v.type != SsvType::Rectangle) v.edge1.setZero();
  return v;
}

SsvFitter::Result SsvFitter::fit(const BallSet& set, const Eigen::Matrix3d& axes) {
  const std::size_t count = set.centres.size();
  balls_.resize(count);
  const Vector3d reference = set.centres[0];
  const Eigen::Matrix3d to_local = axes.transpose();
  lo_.setConstant(std::numeric_limits<double>::infinity());
  hi_.setConstant(-std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < count; ++i) {
    const Vector3d p = to_local * (set.centres[i] - reference);
    const double r = set.radius(i);
    balls_[i] = {p[0], p[1], p[2], r, 0.0};
    lo_ = lo_.cwiseMin(p.array().matrix() - Vector3d::Constant(r));
    hi_ = hi_.cwiseMax(p.array().matrix() + Vector3d::Constant(r));
  }
  const Vector3d mid = 0.5 * (lo_ + hi_), size = hi_ - lo_;
  const double growth = kGrowth * size.maxCoeff();
  Ssv best = fit_rectangle(mid);
  double least = ssv_volume(best.edge0[0], best.edge1[1], best.radius + growth);
  const auto offer = [&](const Ssv& candidate) {
    const double volume = ssv_volume(candidate.edge0[0], 0.0, candidate.radius + growth);
    if (volume >= least) return;
    least = volume;
    best = candidate;
  };
  // A line's radius is at least half the second extent, a ball's half the first: no need to try what cannot win.
  if (ssv_volume(std::max(0.0, size[0] - size[1]), 0.0, 0.5 * size[1] + growth) < least) offer(fit_line(mid));
  if (ssv_volume(0.0, 0.0, 0.5 * size[0] + growth) < least) offer(fit_point(mid));
  best.origin = reference + axes * best.origin;
  best.edge0 = axes * best.edge0;
  best.edge1 = axes * best.edge1;
  return {best, least};
}

/// The ball about the middle of the bounds.
Ssv SsvFitter::fit_point(const Vector3d& mid) const {
  double radius = 0.0;
  for (const Ball& b : balls_) {
    radius = std::max(radius, std::sqrt(square(b.x - mid[0]) + square(b.y - mid[1]) + square(b.z - mid[2])) + b.r);
  }
  Ssv v;
  v.origin = mid;
  v.radius = radius;
  return v;
}

/// The radius is that of the narrowest cylinder about the middle line; the ends then move inwards until a ball touches.
Ssv SsvFitter::fit_line(const Vector3d& mid) {
  double radius = 0.0;
  for (Ball& b : balls_) {
    b.reach = square(b.y - mid[1]) + square(b.z - mid[2]);
    radius = std::max(radius, std::sqrt(b.reach) + b.r);
  }
  double x0 = hi_[0], x1 = lo_[0];
  for (const Ball& b : balls_) {
    const double reach = std::sqrt(std::max(0.0, square(radius - b.r) - b.reach));
    x0 = std::min(x0, b.x + reach);
    x1 = std::max(x1, b.x - reach);
  }
  Ssv v;
  v.radius = radius;
  if (x0 < x1) {
    v.type = SsvType::Line;
    v.origin = Vector3d(x0, mid[1], mid[2]);
    v.edge0 = Vector3d(x1 - x0, 0.0, 0.0);
  } else {
    v.origin = Vector3d(0.5 * (x0 + x1), mid[1], mid[2]);
  }
  return v;
}

/// The radius is half the thickness; the sides move inwards until a ball touches, the corners outwards again as needed.
Ssv SsvFitter::fit_rectangle(const Vector3d& mid) {
  const double radius = 0.5 * (hi_[2] - lo_[2]);
  double box[4] = {hi_[0], lo_[0], hi_[1], lo_[1]};  // x0, x1, y0, y1
  for (Ball& b : balls_) {
    b.reach = std::sqrt(std::max(0.0, square(radius - b.r) - square(b.z - mid[2])));
    box[0] = std::min(box[0], b.x + b.reach);
    box[1] = std::max(box[1], b.x - b.reach);
    box[2] = std::min(box[2], b.y + b.reach);
    box[3] = std::max(box[3], b.y - b.reach);
  }
  for (int k = 0; k < 4; k += 2) {
    if (box[k] > box[k + 1]) box[k] = box[k + 1] = 0.5 * (box[k] + box[k + 1]);
  }
  extend_corners(box);
  Ssv v;
  v.radius = radius;
  v.origin = Vector3d(box[0], box[2], mid[2]);
  v.edge0 = Vector3d(box[1] - box[0], 0.0, 0.0);
  v.edge1 = Vector3d(0.0, box[3] - box[2], 0.0);
  v.type = v.edge0[0] == 0.0 && v.edge1[1] == 0.0 ? SsvType::Point
           : v.edge1[1] == 0.0                    ? SsvType::Line
                                                  : SsvType::Rectangle;
  return v;
}

/// A ball beyond a corner by (dx, dy), dx^2 + dy^2 > reach^2, pulls the corner along the diagonal by the a for which
/// (dx - a)^2 + (dy - a)^2 = reach^2.
void SsvFitter::extend_corners(double (&box)[4]) const {
  for (const Ball& b : balls_) {
    const double dx0 = box[0] - b.x, dx1 = b.x - box[1], dy0 = box[2] - b.y, dy1 = b.y - box[3];
    const double dx = std::max(dx0, dx1), dy = std::max(dy0, dy1);
    if (dx <= 0.0 || dy <= 0.0 || square(dx) + square(dy) <= square(b.reach)) continue;
    const double a =
        std::min(0.5 * (dx + dy - std::sqrt(std::max(0.0, 2.0 * square(b.reach) - square(dx - dy)))), std::max(dx, dy));
    box[dx0 > dx1 ? 0 : 1] += dx0 > dx1 ? -a : a;
    box[dy0 > dy1 ? 2 : 3] += dy0 > dy1 ? -a : a;
  }
}

/// For every ball, the distance to some point of the generator is an upper bound of its distance to the generator.
/// Rounding: w = p - o, s e0 and t e1 each err by u of their size, the sums by 3u more and the norm by 3u relative;
/// with |w| <= d + |e0| + |e1| that is less than 16u (d + 2 |e0|_1 + 2 |e1|_1).
double covering_radius(const Ssv& v, const BallSet& set) {
  const double inv0 = inverse(v.edge0.squaredNorm()), inv1 = inverse(v.edge1.squaredNorm());
  const auto square_distance = [&](const Vector3d& p) {
    const Vector3d w = p - v.origin;
    const double s = clamp01(w.dot(v.edge0) * inv0), t = clamp01(w.dot(v.edge1) * inv1);
    return (w - s * v.edge0 - t * v.edge1).squaredNorm();
  };
  double radius = 0.0;
  if (set.radii.empty()) {
    for (const Vector3d& p : set.centres) radius = std::max(radius, square_distance(p));
    radius = std::sqrt(radius);
  } else {
    for (std::size_t i = 0; i < set.centres.size(); ++i) {
      radius = std::max(radius, std::sqrt(square_distance(set.centres[i])) + set.radii[i]);
    }
  }
  return radius + 16.0 * 0x1p-53 * (radius + 2.0 * v.edge0.lpNorm<1>() + 2.0 * v.edge1.lpNorm<1>());
}

}  // namespace planner_ccd
