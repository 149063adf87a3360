#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/geometry/ssv.hpp"

namespace planner_ccd {

/// As ssv_gap, for searches that only need a direction good enough: certified in the same sense, but it stops as soon
/// as the certificate is within a few per cent of the distance, and gives up on volumes that overlap. A few times
/// faster.
///
/// With D = o_B - o_A, edges e_i of A, f_j of B and delta(s,t) = D + sum s_j f_j - sum t_i e_i, everything is expressed
/// by the products of these five vectors. For n = delta / |delta|,
///
///   |delta| gap(n) = delta.D + sum_j min(0, delta.f_j) - sum_i max(0, delta.e_i) - |delta| (r_A + r_B) (1)
///
/// holds for any s, t, and is what the search certifies with. Rounding, u = 2^-53, M = the sum of all coordinates'
/// magnitudes: a product of two of the vectors errs by less than 4u M^2, the fewer than 24 of them in (1) with their
/// sums by 128u M^2, so the gap by 128u M^2 / |delta|; the vector n itself, rounded, is off by 8u (1 + M / |delta|),
/// which moves supports by at most twice that times M. The pad 512u M (1 + M / |delta|) covers both.
inline SeparatingGap ssv_gap_quick(const Ssv& a, const Ssv& b) {
  using Eigen::Vector3d;
  const Vector3d D = b.origin - a.origin;
  const Vector3d &e0 = a.edge0, &e1 = a.edge1, &f0 = b.edge0, &f1 = b.edge1;
  const double E0 = e0.squaredNorm(), E1 = e1.squaredNorm(), F0 = f0.squaredNorm(), F1 = f1.squaredNorm();
  const double g00 = e0.dot(f0), g01 = e0.dot(f1), g10 = e1.dot(f0), g11 = e1.dot(f1);
  const double ee = e0.dot(e1), ff = f0.dot(f1);  // nearly zero: stored edges are perpendicular to single precision
  const double De0 = D.dot(e0), De1 = D.dot(e1), Df0 = D.dot(f0), Df1 = D.dot(f1), DD = D.squaredNorm();
  constexpr double kTiny = 1e-290;  // [m^2] below this an edge counts as a point
  const double iE0 = E0 > kTiny ? 1.0 / E0 : 0.0, iE1 = E1 > kTiny ? 1.0 / E1 : 0.0;
  const double iF0 = F0 > kTiny ? 1.0 / F0 : 0.0, iF1 = F1 > kTiny ? 1.0 / F1 : 0.0;
  const double radii = a.radius + b.radius;
  const auto clamp01 = [](double x) { return std::min(1.0, std::max(0.0, x)); };

  double s0 = clamp01(-(Df0 - 0.5 * (g00 + g10)) * iF0), s1 = clamp01(-(Df1 - 0.5 * (g01 + g11)) * iF1);
  SeparatingGap best{-std::numeric_limits<double>::infinity(), Vector3d::UnitX()};
  double inverse_of_best = 0.0;
  constexpr int kRounds = 6;
  for (int round = 0;; ++round) {
    double t0 = clamp01((De0 + s0 * g00 + s1 * g01) * iE0);
    double t1 = clamp01((De1 + s0 * g10 + s1 * g11) * iE1);
    // Newton steps of one coordinate at a time; t follows s where it is free, which takes its part out of the
    // curvature.
    {
      double h = F0;
      if (t0 > 0.0 && t0 < 1.0) h -= g00 * g00 * iE0;
      if (t1 > 0.0 && t1 < 1.0) h -= g10 * g10 * iE1;
      const double g = Df0 + s0 * F0 - t0 * g00 - t1 * g10;
      s0 = clamp01(h > 1e-6 * F0 ? s0 - g / h : s0 - g * iF0);
    }
    t0 = clamp01((De0 + s0 * g00 + s1 * g01) * iE0);
    t1 = clamp01((De1 + s0 * g10 + s1 * g11) * iE1);
    {
      double h = F1;
      if (t0 > 0.0 && t0 < 1.0) h -= g01 * g01 * iE0;
      if (t1 > 0.0 && t1 < 1.0) h -= g11 * g11 * iE1;
      const double g = Df1 + s1 * F1 - t0 * g01 - t1 * g11;
      s1 = clamp01(h > 1e-6 * F1 ? s1 - g / h : s1 - g * iF1);
    }
    t0 = clamp01((De0 + s0 * g00 + s1 * g01) * iE0);
    t1 = clamp01((De1 + s0 * g10 + s1 * g11) * iE1);

    const double dD = DD + s0 * Df0 + s1 * Df1 - t0 * De0 - t1 * De1;
    const double df0 = Df0 + s0 * F0 + s1 * ff - t0 * g00 - t1 * g10;
    const double df1 = Df1 + s1 * F1 + s0 * ff - t0 * g01 - t1 * g11;
    const double de0 = De0 + s0 * g00 + s1 * g01 - t0 * E0 - t1 * ee;
    const double de1 = De1 + s0 * g10 + s1 * g11 - t1 * E1 - t0 * ee;
    const Vector3d delta = D + s0 * f0 + s1 * f1 - t0 * e0 - t1 * e1;
    const double length = delta.norm();
    if (!(length > radii)) {  // these very points show that the volumes touch
      best.gap = std::min(0.0, std::max(best.gap, length - radii));
      return best;
    }
    const double inverse = 1.0 / length;
    const double core =
        (dD + std::min(0.0, df0) + std::min(0.0, df1) - std::max(0.0, de0) - std::max(0.0, de1)) * inverse;
    const double gap = core - radii;
    if (gap > best.gap) {
      best = {gap, delta * inverse};
      inverse_of_best = inverse;
    }
    if (best.gap >= 0.95 * (length - radii) || round == kRounds) {
      const double M = D.cwiseAbs().sum() + e0.cwiseAbs().sum() + e1.cwiseAbs().sum() + f0.cwiseAbs().sum() +
                       f1.cwiseAbs().sum() + radii;
      best.gap -= 512.0 * 0x1p-53 * M * (1.0 + M * inverse_of_best);
      return best;
    }
  }
}

}  // namespace planner_ccd
