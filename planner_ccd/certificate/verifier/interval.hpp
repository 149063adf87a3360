#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace pccd {

// Arithmetic whose results contain the real ones. A double operation rounds to nearest, and so its result x differs from the real
// one by at most 2^-53 of it, or by 2^-1075 where it underflows. up(x) and down(x) go 2^-51 |x| + 2^-300 away, which covers this and
// their own roundings: x (1 + 2^-51) (1 - 2^-53) > x (1 + 2^-52) > x / (1 - 2^-53) for x > 0, likewise for x < 0. (Ends of intervals
// that are meant to be 0 are 2^-300: products of two of them, and 2^-51 of these, are no subnormal numbers, which are slow.)
// tests/certificate/gappa.py has all of this proved by machine. The reader of files admits no number beyond 1e12, and motion.cpp no pose, velocity or acceleration beyond 1e40 (require_bounded). Nothing else is multiplied more than a few times, and
// so nothing overflows: where something did, it could become no number, and minima and maxima pass over these.

inline constexpr double kTiny = 0x1p-300;

inline double up(double x) { return x + (std::abs(x) * 0x1p-51 + kTiny); }
inline double down(double x) { return x - (std::abs(x) * 0x1p-51 + kTiny); }

/// All reals from lo to hi.
struct Interval {
  double lo = 0.0, hi = 0.0;

  Interval() = default;
  Interval(double x) : lo(x), hi(x) {}  // NOLINT: a double is an interval
  Interval(double lower, double upper) : lo(lower), hi(upper) {}

  Interval operator-() const { return {-hi, -lo}; }
  double mid() const { return 0.5 * (lo + hi); }
  /// No value of it is greater in magnitude.
  double magnitude() const { return std::max(-lo, hi); }
};

inline Interval operator+(const Interval& a, const Interval& b) { return {down(a.lo + b.lo), up(a.hi + b.hi)}; }
inline Interval operator-(const Interval& a, const Interval& b) { return {down(a.lo - b.hi), up(a.hi - b.lo)}; }
/// All reals between the least and the greatest product of ends, as rounded to nearest.
struct Products {
  double least, greatest;
  double magnitude() const { return std::max(-least, greatest); }
};
inline Products products(const Interval& a, const Interval& b) {
  const double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  return {std::min(std::min(p, q), std::min(r, s)), std::max(std::max(p, q), std::max(r, s))};
}
inline Products products(double a, const Interval& b) {
  const double p = a * b.lo, q = a * b.hi;
  return {std::min(p, q), std::max(p, q)};
}
inline Interval operator*(const Interval& a, const Interval& b) {
  const Products p = products(a, b);
  return {down(p.least), up(p.greatest)};
}
inline Interval operator*(double a, const Interval& b) {
  const Products p = products(a, b);
  return {down(p.least), up(p.greatest)};
}
/// b must not hold 0: of callers, b > 0 is checked before.
inline Interval operator/(const Interval& a, const Interval& b) {
  const double p = a.lo / b.lo, q = a.lo / b.hi, r = a.hi / b.lo, s = a.hi / b.hi;
  return {down(std::min(std::min(p, q), std::min(r, s))), up(std::max(std::max(p, q), std::max(r, s)))};
}

inline Interval square(const Interval& a) {
  const double least = a.lo > 0.0 ? a.lo : (a.hi < 0.0 ? -a.hi : 0.0), most = a.magnitude();
  return {std::max(0.0, down(least * least)), up(most * most)};
}
/// Of what is not negative in it: of numbers known to be none.
inline Interval root(const Interval& a) {
  return {std::max(0.0, down(std::sqrt(std::max(0.0, a.lo)))), up(std::sqrt(std::max(0.0, a.hi)))};
}

/// sin(r) / r with odd = 1, cos(r) with odd = -1, of z = r^2 <= 0.64, within 2^-50: Taylor's series by Horner's rule, which leaves
/// out less than 2^-66, and roundings, which are below 2^-51 (tests/certificate/gappa.py).
inline double series(double z, double odd) {
  double p = 1.0;
  for (double n = 18.0; n > 1.0; n -= 2.0) p = 1.0 - z * p / (n * (n + odd));
  return p;
}

