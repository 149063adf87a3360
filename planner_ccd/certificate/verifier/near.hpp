#pragma once

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdint>

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "with -ffast-math, -Ofast and their like a compiler may leave out the tests that refuse what is no number"
#endif
static_assert(FLT_EVAL_METHOD >= 0 && FLT_EVAL_METHOD != 2, "doubles must be computed as doubles");

namespace pccd {

// Numbers, vectors and rotations, each with one bound on its error. What is computed is rounded to nearest, and so differs from what
// it would be without rounding by at most u = 2^-53 of itself, or by 2^-1075 where it underflows: that much is added to the error.
// tests/certificate/gappa.py has the bounds proved by machine.
//
// Nothing overflows: a rotation's norm is 1, whatever is known of it, and so the errors of a chain of moves add up along it as the
// lengths and velocities do, and are not multiplied from one move to the next. Numbers of a file are at most 1e12, values of moves
// and their derivatives below 1e26, and accelerations of points after n moves below (1e27 n)^3. (Where something did overflow, it could
// become no number, and minima and maxima pass over these.)

/// Far above all that underflows; and 2^-51 of it is no subnormal number, which would be slow.
inline constexpr double kTiny = 0x1p-300;

/// No less, or no more, than what was rounded to x: x (1 + 2^-51) (1 - 2^-53) > x (1 + 2^-52) > x / (1 - 2^-53) for x > 0.
inline double up(double x) { return x + (std::abs(x) * 0x1p-51 + kTiny); }
inline double down(double x) { return x - (std::abs(x) * 0x1p-51 + kTiny); }
/// Of a sum of products of numbers >= 0, with no more than 30 roundings between any of them and the result: no less than it would be
/// without these, for (1 - u)^32 (1 + 64 u) > 1.
inline double above(double sum) { return sum * (1.0 + 0x1p-47) + kTiny; }

/// The real number differs from x by no more than the error.
struct NearNumber {
  double x = 0.0, error = 0.0;
  double most() const { return up(x + error); }
  double magnitude() const { return above(std::abs(x) + error); }
};

inline NearNumber operator+(const NearNumber& a, const NearNumber& b) {
  const double x = a.x + b.x;
  return {x, above(a.error + b.error + std::abs(x) * 0x1p-53)};
}
inline NearNumber operator-(const NearNumber& a, const NearNumber& b) { return a + NearNumber{-b.x, b.error}; }
inline NearNumber operator*(const NearNumber& a, const NearNumber& b) {
  const double x = a.x * b.x;
  return {x, above(std::abs(a.x) * b.error + a.error * (std::abs(b.x) + b.error) + std::abs(x) * 0x1p-53)};
}
inline NearNumber operator*(double a, const NearNumber& b) { return NearNumber{a} * b; }

/// sin(r) / r with kOdd = 1, cos(r) with kOdd = -1, of z = r^2 <= 0.64, within 2^-50: Taylor's series by Horner's rule, which leaves
/// out less than 2^-66, and roundings, which are below 2^-51.
template <int kOdd>
double series(double z) {
  double p = 1.0;
  for (int n = 18; n > 0; n -= 2) p = 1.0 - z * p * (1.0 / (n * (n + kOdd)));
  return p;
}

/// Sine and cosine. x - k pi/2 lies in [-0.8, 0.8] for the right k; neither function changes by more than its argument. pi/2 =
/// 0x1.921fb54442d18p+0 + 6.123233995736766...e-17. Of numbers too large for that nothing is known.
inline std::array<NearNumber, 2> sine_cosine(const NearNumber& x) {
  constexpr std::array<NearNumber, 2> kAny{{{0.0, 1.0}, {0.0, 1.0}}};
  if (!(x.magnitude() < 1e9)) return kAny;
  const double quarters = x.x * 0.6366197723675814;
  const auto turns = static_cast<std::int64_t>(quarters + (quarters < 0.0 ? -0.5 : 0.5));
  const auto k = static_cast<double>(turns);
  const NearNumber angle = x - k * NearNumber{0x1.921fb54442d18p+0} - k * NearNumber{6.123233995736766e-17, 1e-31};
  if (!(angle.magnitude() <= 0.8)) return kAny;
  const double r = angle.x, s = r * series<1>(r * r), c = series<-1>(r * r), error = above(angle.error + 0x1p-49);
  const double turned[] = {s, c, -s, -c};
  const auto quarter = static_cast<std::size_t>(turns & 3);
  return {{{turned[quarter], error}, {turned[(quarter + 1) % 4], error}}};
}

/// The real vector is no farther from x than the error.
struct Near {
  std::array<double, 3> x{};
  double error = 0.0;

  Near operator-() const { return {{-x[0], -x[1], -x[2]}, error}; }
  /// At least the length of x; no more than sqrt(3) times that.
  double size() const { return std::abs(x[0]) + std::abs(x[1]) + std::abs(x[2]); }
  /// At least the length of the real one.
  double length() const { return above(std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) + error); }
};

