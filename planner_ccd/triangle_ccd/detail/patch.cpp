#include "planner_ccd/triangle_ccd/detail/patch.hpp"

#include <limits>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd::leaf {
namespace {

using Eigen::Vector3d;

/// Two borders at once: nearest points, their squared distances and shares.
struct Borders {
  Vector3x2 point;
  Vector3x2 direction;  ///< The point, made orthogonal to its border: cancellation leaves it off by u Q / |point|.
  Double2 squared;
  Double2 share;
};

/// Borders from corners q to q + e; a border of no length is its corner.
Borders nearest_on_borders(const Vector3x2& q, const Vector3x2& e) {
  Borders out;
  const Double2 inverse = both(1.0) / greatest(dot(e, e), both(1e-300));
  const Double2 share = -dot(q, e) * inverse;
  out.share = least(greatest(share, both(0.0)), both(1.0));
  out.point = q + out.share * e;
  const Double2 along = dot(out.point, e) * inverse;
  out.direction = out.point - (out.share == share ? along : both(0.0)) * e;
  out.squared = dot(out.point, out.point);
  return out;
}

double direction_pad(double size, const Vector3d& n, double separation) {
  const double pad = 8 * kUnitRoundoff * (std::abs(n.x()) + std::abs(n.y()) + std::abs(n.z())) * size + 1e-300;
  if (!(pad < kHugePad)) return std::numeric_limits<double>::infinity();
  return separation > 0 ? pad + separation * n.norm() * (1 + 8 * kUnitRoundoff) : pad;
}

/// Nearest point of the four borders.
void nearest_on_borders(const MovingPatch& patch, Double2 r, Double2 s, PatchPoint& out, double& best) {
  const Vector3x2* c = patch.corner;
  const Vector3x2 q01 = r * firsts(c[0], c[1]) + s * seconds(c[0], c[1]);
  const Vector3x2 q23 = r * firsts(c[2], c[3]) + s * seconds(c[2], c[3]);
  const Borders b01 = nearest_on_borders(q01, joined(q01, q23) - q01);
  const Borders b23 = nearest_on_borders(q23, joined(q23, q01) - q23);
  int k = b01.squared[1] < b01.squared[0] ? 1 : 0;
  const int k2 = b23.squared[1] < b23.squared[0] ? 1 : 0;
  const bool second = b23.squared[k2] < b01.squared[k];
  const Borders& b = second ? b23 : b01;
  if (second) k = k2;
  if (!(b.squared[k] < best)) return;
  best = b.squared[k];
  out.direction = k == 0 ? b.direction.first() : b.direction.second();
  out.border = k + (second ? 2 : 0);
  out.alpha = b.share[k];
}

}  // namespace

std::array<double, 2> parameters(PatchShape shape, const PatchPoint& p) {
  const double far = shape == PatchShape::Triangle ? 0.0 : 1.0;  // alpha of corner 2
  switch (p.border) {
    case 0: return {p.alpha, 0.0};
    case 1: return {1 - (1 - far) * p.alpha, p.alpha};
    case 2: return {far * (1 - p.alpha), 1.0};
    case 3: return {0.0, 1 - p.alpha};
    default: return {p.alpha, p.beta};
  }
}

TimeInterval certified_times(std::span<const Vector3x2> corners, double size, const Vector3d& n, double separation) {
  const double pad = direction_pad(size, n, separation);
  const Vector3x2 direction{both(n.x()), both(n.y()), both(n.z())};
  // A corner is clear before its root when it starts clear, after it when it ends clear. The quotient is off by 2 u.
  TimeInterval proved{0.0, 1.0};
  for (const Vector3x2& corner : corners) {
    const Double2 gap = dot(direction, corner) - pad;
    const double s = gap[0], e = gap[1];
    if (s > 0 && e > 0) continue;
    const double root = s / (s - e);
    if (s <= 0 && e > 0)
      proved.lo = std::max(proved.lo, root * (1 + 4 * kUnitRoundoff));
    else if (s > 0 && e <= 0)
      proved.hi = std::min(proved.hi, root * (1 - 4 * kUnitRoundoff));
    else
      return kNoTime;
  }
  return proved.lo <= proved.hi ? proved : kNoTime;
}

/// The same for four corners, without branches (they would be unpredictable). A NaN proves nothing.
TimeInterval certified_times(const MovingPatch& patch, const Vector3d& n, double separation) {
  const double pad = direction_pad(patch.size, n, separation);
  const Vector3x2 direction{both(n.x()), both(n.y()), both(n.z())};
  Double2 gap[4];
  for (int k = 0; k < 4; ++k) gap[k] = dot(direction, patch.corner[k]) - pad;
  Double2 lo[2], hi[2];
  const Double2 zero = both(0), one = both(1), never = both(2);
  for (int k = 0; k < 2; ++k) {
    const Double2 s = firsts(gap[2 * k], gap[2 * k + 1]), e = seconds(gap[2 * k], gap[2 * k + 1]);
    const Double2 root = s / (s - e);
    lo[k] = s > 0 ? zero : ((s <= 0) & (e > 0)) ? root * (1 + 4 * kUnitRoundoff) : never;
    hi[k] = e > 0 ? one : ((e <= 0) & (s > 0)) ? root * (1 - 4 * kUnitRoundoff) : -never;
  }
  const TimeInterval proved{greatest_lane(greatest(lo[0], lo[1])), least_lane(least(hi[0], hi[1]))};
  return proved.lo <= proved.hi ? proved : kNoTime;
}

PatchPoint nearest_point(const MovingPatch& patch, double t) {
  const Double2 r = both(1 - t), s = both(t);
  // Nearest point of the plane, if it lies in the patch: alpha = -q_0.(v x n) / n^2, beta = -q_0.(n x u) / n^2.
  const Vector3x2 uv = r * firsts(patch.u, patch.v) + s * seconds(patch.u, patch.v);
  const Vector3d u = uv.first(), v = uv.second();
  const Vector3d q0 = (1 - t) * patch.corner[0].first() + t * patch.corner[0].second();
  const Vector3d n = u.cross(v), w = q0.cross(n);
  const double n2 = n.squaredNorm(), scale = u.squaredNorm() * v.squaredNorm();
  const double alpha_n2 = w.dot(v), beta_n2 = -w.dot(u);
  const double beyond = patch.shape == PatchShape::Triangle ? alpha_n2 + beta_n2 : std::max(alpha_n2, beta_n2);
  PatchPoint out;
  double best = std::numeric_limits<double>::infinity();
  if (n2 > 0 && std::min(alpha_n2, beta_n2) >= 0 && beyond <= n2) {
    out.alpha = alpha_n2 / n2, out.beta = beta_n2 / n2;
    const Vector3d p = q0 + out.alpha * u + out.beta * v;
    best = p.squaredNorm();
    // p and n are parallel; use the one that loses less to cancellation (u Q / |p| against u |u| |v| / |n|).
    const bool by_point = best * scale > n2 * patch.size * patch.size;
    out.direction = by_point ? p : n.dot(q0) < 0 ? Vector3d(-n) : n;
  }
  // An inside point is the answer, unless rounding places it in a patch too thin to have an inside.
  if (!(best < std::numeric_limits<double>::infinity() && n2 > 1e-12 * scale))
    nearest_on_borders(patch, r, s, out, best);
  out.distance = std::sqrt(best);
  return out;
}

}  // namespace planner_ccd::leaf
