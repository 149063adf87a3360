#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/geometry/ssv.hpp"
#include "planner_ccd/math/lanes.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {

/// As ssv_gap, for searches that only need a fairly good direction: certified in the same sense, but it stops as soon
/// as the certificate is within a few per cent of the distance, and gives up on volumes that overlap. A few times
/// faster: everything, the certificate included, is expressed by the products of five vectors. (MATHS.md 10a, (32))
/// Each edge has a lane; a volume's second lane is 0 where it has no second edge.
inline SeparatingGap ssv_gap_quick(const Ssv& a, const Ssv& b) {
  if (a.type != SsvType::Rectangle && b.type != SsvType::Rectangle) return ssv_gap(a, b);  // nothing is quicker
  using Eigen::Vector3d;
  using namespace lanes;
  const auto sum = [](Double2 x) { return x[0] + x[1]; };
  const auto inverse = [](Double2 x) { return only(x > both(1e-290), both(1.0) / x); };  // [m^2] below it: a point

  const Vector3d D = b.origin - a.origin;
  const Vector3d &e0 = a.edge0, &e1 = a.edge1, &f0 = b.edge0, &f1 = b.edge1;
  const Vector3x2 E = side_by_side(e0, e1), F = side_by_side(f0, f1);
  const Double2 EE = dot(E, E), FF = dot(F, F), iE = inverse(EE), iF = inverse(FF);
  const Double2 G[2] = {dot(E, twice(f0)), dot(E, twice(f1))};                  // of e_i and f_j: lanes i
  const Double2 H[2] = {Double2{G[0][0], G[1][0]}, Double2{G[0][1], G[1][1]}};  // the same: lanes j
  const Double2 lost[2] = {G[0] * G[0] * iE, G[1] * G[1] * iE};
  const double ee = e0.dot(e1), ff = f0.dot(f1);  // nearly zero: stored edges are perpendicular to single precision
  const Double2 De = dot(E, twice(D)), Df = dot(F, twice(D));
  const double DD = D.squaredNorm(), radii = a.radius + b.radius;

  Double2 s = clamp01((both(0.5) * (H[0] + H[1]) - Df) * iF);
  const auto nearest_t = [&] { return clamp01((De + both(s[0]) * G[0] + both(s[1]) * G[1]) * iE); };
  // A Newton step of one coordinate; t follows s where it is free, which takes its part out of the curvature.
  const auto newton = [&](int j) {
    const Double2 t = nearest_t();
    const Double2 free = only((t > both(0.0)) & (t < both(1.0)), lost[j]);
    const Double2 h = both(FF[j] - free[0] - free[1]), f = both(FF[j]);
    const Mask2 steep = h > both(1e-6) * f;
    const Double2 g = both(Df[j] + s[j] * FF[j] - sum(t * G[j]));
    return clamp01(both(s[j]) - g / (only(steep, h) + only(~steep, f)))[0];  // 0 / 0 gives 0
  };
  SeparatingGap best{-std::numeric_limits<double>::infinity(), Vector3d::UnitX()};
  double inverse_of_best = 0.0;
  constexpr int kRounds = 6;
  for (int round = 0;; ++round) {
    s[0] = newton(0);
    s[1] = newton(1);
    const Double2 t = nearest_t();
    const double dD = DD + sum(s * Df) - sum(t * De);
    const Double2 df = Df + s * FF + swapped(s) * both(ff) - both(t[0]) * H[0] - both(t[1]) * H[1];
    const Double2 de = De + both(s[0]) * G[0] + both(s[1]) * G[1] - t * EE - swapped(t) * both(ee);
    const Vector3d delta = D + s[0] * f0 + s[1] * f1 - t[0] * e0 - t[1] * e1;
    const double length = delta.norm();
    if (!(length > radii)) {  // these very points show that the volumes touch
      best.gap = std::min(0.0, std::max(best.gap, length - radii));
      return best;
    }
    const double per_length = 1.0 / length;
    const double gap = (dD + sum(min(df, Double2{})) - sum(max(de, Double2{}))) * per_length - radii;
    if (gap > best.gap) {
      best = {gap, delta * per_length};
      inverse_of_best = per_length;
    }
    if (best.gap >= 0.95 * (length - radii) || round == kRounds) {
      const double M = D.cwiseAbs().sum() + sum(abs_sum(E)) + sum(abs_sum(F)) + radii;
      best.gap -= 512.0 * kUnitRoundoff * M * (1.0 + M * inverse_of_best);
      return best;
    }
  }
}

}  // namespace planner_ccd