/// By a power of 2, which rounds nothing.
inline NearNumber scaled(double power, const NearNumber& a) { return {power * a.x, std::abs(power) * a.error}; }
inline Near scaled(double power, const Near& a) {
  return {{power * a.x[0], power * a.x[1], power * a.x[2]}, std::abs(power) * a.error};
}

inline Near operator+(const Near& a, const Near& b) {
  Near out{{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2]}};
  out.error = above(a.error + b.error + out.size() * 0x1p-53);
  return out;
}
inline Near operator-(const Near& a, const Near& b) { return a + -b; }
inline Near operator*(const NearNumber& s, const Near& a) {
  Near out{{s.x * a.x[0], s.x * a.x[1], s.x * a.x[2]}};
  out.error = above(std::abs(s.x) * a.error + s.error * (a.size() + a.error) + out.size() * 0x1p-53);
  return out;
}

/// a b - a' b' = a' (b - b') + (a - a') b for every product of vectors, whose length is at most that of one times that of the other; the
/// coordinates' products with their sums are rounded by less than 5 u |a'|_1 |b'|_1 altogether.
inline double error_of_product(const Near& a, const Near& b) {
  return above(a.size() * (b.error + b.size() * 0x1p-50) + a.error * (b.size() + b.error));
}
inline double plain_dot(const Near& a, const Near& b) { return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2]; }
inline NearNumber dot(const Near& a, const Near& b) { return {plain_dot(a, b), error_of_product(a, b)}; }
/// Divided by its length, which is > 0: |a / |a| - a' / |a'|| <= 2 |a - a'| / |a'|, and rounding adds less than 6 u.
inline Near normalized(const Near& a) {
  const double length = std::sqrt(plain_dot(a, a));
  return {{a.x[0] / length, a.x[1] / length, a.x[2] / length}, above(2.0 * a.error / length + 0x1p-49)};
}
inline Near cross(const Near& a, const Near& b) {
  return {{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]},
          error_of_product(a, b)};
}

/// The real matrix is a rotation, and its difference to m lengthens no vector by more than the error, which is at most 1: so far is
/// every rotation from the matrix 0. No row or column of m is longer than 2, then.
struct NearRotation {
  std::array<std::array<double, 3>, 3> m{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  double error = 0.0;

  void set_error(double bound) {
    error = bound;
    if (!(error <= 1.0)) m = {}, error = 1.0;
  }
};
inline NearRotation transposed(const NearRotation& r) {
  const auto& m = r.m;
  return {{{{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}}}, r.error};
}

/// R a - R' a' = R (a - a') + (R - R') a'; each coordinate is rounded by less than 5 u 2 |a'|_1, and the vector by less than 18 u |a'|_1.
inline Near operator*(const NearRotation& r, const Near& a) {
  Near out;
  for (std::size_t i = 0; i < 3; ++i) out.x[i] = r.m[i][0] * a.x[0] + r.m[i][1] * a.x[1] + r.m[i][2] * a.x[2];
  out.error = above(a.error + (r.error + 0x1p-48) * a.size());
  return out;
}

/// R S - R' S' = R' (S - S') + (R - R') S. An entry is rounded by less than 5 u times the product of a row's and a column's length,
/// which are below 2, and the matrix by less than 3 times that.
inline NearRotation operator*(const NearRotation& r, const NearRotation& s) {
  NearRotation out;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& m = r.m[i];
    for (std::size_t k = 0; k < 3; ++k) out.m[i][k] = m[0] * s.m[0][k] + m[1] * s.m[1][k] + m[2] * s.m[2][k];
  }
  out.set_error(above(r.error + (1.0 + r.error) * s.error + 0x1p-47));
  return out;
}

/// About a unit axis, whose error is below 1e-3: c I + (1 - c) a a^T + s [a]x. An error of c changes the matrix by no more than itself,
/// of s likewise; of the axis by less than 2 (2 + 1e-3) + 1 times itself; an entry has less than 12 roundings of numbers below 2, and the
/// matrix less than 3 times that.
inline NearRotation rotation(const Near& axis, const NearNumber& angle) {
  const auto [s, c] = sine_cosine(angle);
  const std::array<double, 3>& a = axis.x;
  NearRotation out;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t k = (i + 1) % 3, last = (i + 2) % 3;
    const double product = (1.0 - c.x) * a[i] * a[k];
    out.m[i][i] = (1.0 - c.x) * a[i] * a[i] + c.x;
    out.m[i][k] = product - s.x * a[last];
    out.m[k][i] = product + s.x * a[last];
  }
  out.set_error(above(s.error + c.error + 6.0 * axis.error + 0x1p-46));
  return out;
}

}  // namespace pccd
