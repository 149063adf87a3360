#include "planner_ccd/triangle_ccd/detail/coplanarity.hpp"

#include <limits>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd::leaf {
namespace {

/// Both cases of (10): monotone, or a single change of sign among coefficients that are all beyond the band.
bool one_piece(const Cubic& cubic) {
  const auto& b = cubic.bernstein;
  const double d0 = b[1] - b[0], d1 = b[2] - b[1], d2 = b[3] - b[2];
  const bool rising = (d0 >= 0) & (d1 >= 0) & (d2 >= 0), falling = (d0 <= 0) & (d1 <= 0) & (d2 <= 0);
  const double least = std::min(std::min(std::abs(b[0]), std::abs(b[1])), std::min(std::abs(b[2]), std::abs(b[3])));
  const int s0 = b[0] > 0, s1 = b[1] > 0, s2 = b[2] > 0, s3 = b[3] > 0;
  const bool one_change = (s0 ^ s1) + (s1 ^ s2) + (s2 ^ s3) == 1;
  return rising | falling | (one_change & (least > cubic.band));
}

}  // namespace

Cubic padded(const Cubic& cubic) {
  const auto& b = cubic.bernstein;
  const double m = std::max(std::max(std::abs(b[0]), std::abs(b[1])), std::max(std::abs(b[2]), std::abs(b[3])));
  const double c = std::abs(b[0]) + 3 * std::abs(b[1] - b[0]) + 3 * std::abs((b[0] - 2 * b[1]) + b[2]) +
                   std::abs((b[3] - b[0]) + 3 * (b[1] - b[2]));
  double band = (cubic.band + kUnitRoundoff * (160 * m + 116 * c)) * kRoundUp;
  if (c < 1e-140) band += 2 * c;
  if (!(c < 1e140)) band = std::numeric_limits<double>::infinity();
  return {b, band};
}

Pieces::Pieces(const Cubic& cubic, double t_lo, double t_hi) : band_(cubic.band), count_(1) {
  const auto& b = cubic.bernstein;
  c0_ = b[0];
  c1_ = 3 * (b[1] - b[0]);
  c2_ = 3 * ((b[0] - 2 * b[1]) + b[2]);
  c3_ = (b[3] - b[0]) + 3 * (b[1] - b[2]);
  knot_[0] = t_lo;
  if (!one_piece(cubic)) {
    // Roots of 3 c3 t^2 + 2 c2 t + c1; one that is infinite or NaN (a coefficient is 0) is no extremum.
    const double a = 3 * c3_, discriminant = c2_ * c2_ - a * c1_;
    if (discriminant >= 0) {
      const double q = -(c2_ + std::copysign(std::sqrt(discriminant), c2_));
      double r1 = q / a, r2 = c1_ / q;
      if (r1 > r2) std::swap(r1, r2);
      if (r1 > t_lo && r1 < t_hi) knot_[count_++] = r1;
      if (r2 > t_lo && r2 < t_hi) knot_[count_++] = r2;
    }
  }
  knot_[count_] = t_hi;
}

double Pieces::householder_step(double t, double f) const {
  const double inverse = 1 / slope(t);
  const double newton = f * inverse;
  return t - newton * (1 + newton * (3 * c3_ * t + c2_) * inverse);
}

double Pieces::guess(double a, double b) const {
  const double at_a = at(a), at_b = at(b);
  if ((at_a > 0) == (at_b > 0)) return std::abs(at_a) < std::abs(at_b) ? a : b;
  const double t = a + (b - a) * (at_a / (at_a - at_b));
  const double next = householder_step(t, at(t));
  return next > a && next < b ? next : t;
}

/// Householder's iteration t <- t - f/f' (1 + f f'' / (2 f'^2)), kept inside the bracket by bisection.
double Pieces::root(double lo, double hi, double resolution) const {
  const bool rising = at(lo) <= 0;
  double t = guess(lo, hi);
  for (int i = 0; i < 64; ++i) {
    const double f = at(t);
    if ((f < 0) == rising)
      lo = t;
    else
      hi = t;
    double next = householder_step(t, f);
    if (!(next >= lo && next <= hi)) next = 0.5 * (lo + hi);
    if (std::abs(next - t) <= resolution) return next;
    t = next;
  }
  return t;
}

TimeInterval Pieces::near_zero(double a, double b, double resolution) const {
  const double at_a = at(a), at_b = at(b);
  TimeInterval part{a, b};
  const bool a_near = !(std::abs(at_a) > band_), b_near = !(std::abs(at_b) > band_);
  if (a_near && b_near) return part;
  double r = a_near ? a : b;
  if ((at_a > 0) != (at_b > 0)) r = root(a, b, 0.25 * resolution);
  const double first = std::max(resolution, 1.25 * band_ / std::abs(slope(r)));
  if (!a_near) {
    double e = first;
    while (r - e > a && !beyond(r - e, at_a)) e *= 4;
    if (r - e > a) part.lo = r - e;
  }
  if (!b_near) {
    double e = first;
    while (r + e < b && !beyond(r + e, at_b)) e *= 4;
    if (r + e < b) part.hi = r + e;
  }
  return part;
}

}  // namespace planner_ccd::leaf
