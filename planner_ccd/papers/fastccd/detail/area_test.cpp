#include "planner_ccd/papers/fastccd/detail/area_test.hpp"

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd::leaf {
namespace {

using Eigen::Vector3d;

/// Norms are rounded up by this factor: at most 3 u from the products and sums, 0.5 u from the root, u from the difference.
constexpr double kUp = 1 + 16 * kUnitRoundoff;

Vector3d at(const Vector3x2& q, double t) { return (1 - t) * q.first() + t * q.second(); }

/// Lengths at t = 0 and speeds of a difference of two corners.
struct Side {
  double length, speed;
};

Side side(const Vector3x2& q) { return {q.first().norm() * kUp, (q.second() - q.first()).norm() * kUp}; }

/// Twice (6) for three corners with these three sides, and what separation and rounding add.
double allowance(const Side& a, const Side& b, const Side& c, double half_width, double separation) {
  const double c2 = std::max(std::max(a.speed, b.speed), c.speed);
  const double c1 = std::max(std::max(a.length, b.length), c.length) + c2;
  return half_width * c2 * (2 * c1 + half_width * c2) + (128 * kUnitRoundoff * c1 + separation) * c1;
}

}  // namespace

bool area_test(const MovingPatch& patch, double t, double half_width, double separation) {
  const bool triangle = patch.shape == PatchShape::Triangle;
  Side to_corner[4];
  Vector3d q[4];
  for (int k = 0; k < 4; ++k) {
    to_corner[k] = side(patch.corner[k]);
    q[k] = at(patch.corner[k], t);
  }
  const Side u = side(patch.u), v = side(patch.v), w = side(patch.v - patch.u);
  const Side borders[4] = {u, triangle ? w : v, u, v};
  double excess = 0, allowed = 0;
  for (int k = 0; k < 4; ++k) {
    if (triangle && k == 2) continue;  // corner 3 repeats corner 2
    const int next = (k + 1) % 4;
    excess += q[k].cross(q[next]).norm();
    allowed += allowance(to_corner[k], to_corner[next], borders[k], half_width, separation);
  }
  const double copies = triangle ? 1.0 : 2.0;  // the parallelogram is two triangles
  excess -= copies * at(patch.u, t).cross(at(patch.v, t)).norm();
  allowed += copies * allowance(u, v, w, half_width, 0.0);
  return !(excess > allowed * kUp + 1e-290);
}

bool length_test(const MovingPatch& patch, int k, double t, double half_width, double separation) {
  const Vector3x2 &from = patch.corner[k], &to = patch.corner[(k + 1) % 4];
  const Vector3d a = at(from, t), b = at(to, t);
  const double excess = a.norm() + b.norm() - (b - a).norm();
  const double speed = side(from).speed + side(to).speed;
  // Each of the three lengths changes by at most half_width times its speed; the third is at most the sum of the others.
  const double allowed = 2 * (half_width * speed + separation) + 64 * kUnitRoundoff * patch.size;
  return !(excess > allowed * kUp + 1e-290);
}

}  // namespace planner_ccd::leaf
