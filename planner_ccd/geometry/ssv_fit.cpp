#include "planner_ccd/geometry/ssv_fit.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

/// Volumes are grown by this share of the set's extent before they are compared: queried bodies are mostly about a
/// tenth of it away. Measured: 0.1 takes 1 to 5 % fewer evaluations than 0.001 and 0.3. With 0 all flat sets would be
/// equal.
constexpr double kGrowth = 0.1;

using namespace lanes;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline double square(double x) { return x * x; }
inline Double2 square(Double2 x) { return x * x; }
inline double least(Double2 x) { return std::min(x[0], x[1]); }
inline double greatest(Double2 x) { return std::max(x[0], x[1]); }
inline double inverse(double x) { return x > 1e-290 ? 1.0 / x : 0.0; }

}  // namespace

/// On any edge without an obtuse angle the rectangle has twice the triangle's area. On the longest one it sticks out
/// least. A right triangle is mostly half of a rectangle, a face of a box or a wall: on its legs the rectangle covers
/// just that, while on the longest edge it sticks out of the wall by up to half its length.
Ssv fit_triangle(const Triangle& c) {
  constexpr double kRight = 1e-6;  // cosine of angles that count as right: files round
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
  balls_.resize((set.count() + 1) / 2);
  const Vector3d reference = set.centre(0);
  const Vector3x2 from = twice(reference), ax = twice(axes.col(0)), ay = twice(axes.col(1)), az = twice(axes.col(2));
  Vector3x2 lo = twice(Vector3d::Constant(kInfinity)), hi = twice(Vector3d::Constant(-kInfinity));
  for (std::size_t i = 0; i < balls_.size(); ++i) {
    const Vector3x2 p = set.centres(2 * i) - from;
    const Double2 r = set.radii(2 * i), x = dot(ax, p), y = dot(ay, p), z = dot(az, p);
    balls_[i] = {x, y, z, r, Double2{}};
    lo = {min(lo.x, x - r), min(lo.y, y - r), min(lo.z, z - r)};
    hi = {max(hi.x, x + r), max(hi.y, y + r), max(hi.z, z + r)};
  }
  lo_ = {least(lo.x), least(lo.y), least(lo.z)};
  hi_ = {greatest(hi.x), greatest(hi.y), greatest(hi.z)};
  const Vector3d mid = 0.5 * (lo_ + hi_), size = hi_ - lo_;
  const double growth = kGrowth * size.maxCoeff();
  Ssv best = fit_rectangle(mid);
  double smallest = ssv_volume(best.edge0[0], best.edge1[1], best.radius + growth);
  const auto offer = [&](const Ssv& candidate) {
    const double volume = ssv_volume(candidate.edge0[0], 0.0, candidate.radius + growth);
    if (volume >= smallest) return;
    smallest = volume;
    best = candidate;
  };
  // A line's radius is at least half the second extent, a ball's half the first: skip what cannot win.
  if (ssv_volume(std::max(0.0, size[0] - size[1]), 0.0, 0.5 * size[1] + growth) < smallest) offer(fit_line(mid));
  if (ssv_volume(0.0, 0.0, 0.5 * size[0] + growth) < smallest) offer(fit_point(mid));
  best.origin = reference + axes * best.origin;
  best.edge0 = axes * best.edge0;
  best.edge1 = axes * best.edge1;
  return {best, smallest};
}

/// The ball about the middle of the bounds.
Ssv SsvFitter::fit_point(const Vector3d& mid) const {
  const Vector3x2 m = twice(mid);
  Double2 radius{};
  for (const Balls& b : balls_)
    radius = max(radius, root(square(b.x - m.x) + square(b.y - m.y) + square(b.z - m.z)) + b.r);
  Ssv v;
  v.origin = mid;
  v.radius = greatest(radius);
  return v;
}

