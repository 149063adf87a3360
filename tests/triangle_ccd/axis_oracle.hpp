#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "planner_ccd/triangle_ccd/plucker_axis.hpp"

namespace planner_ccd::test {

/// A triangle moving about or along an axis, for any number type: plain matrices, no code under test.
template <typename Real>
using Vec = Eigen::Matrix<Real, 3, 1>;

template <typename Real>
using Tri = std::array<Vec<Real>, 3>;

template <typename Real>
Vec<Real> cross(const Vec<Real>& a, const Vec<Real>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Rodrigues' formula with given cosine and sine.
template <typename Real>
Vec<Real> rotated(const Vec<Real>& x, const Vec<Real>& origin, const Vec<Real>& axis, const Real& c, const Real& s) {
  using std::sqrt;
  const Vec<Real> k = axis / sqrt(axis.dot(axis));
  const Vec<Real> r = x - origin;
  return origin + c * r + s * cross<Real>(k, r) + (1 - c) * k.dot(r) * k;
}

template <typename Real>
Tri<Real> moved(const Triangle& a, const AxisMotion& motion, const Real& t) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  const Real amount = Real(motion.from) + t * (Real(motion.to) - Real(motion.from));
  const Vec<Real> axis = motion.axis.cast<Real>();
  Tri<Real> result;
  for (int i = 0; i < 3; ++i) {
    const Vec<Real> x = a[i].cast<Real>();
    if (motion.kind == AxisMotion::Kind::Translation) {
      result[i] = x + amount * axis / sqrt(axis.dot(axis));
    } else {
      result[i] = rotated<Real>(x, motion.origin.cast<Real>(), axis, cos(amount), sin(amount));
    }
  }
  return result;
}

template <typename Real>
Real point_segment(const Vec<Real>& p, const Vec<Real>& a, const Vec<Real>& b) {
  using std::sqrt;
  const Vec<Real> d = b - a;
  const Real length = d.dot(d);
  Real s = length > 0 ? Real((p - a).dot(d) / length) : Real(0);
  s = s < 0 ? Real(0) : (s > 1 ? Real(1) : s);
  const Vec<Real> gap = a + s * d - p;
  return sqrt(gap.dot(gap));
}

/// Distance by candidates: corners to edges, corners to faces, edges to edges, and 0 for an edge through a face.
/// Triangles flat to `flat` are represented by their boundary.
template <typename Real>
Real triangle_distance_by_candidates(const Tri<Real>& a, const Tri<Real>& b, const Real& flat) {
  using std::sqrt;
  Real best = point_segment<Real>(a[0], b[0], b[1]);
  const auto take = [&](const Real& d) { best = d < best ? d : best; };
  for (int swap = 0; swap < 2; ++swap) {
    const Tri<Real>& p = swap ? b : a;
    const Tri<Real>& q = swap ? a : b;
    const Vec<Real> n = cross<Real>(q[1] - q[0], q[2] - q[0]);
    const Real nn = n.dot(n);
    const Real size = (q[1] - q[0]).dot(q[1] - q[0]) + (q[2] - q[0]).dot(q[2] - q[0]);
    const bool solid = nn > flat * flat * size * size;
    const auto inside = [&](const Vec<Real>& x) {
      for (int i = 0; i < 3; ++i) {
        if (n.dot(cross<Real>(q[(i + 1) % 3] - q[i], x - q[i])) < 0) return false;
      }
      return true;
    };
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) take(point_segment<Real>(p[i], q[j], q[(j + 1) % 3]));
      if (!solid) continue;
      const Real h = n.dot(p[i] - q[0]);
      if (inside(p[i])) take(Real((h < 0 ? -h : h) / sqrt(nn)));
      const Real g = n.dot(p[(i + 1) % 3] - q[0]);
      if ((h < 0) == (g < 0) || h == g) continue;
      const Vec<Real> x = p[i] + (h / (h - g)) * (p[(i + 1) % 3] - p[i]);
      if (inside(x)) return Real(0);
    }
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vec<Real> u = a[(i + 1) % 3] - a[i];
      const Vec<Real> v = b[(j + 1) % 3] - b[j];
      const Vec<Real> w = b[j] - a[i];
      const Vec<Real> n = cross<Real>(u, v);
      const Real nn = n.dot(n);
      if (!(nn > flat * flat * u.dot(u) * v.dot(v))) continue;
      const Real s = cross<Real>(w, v).dot(n) / nn;
      const Real t = cross<Real>(w, u).dot(n) / nn;
      if (s < 0 || s > 1 || t < 0 || t > 1) continue;
      const Real h = w.dot(n);
      take(Real((h < 0 ? -h : h) / sqrt(nn)));
    }
  }
  return best;
}

