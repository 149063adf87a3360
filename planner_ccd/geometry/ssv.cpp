#include "planner_ccd/geometry/ssv.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/math/lanes.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

using namespace lanes;

/// Certified gap of two swept-sphere volumes. (MATHS.md 10a)
///
/// Any direction n with (30) > 0 separates them: the search only looks for a good one, by Newton steps (31) on the points of B's generator.
/// Whether it has ended is read off the certificate, which is tight at the optimum. If it has not after kRounds, as with nearly parallel
/// features, all directions between edges, corners and faces are tried and the best kept.
constexpr double kPad = 32.0 * kUnitRoundoff;  ///< Of (30), relative to all coordinates and radii.
constexpr int kRounds = 4;
constexpr double kTight = 1e-8;  ///< Relative loss of the certificate at which the search ends.
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTiny = 1e-290;  ///< [m^2] Squared lengths below this count as zero edges.

using Eigen::Vector3d;

inline double clamp01(double x) { return std::min(1.0, std::max(0.0, x)); }  // not a number gives 0

inline double abs_sum(const Vector3d& v) { return std::abs(v[0]) + std::abs(v[1]) + std::abs(v[2]); }

/// The difference of two generators with NA and NB edges; a lane for each edge, those that are not there being zero.
template <int NA, int NB>
struct Pair {
  Vector3d D;
  const Vector3d* e[2];
  const Vector3d* f[2];
  Vector3x2 E, F;
  double radii;  ///< r_A + r_B
  double pad;

  Pair(const Ssv& a, const Ssv& b)
      : D(b.origin - a.origin),
        e{&a.edge0, &a.edge1},
        f{&b.edge0, &b.edge1},
        E(side_by_side(a.edge0, a.edge1)),
        F(side_by_side(b.edge0, b.edge1)),
        radii(a.radius + b.radius) {
    Double2 m{};
    if constexpr (NA > 0) m += abs_sum(E);
    if constexpr (NB > 0) m += abs_sum(F);
    pad = kPad * (abs_sum(D) + radii + m[0] + m[1]);
  }

  double core(const Vector3d& n) const {  // (30)
    double g = n.dot(D);
    if constexpr (NB > 0) {
      const Double2 along = min(dot(F, twice(n)), Double2{});
      g += along[0] + along[1];
    }
    if constexpr (NA > 0) {
      const Double2 along = max(dot(E, twice(n)), Double2{});
      g -= along[0] + along[1];
    }
    return g;
  }

  SeparatingGap certify(const Vector3d& n) const { return {core(n) - radii - pad, n}; }
};

/// Keeps the better of two certificates, trying the direction of v.
template <int NA, int NB>
void try_direction(const Pair<NA, NB>& p, const Vector3d& v, SeparatingGap& best) {
  const double length = v.norm();
  if (!(length > 0.0) || !std::isfinite(length)) return;
  const SeparatingGap g = p.certify(v / length);
  if (g.gap > best.gap) best = g;
}

/// The shortest vector from a point of the segment o + s f to a point of the segment t e.
Vector3d segment_difference(const Vector3d& o, const Vector3d& e, const Vector3d& f) {
  const double E = e.squaredNorm(), F = f.squaredNorm(), G = e.dot(f), oe = o.dot(e), of = o.dot(f);
  const double det = E * F - G * G;
  double s = det > 1e-12 * E * F ? clamp01((G * oe - E * of) / det) : 0.5;
  double t = E > kTiny ? clamp01((oe + s * G) / E) : 0.0;
  s = F > kTiny ? clamp01((t * G - of) / F) : 0.0;
  t = E > kTiny ? clamp01((oe + s * G) / E) : 0.0;
  return o + s * f - t * e;
}

/// All features: edge against edge, corner against edge, and the normals of the faces of the difference body (a corner
/// nearest to a face is found along the face's normal).
template <int NA, int NB>
SeparatingGap exhaustive(const Pair<NA, NB>& p, SeparatingGap best) {
  const Vector3d zero = Vector3d::Zero();
  const Vector3d e[2] = {NA > 0 ? *p.e[0] : zero, NA > 1 ? *p.e[1] : zero};
  const Vector3d f[2] = {NB > 0 ? *p.f[0] : zero, NB > 1 ? *p.f[1] : zero};
  const auto both_ways = [&](const Vector3d& n) {
    try_direction(p, n, best);
    try_direction(p, Vector3d(-n), best);
  };
  both_ways(e[0].cross(e[1]));
  both_ways(f[0].cross(f[1]));
  for (int i = 0; i < std::max(NA, 1); ++i) {
    for (int j = 0; j < std::max(NB, 1); ++j) {
      both_ways(e[i].cross(f[j]));
      for (int k = 0; k < std::max(NA, 1); ++k) {
        for (int l = 0; l < std::max(NB, 1); ++l) {
          try_direction(p, segment_difference(p.D + l * f[1 - j] - k * e[1 - i], e[i], f[j]), best);
        }
      }
    }
  }
  return best;
}