/// The radius is that of the narrowest cylinder about the middle line; the ends then move inwards until a ball touches.
Ssv SsvFitter::fit_line(const Vector3d& mid) {
  const Vector3x2 m = twice(mid);
  Double2 radii{};
  for (Balls& b : balls_) {
    b.reach = square(b.y - m.y) + square(b.z - m.z);
    radii = max(radii, root(b.reach) + b.r);
  }
  const double radius = greatest(radii);
  Double2 starts = both(hi_[0]), ends = both(lo_[0]);
  for (const Balls& b : balls_) {
    const Double2 reach = root(max(Double2{}, square(both(radius) - b.r) - b.reach));
    starts = min(starts, b.x + reach);
    ends = max(ends, b.x - reach);
  }
  const double x0 = least(starts), x1 = greatest(ends);
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
  Double2 x0 = both(hi_[0]), x1 = both(lo_[0]), y0 = both(hi_[1]), y1 = both(lo_[1]);
  for (Balls& b : balls_) {
    b.reach = root(max(Double2{}, square(both(radius) - b.r) - square(b.z - both(mid[2]))));
    x0 = min(x0, b.x + b.reach);
    x1 = max(x1, b.x - b.reach);
    y0 = min(y0, b.y + b.reach);
    y1 = max(y1, b.y - b.reach);
  }
  double box[4] = {least(x0), greatest(x1), least(y0), greatest(y1)};
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
  for (const Balls& b : balls_) {
    const Double2 far_x = max(both(box[0]) - b.x, b.x - both(box[1])),
                  far_y = max(both(box[2]) - b.y, b.y - both(box[3]));
    const Mask2 outside = (far_x > both(0.0)) & (far_y > both(0.0)) & (square(far_x) + square(far_y) > square(b.reach));
    if (!any(outside)) continue;
    for (int i = 0; i < 2; ++i) {
      const double dx0 = box[0] - b.x[i], dx1 = b.x[i] - box[1], dy0 = box[2] - b.y[i], dy1 = b.y[i] - box[3];
      const double dx = std::max(dx0, dx1), dy = std::max(dy0, dy1), reach = square(b.reach[i]);
      if (dx <= 0.0 || dy <= 0.0 || square(dx) + square(dy) <= reach) continue;
      const double a =
          std::min(0.5 * (dx + dy - std::sqrt(std::max(0.0, 2.0 * reach - square(dx - dy)))), std::max(dx, dy));
      box[dx0 > dx1 ? 0 : 1] += dx0 > dx1 ? -a : a;
      box[dy0 > dy1 ? 2 : 3] += dy0 > dy1 ? -a : a;
    }
  }
}

/// For every ball, the distance to some point of the generator is an upper bound of its distance to the generator.
/// Rounding: w = p - o, s e0 and t e1 each err by u of their size, the sums by 3u more and the norm by 3u relative;
/// with |w| <= d + |e0| + |e1| that is less than 16u (d + 2 |e0|_1 + 2 |e1|_1).
double covering_radius(const Ssv& v, const BallSet& set) {
  const Vector3x2 origin = twice(v.origin), e0 = twice(v.edge0), e1 = twice(v.edge1);
  const Double2 inverse0 = both(inverse(v.edge0.squaredNorm())), inverse1 = both(inverse(v.edge1.squaredNorm()));
  const auto square_distances = [&](std::size_t i) {
    const Vector3x2 w = set.centres(i) - origin;
    const Double2 s = clamp01(dot(w, e0) * inverse0), t = clamp01(dot(w, e1) * inverse1);
    const Vector3x2 rest = w - s * e0 - t * e1;
    return dot(rest, rest);
  };
  Double2 radii{};
  if (set.has_radii()) {
    for (std::size_t i = 0; i < set.count(); i += 2) radii = max(radii, root(square_distances(i)) + set.radii(i));
  } else {
    for (std::size_t i = 0; i < set.count(); i += 2) radii = max(radii, square_distances(i));
    radii = root(radii);
  }
  const double radius = greatest(radii);
  return radius + 16.0 * kUnitRoundoff * (radius + 2.0 * v.edge0.lpNorm<1>() + 2.0 * v.edge1.lpNorm<1>());
}

}  // namespace planner_ccd