/// The first contact, from the roots of all 6 + 9 coplanarity functions. Each function is sampled at three poses (0,
/// 1/4 and 1/2 turn, or 0 and 1) to get its coefficients, its roots come from arc cosines, and the features' distance
/// at a root must be below `touch`. Functions that vanish identically are skipped. Empty when there is no contact.
template <typename Real>
struct AxisOracle {
  const Triangle& a;
  const Triangle& b;
  const AxisMotion& motion;
  Real touch;

  Tri<Real> fixed() const { return {b[0].cast<Real>(), b[1].cast<Real>(), b[2].cast<Real>()}; }

  Tri<Real> at_amount(const Real& amount) const {
    AxisMotion unit = motion;
    unit.from = 0.0;
    unit.to = 1.0;
    return moved<Real>(a, unit, amount);
  }

  /// Six times the volume of the four points that make pair `id` coplanar.
  static Real volume(int id, const Tri<Real>& p, const Tri<Real>& q) {
    const auto det = [](const Vec<Real>& x, const Vec<Real>& y, const Vec<Real>& z) {
      return cross<Real>(x, y).dot(z);
    };
    if (id < 3) return det(q[1] - q[0], q[2] - q[0], p[id] - q[0]);
    if (id < 6) return det(p[1] - p[0], p[2] - p[0], q[id - 3] - p[0]);
    const int i = (id - 6) / 3;
    const int j = (id - 6) % 3;
    return det(p[(i + 1) % 3] - p[i], q[(j + 1) % 3] - q[j], q[j] - p[i]);
  }

  static Real feature_distance(int id, const Tri<Real>& p, const Tri<Real>& q) {
    if (id < 3) return triangle_distance_by_candidates<Real>({p[id], p[id], p[id]}, q, Real(0));
    if (id < 6) return triangle_distance_by_candidates<Real>(p, {q[id - 3], q[id - 3], q[id - 3]}, Real(0));
    const int i = (id - 6) / 3;
    const int j = (id - 6) % 3;
    return triangle_distance_by_candidates<Real>({p[i], p[(i + 1) % 3], p[i]}, {q[j], q[(j + 1) % 3], q[j]}, Real(0));
  }

  /// Amounts in [lo, hi] where pair `id` is coplanar.
  std::vector<Real> roots(int id, const Real& lo, const Real& hi) const {
    using std::acos;
    using std::atan2;
    using std::sqrt;
    std::vector<Real> found;
    const Tri<Real> q = fixed();
    if (motion.kind == AxisMotion::Kind::Translation) {
      const Real h0 = volume(id, at_amount(Real(0)), q);
      const Real h1 = volume(id, at_amount(Real(1)), q);
      if (h0 == h1) return found;
      const Real x = h0 / (h0 - h1);
      if (x >= lo && x <= hi) found.push_back(x);
      return found;
    }
    const Real pi = acos(Real(-1));
    const Real h0 = volume(id, at_amount(Real(0)), q);
    const Real h1 = volume(id, at_amount(pi / 2), q);
    const Real h2 = volume(id, at_amount(pi), q);
    const Real mean = (h0 + h2) / 2;
    const Real c = (h0 - h2) / 2;
    const Real s = h1 - mean;
    const Real amplitude = sqrt(c * c + s * s);
    if (amplitude == 0 || mean > amplitude || -mean > amplitude) return found;
    const Real phase = atan2(s, c);
    const Real half = acos(Real(-mean / amplitude));
    for (const Real& root : {Real(phase + half), Real(phase - half)}) {
      Real x = root;
      while (x > lo) x -= 2 * pi;
      for (; x <= hi; x += 2 * pi) {
        if (x >= lo) found.push_back(x);
      }
    }
    return found;
  }

  /// The time in [0, 1] of the first contact; 2 when there is none.
  Real first_contact() const {
    const Real from = motion.from;
    const Real to = motion.to;
    const Tri<Real> q = fixed();
    if (triangle_distance_by_candidates<Real>(at_amount(from), q, Real(0)) < touch) return Real(0);
    Real best = 2;
    for (int id = 0; id < 15; ++id) {
      for (const Real& x : roots(id, from < to ? from : to, from < to ? to : from)) {
        const Real t = (x - from) / (to - from);
        if (t < best && feature_distance(id, at_amount(x), q) < touch) best = t;
      }
    }
    return best;
  }
};

}  // namespace planner_ccd::test