/// The products of (31); a lane for each edge of A. No branches: which edges are free cannot be predicted.
template <int NA, int NB>
struct Products {
  Double2 inverse_ee{}, De{}, G[2]{}, lost[2]{};  ///< lost[j]: what an edge of A takes from H_j when it is free.
  double ff[2], Df[2];

  explicit Products(const Pair<NA, NB>& p) {
    if constexpr (NA > 0) {
      const Double2 ee = dot(p.E, p.E);
      inverse_ee = only(ee > both(kTiny), both(1.0) / ee);
      De = dot(p.E, twice(p.D));
    }
    if constexpr (NB > 0) {
      const Double2 squares = dot(p.F, p.F), along = dot(p.F, twice(p.D));
      for (int j = 0; j < NB; ++j) {
        ff[j] = squares[j];
        Df[j] = along[j];
        if constexpr (NA > 0) G[j] = dot(p.E, twice(*p.f[j]));
        lost[j] = G[j] * G[j] * inverse_ee;
      }
    }
  }

  /// t of the point of A nearest to the point s of B.
  Double2 nearest_t(const double* s) const {
    Double2 v = De;
    for (int j = 0; j < NB; ++j) v += both(s[j]) * G[j];
    return lanes::clamp01(v * inverse_ee);
  }

  /// One Newton step (31) of coordinate j, given t(s).
  void newton(int j, Double2 t, double* s) const {
    const Double2 free = only((t > both(0.0)) & (t < both(1.0)), lost[j]), tg = t * G[j];
    const Double2 g = both(Df[j] + s[j] * ff[j] - tg[0] - tg[1]);
    const Double2 h = both(ff[j] - free[0] - free[1]), f = both(ff[j]);
    const Mask2 steep = h > both(1e-10) * f;
    s[j] = lanes::clamp01(both(s[j]) - g / (only(steep, h) + only(~steep, f)))[0];  // 0 / 0 gives 0
  }
};

template <int NA, int NB>
SeparatingGap gap(const Ssv& a, const Ssv& b) {
  const Pair<NA, NB> p(a, b);
  const Products<NA, NB> q(p);
  double s[2] = {0.5, 0.5};
  SeparatingGap best{-kInfinity, Vector3d::UnitX()};
  for (int round = 0; round < kRounds; ++round) {
    for (int j = 0; j < NB; ++j) {
      q.newton(j, q.nearest_t(s), s);
    }
    const Double2 t = q.nearest_t(s);
    Vector3d delta = p.D;
    for (int j = 0; j < NB; ++j) delta += s[j] * *p.f[j];
    for (int i = 0; i < NA; ++i) delta -= t[i] * *p.e[i];
    const double length = delta.norm();
    if (length > 0.0 && std::isfinite(length)) {
      const SeparatingGap g = p.certify(delta * (1.0 / length));
      if (g.gap > best.gap) best = g;
    }
    // Enough when the certificate is tight, or when these very points show that the volumes touch.
    const double loss = length - p.radii - best.gap;
    if (loss <= kTight * length + 2.0 * p.pad) return best;
    if (length <= p.radii && best.gap > -kInfinity) return best;
  }
  return exhaustive(p, best.gap > -kInfinity ? best : p.certify(Vector3d::UnitX()));
}

template <int NA>
SeparatingGap gap_for(const Ssv& a, const Ssv& b) {
  switch (b.type) {
    case SsvType::Point: return gap<NA, 0>(a, b);
    case SsvType::Line: return gap<NA, 1>(a, b);
    default: return gap<NA, 2>(a, b);
  }
}

}  // namespace

SeparatingGap ssv_gap(const Ssv& a, const Ssv& b) {
  switch (a.type) {
    case SsvType::Point: return gap_for<0>(a, b);
    case SsvType::Line: return gap_for<1>(a, b);
    default: return gap_for<2>(a, b);
  }
}

double ssv_gap_along(const Ssv& a, const Ssv& b, const Vector3d& n) { return Pair<2, 2>(a, b).certify(n).gap; }

}  // namespace planner_ccd
