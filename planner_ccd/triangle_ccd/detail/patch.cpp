#include "planner_ccd/triangle_ccd/detail/patch.hpp"

namespace planner_ccd::leaf {
namespace {

using Eigen::Vector3d;

/// (alpha, beta) of the point a share `s` along border k, which runs from corner k to corner k + 1.
void border_parameters(PatchShape shape, int k, double s, PatchPoint& out) {
  const double far = shape == PatchShape::Triangle ? 0.0 : 1.0;  // alpha of corner 2
  switch (k) {
    case 0: out.alpha = s, out.beta = 0; break;
    case 1: out.alpha = 1 - (1 - far) * s, out.beta = s; break;
    case 2: out.alpha = far * (1 - s), out.beta = 1; break;
    default: out.alpha = 0, out.beta = 1 - s; break;
  }
}

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

}  // namespace

TimeInterval certified_times(std::span<const Vector3x2> corners, double size, const Vector3d& n, double separation) {
  const double norm1 = std::abs(n.x()) + std::abs(n.y()) + std::abs(n.z());
  double pad = 8 * kUnit * norm1 * size + 1e-300;
  if (separation > 0) pad += separation * n.norm() * (1 + 8 * kUnit);
  const Vector3x2 direction{both(n.x()), both(n.y()), both(n.z())};
  // A corner is clear before its root when it starts clear, after it when it ends clear. The quotient is off by 2 u.
  TimeInterval proved{0.0, 1.0};
  for (const Vector3x2& corner : corners) {
    const Double2 gap = dot(direction, corner) - pad;
    const double s = gap[0], e = gap[1];
    if (s > 0 && e > 0) continue;
    const double root = s / (s - e);
    if (e > 0) proved.lo = std::max(proved.lo, root * (1 + 4 * kUnit));
    else if (s > 0) proved.hi = std::min(proved.hi, root * (1 - 4 * kUnit));
    else return kNoTime;
  }
  return proved.lo <= proved.hi ? proved : kNoTime;
}

PatchPoint nearest_point(const MovingPatch& patch, double t) {
  const Vector3x2* c = patch.corner;
  const Double2 r = both(1 - t), s = both(t);
  const Vector3x2 q01 = r * firsts(c[0], c[1]) + s * seconds(c[0], c[1]);
  const Vector3x2 q23 = r * firsts(c[2], c[3]) + s * seconds(c[2], c[3]);
  const Vector3x2 q12 = {seconds(q01.x, swapped(q23.x)), seconds(q01.y, swapped(q23.y)), seconds(q01.z, swapped(q23.z))};
  const Vector3x2 q30 = {seconds(q23.x, swapped(q01.x)), seconds(q23.y, swapped(q01.y)), seconds(q23.z, swapped(q01.z))};
  const Borders b01 = nearest_on_borders(q01, q12 - q01), b23 = nearest_on_borders(q23, q30 - q23);
  int k = b01.squared[1] < b01.squared[0] ? 1 : 0;
  const int k2 = b23.squared[1] < b23.squared[0] ? 1 : 0;
  const bool second = b23.squared[k2] < b01.squared[k];
  const Borders& b = second ? b23 : b01;
  if (second) k = k2;
  PatchPoint out;
  out.point = k == 0 ? b.point.first() : b.point.second();
  out.direction = k == 0 ? b.direction.first() : b.direction.second();
  double best = b.squared[k];
  border_parameters(patch.shape, k + (second ? 2 : 0), b.share[k], out);

  // Nearest point of the plane, if it lies in the patch: alpha = -q_0.(v x n) / n^2, beta = -q_0.(n x u) / n^2.
  const Vector3x2 uv = r * firsts(patch.u, patch.v) + s * seconds(patch.u, patch.v);
  const Vector3d u = uv.first(), v = uv.second(), q0 = q01.first();
  const Vector3d n = u.cross(v);
  const Vector3d w = q0.cross(n);
  const double n2 = n.squaredNorm();
  const double alpha_n2 = w.dot(v), beta_n2 = -w.dot(u);
  const double beyond = patch.shape == PatchShape::Triangle ? alpha_n2 + beta_n2 : std::max(alpha_n2, beta_n2);
  if (n2 > 0 && std::min(alpha_n2, beta_n2) >= 0 && beyond <= n2) {
    const double alpha = alpha_n2 / n2, beta = beta_n2 / n2;
    const Vector3d p = q0 + alpha * u + beta * v;
    const double p2 = p.squaredNorm();
    if (p2 < best) {
      best = p2;
      out.point = p;
      out.alpha = alpha, out.beta = beta;
      // p and n are parallel; the one that cancellation spoils less (u Q / |p| against u |u| |v| / |n|) gives the direction.
      const bool by_point = p2 * u.squaredNorm() * v.squaredNorm() > n2 * patch.size * patch.size;
      out.direction = by_point ? p : n.dot(q0) < 0 ? Vector3d(-n) : n;
    }
  }
  out.distance = std::sqrt(best);
  return out;
}

}  // namespace planner_ccd::leaf