struct SineCosine {
  Interval sine, cosine;
};

/// x - k pi/2 lies in [-0.8, 0.8] for the right k, at r +- half; neither function changes by more than its argument. pi/2 =
/// 0x1.921fb54442d18p+0 + 6.123233995736766...e-17. Numbers too large for that get [-1, 1].
inline SineCosine sine_cosine(const Interval& x) {
  if (!(x.magnitude() < 1e9)) return {{-1.0, 1.0}, {-1.0, 1.0}};
  const double k = std::nearbyint(x.mid() * 0.6366197723675814);
  const Interval rest(6.12323399573676e-17, 6.12323399573677e-17);
  const Interval near = (x - Interval(k) * Interval(0x1.921fb54442d18p+0)) - k * rest;
  if (!(near.magnitude() <= 0.8)) return {{-1.0, 1.0}, {-1.0, 1.0}};
  const double r = near.mid(), half = up(up(std::max(near.hi - r, r - near.lo)) + 0x1p-49);
  const double s = r * series(r * r, 1.0), c = series(r * r, -1.0);
  const Interval sine(down(s - half), up(s + half)), cosine(down(c - half), up(c + half));
  const Interval turned[] = {sine, cosine, -sine, -cosine};
  const auto quarter = static_cast<std::size_t>(static_cast<long long>(k) & 3);
  return {turned[quarter], turned[(quarter + 1) % 4]};
}

using Vector = std::array<Interval, 3>;
using Matrix = std::array<Vector, 3>;  ///< Rows.

inline Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector operator*(const Interval& s, const Vector& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline Vector operator*(double s, const Vector& a) { return {s * a[0], s * a[1], s * a[2]}; }
/// x, y, z as products left them, each within 2^-53 of its magnitude. Two additions here and the last one add no more than 3.1 such
/// parts of the sum of magnitudes m: 2^-50 m, which is 8 of them, is enough for all and for its own rounding.
inline Interval sum(const Products& x, const Products& y, const Products& z) {
  const double pad = (x.magnitude() + y.magnitude() + z.magnitude()) * 0x1p-50 + kTiny;
  return {(x.least + y.least + z.least) - pad, (x.greatest + y.greatest + z.greatest) + pad};
}
inline Interval dot(const Vector& a, const Vector& b) {
  return sum(products(a[0], b[0]), products(a[1], b[1]), products(a[2], b[2]));
}
using Direction = std::array<double, 3>;
inline Interval dot(const Direction& a, const Vector& b) {
  return sum(products(a[0], b[0]), products(a[1], b[1]), products(a[2], b[2]));
}
inline Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Interval norm(const Vector& a) { return root(square(a[0]) + square(a[1]) + square(a[2])); }
inline Matrix transposed(const Matrix& m) {
  return {{{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}}};
}
inline Vector operator*(const Matrix& m, const Vector& a) { return {dot(m[0], a), dot(m[1], a), dot(m[2], a)}; }
/// The row n times m.
inline Vector operator*(const Direction& n, const Matrix& m) {
  const Matrix c = transposed(m);
  return {dot(n, c[0]), dot(n, c[1]), dot(n, c[2])};
}
inline Matrix operator+(const Matrix& a, const Matrix& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Matrix operator*(const Matrix& a, const Matrix& b) {
  const Matrix c = transposed(b);
  return {c * a[0], c * a[1], c * a[2]};
}
inline Matrix operator*(const Interval& s, const Matrix& m) { return {s * m[0], s * m[1], s * m[2]}; }
inline Matrix outer(const Vector& a) { return {a[0] * a, a[1] * a, a[2] * a}; }
/// Of each column.
inline Matrix cross(const Vector& w, const Matrix& m) {
  return {w[1] * m[2] - w[2] * m[1], w[2] * m[0] - w[0] * m[2], w[0] * m[1] - w[1] * m[0]};
}

}  // namespace pccd
