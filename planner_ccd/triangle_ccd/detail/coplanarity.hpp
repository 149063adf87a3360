#pragma once

#include <array>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/triangle_ccd/detail/patch.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd::leaf {

/// A cubic known up to rounding, and where on [0, 1] it can be near zero. (MATHS.md T9)
///
/// It is the coplanarity cubic (8) of a patch in Bernstein form (9), between the least and the greatest coefficient of which it stays. Where the
/// patch has a point within the separation of the origin, the computed cubic is within `band`, which holds every rounding error too. Outside
/// 1e-140 < sum |c_k| < 1e140 the band takes in all of it.
struct Cubic {
  std::array<double, 4> bernstein;
  double band;  ///< In the unit of p. Only as much of it as the first line needs until `padded`.

  /// Needs no more of the band than the error of the coefficients.
  bool never_near_zero() const {
    const auto& b = bernstein;
    const double lo = std::min(std::min(b[0], b[1]), std::min(b[2], b[3]));
    const double hi = std::max(std::max(b[0], b[1]), std::max(b[2], b[3]));
    return lo > band || hi < -band;
  }
};

/// Coefficients (9) with `band` only for separation and for the errors of the coefficients.
inline Cubic coplanarity_cubic(const PatchFrame& f, double separation) {
  const Vector3x2 n02 = cross(f.u, f.v);
  const Vector3x2 mixed = cross(f.u, swapped(f.v));
  const Vector3x2 n1 = mixed + swapped(mixed);
  const Double2 b03 = dot(n02, f.q0);
  const Double2 b12 = (dot(n02, swapped(f.q0)) + dot(n1, f.q0)) * (1.0 / 3.0);  // one more rounding in (9)
  const double uv = greatest_lane(greatest_coordinate(f.u)) * greatest_lane(greatest_coordinate(f.v));
  double band = 88 * kUnitRoundoff * uv * greatest_lane(greatest_coordinate(f.q0)) + 1e-290;
  if (separation > 0) {
    // |N| <= the greatest |Bernstein coefficient|; its rounding is at most 8 u of terms below 2 U V per coordinate.
    const Double2 squared = greatest(dot(n02, n02), 0.25 * dot(n1, n1));
    const double normal = std::sqrt(greatest_lane(squared)) * (1 + 8 * kUnitRoundoff) + 32 * kUnitRoundoff * uv;
    band += separation * normal * (1 + 8 * kUnitRoundoff);
  }
  const Double2 sum = 0.0 * (b03 + b12);  // NaN or infinity in, a band that nothing is beyond out
  return {{b03[0], b12[0], b12[1], b03[1]}, band + (sum[0] + sum[1])};
}

/// Adds to `band` what (10) asks for.
Cubic padded(const Cubic& cubic);

/// [t_lo, t_hi] cut into at most three pieces, on each of which (10) holds.
class Pieces {
 public:
  Pieces(const Cubic& cubic, double t_lo, double t_hi);

  int count() const { return count_; }
  double lo(int i) const { return knot_[i]; }
  double hi(int i) const { return knot_[i + 1]; }

  /// True when p is beyond the band at t, on the side of `sign`.
  bool beyond(double t, double sign) const { return sign > 0 ? at(t) > band_ : at(t) < -band_; }

  /// True when a piece with ends a < b has no near zero between them, by (10).
  bool clear(double a, double b) const {
    const double at_a = at(a), at_b = at(b);
    return (at_a > band_ && at_b > band_) || (at_a < -band_ && at_b < -band_);
  }

  /// A guess of the root between a and b: the secant and one Householder step.
  double guess(double a, double b) const;

  /// Where |p| <= band between a and b of one piece that is not clear. Around a simple root it is made about 2 `resolution`
  /// wide, or wider where p leaves the band later.
  TimeInterval near_zero(double a, double b, double resolution) const;

  double at(double t) const { return ((c3_ * t + c2_) * t + c1_) * t + c0_; }

 private:
  double slope(double t) const { return (3 * c3_ * t + 2 * c2_) * t + c1_; }
  double householder_step(double t, double f) const;
  double root(double lo, double hi, double resolution) const;

  double c0_, c1_, c2_, c3_;
  double band_;
  double knot_[4];
  int count_;
};

}  // namespace planner_ccd::leaf
#pragma GCC visibility pop
