#pragma once

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "planner_ccd/geometry/triangle_distance.hpp"

/// The exact squared distance of two triangles whose corners are doubles, in integer arithmetic. It shares nothing with
/// the library: every pair of features is tried, using only sums, products and comparisons of integers.
///
/// All coordinates are multiples of 2^exponent; in that unit they are integers, and the squared distance is a fraction:
///   vertex-vertex |r|^2;  vertex-edge |r x e|^2 / e^2;  vertex-face and edge-edge (r.N)^2 / N^2,
/// each only where the foot lies inside the feature. An edge through a face is 0.
namespace planner_ccd::exact {

using Integer = boost::multiprecision::cpp_int;

struct Vector {
  Integer x, y, z;
};

inline Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Integer dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// numerator / denominator * 4^exponent, denominator > 0.
struct SquaredDistance {
  Integer numerator, denominator;
  int exponent;

  void take_least(const Integer& n, const Integer& d) {
    if (n * denominator < numerator * d) {
      numerator = n;
      denominator = d;
    }
  }
};

using Corners = std::array<Vector, 3>;

inline int lowest_bit(double x) {
  if (x == 0.0) return 0;
  int e;
  const double m = std::frexp(x, &e);
  auto integer = static_cast<long long>(std::ldexp(m, 53));
  e -= 53;
  while ((integer & 1) == 0) {
    integer >>= 1;
    ++e;
  }
  return e;
}

inline Integer to_integer(double x, int exponent) {
  if (x == 0.0) return 0;
  int e;
  const double m = std::frexp(x, &e);
  Integer i = static_cast<long long>(std::ldexp(m, 53));
  const int shift = e - 53 - exponent;
  // A negative shift only drops zero bits: x is a multiple of 2^exponent.
  return shift >= 0 ? Integer(i << shift) : Integer(i / (Integer(1) << -shift));
}

inline void vertices_and_edges(const Corners& a, const Corners& b, SquaredDistance& best) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vector r = a[i] - b[j];
      best.take_least(dot(r, r), 1);
      const Vector e = b[(j + 1) % 3] - b[j];
      const Integer along = dot(r, e);
      const Integer ee = dot(e, e);
      if (along > 0 && along < ee) {
        const Vector c = cross(r, e);
        best.take_least(dot(c, c), ee);
      }
    }
  }
}

inline void edges_and_edges(const Corners& a, const Corners& b, SquaredDistance& best) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vector e = a[(i + 1) % 3] - a[i];
      const Vector f = b[(j + 1) % 3] - b[j];
      const Vector n = cross(e, f);
      const Integer nn = dot(n, n);
      if (nn == 0) continue;
      const Vector r = b[j] - a[i];
      const Integer s = dot(cross(r, f), n);
      const Integer t = dot(cross(r, e), n);
      if (s < 0 || s > nn || t < 0 || t > nn) continue;
      const Integer h = dot(r, n);
      best.take_least(h * h, nn);
    }
  }
}

/// Vertices and edges of b against the face of a.
inline void face_against(const Corners& a, const Corners& b, SquaredDistance& best) {
  const Vector n = cross(a[1] - a[0], a[2] - a[0]);
  const Integer nn = dot(n, n);
  if (nn == 0) return;
  Integer h[3];
  for (int j = 0; j < 3; ++j) {
    h[j] = dot(n, b[j] - a[0]);
    bool inside = true;
    for (int i = 0; i < 3; ++i) inside = inside && dot(cross(n, a[(i + 1) % 3] - a[i]), b[j] - a[i]) >= 0;
    if (inside) best.take_least(h[j] * h[j], nn);
  }
  for (int j = 0; j < 3; ++j) {
    const int k = (j + 1) % 3;
    if (!((h[j] < 0 && h[k] > 0) || (h[j] > 0 && h[k] < 0))) continue;
    const Vector d = b[k] - b[j];
    int positive = 0, negative = 0;
    for (int i = 0; i < 3; ++i) {
      const Integer volume = dot(cross(a[i] - b[j], a[(i + 1) % 3] - b[j]), d);
      positive += volume > 0;
      negative += volume < 0;
    }
    if (positive == 0 || negative == 0) best.take_least(0, 1);
  }
}

/// Of corners in units of 2^exponent.
inline SquaredDistance squared_distance(const Corners& ca, const Corners& cb, int exponent) {
  const Vector r = ca[0] - cb[0];
  SquaredDistance best{dot(r, r), 1, exponent};
  vertices_and_edges(ca, cb, best);
  vertices_and_edges(cb, ca, best);
  edges_and_edges(ca, cb, best);
  face_against(ca, cb, best);
  face_against(cb, ca, best);
  return best;
}

inline SquaredDistance squared_distance(const Triangle& a, const Triangle& b) {
  int exponent = 1023;
  for (const Triangle& t : {a, b}) {
    for (const auto& v : t) {
      for (int k = 0; k < 3; ++k) {
        if (v[k] != 0.0) exponent = std::min(exponent, lowest_bit(v[k]));
      }
    }
  }
  Corners ca, cb;
  for (int i = 0; i < 3; ++i) {
    ca[i] = {to_integer(a[i].x(), exponent), to_integer(a[i].y(), exponent), to_integer(a[i].z(), exponent)};
    cb[i] = {to_integer(b[i].x(), exponent), to_integer(b[i].y(), exponent), to_integer(b[i].z(), exponent)};
  }
  return squared_distance(ca, cb, exponent);
}

/// -1, 0 or 1 as x is below, at or above the distance; x >= 0.
inline int compare(double x, const SquaredDistance& d) {
  const int unit = std::min(d.exponent, x == 0.0 ? d.exponent : lowest_bit(x));
  const Integer ix = to_integer(x, unit);
  const Integer left = ix * ix * d.denominator;
  const Integer right = d.numerator << (2 * (d.exponent - unit));
  return left < right ? -1 : left > right ? 1 : 0;
}

/// The distance to about 18 digits.
inline long double approximate(const SquaredDistance& d) {
  if (d.numerator == 0) return 0.0L;
  // Scaled so that the quotient's integer part has at least 128 bits.
  const int bits = 130 + static_cast<int>(msb(d.denominator)) - static_cast<int>(msb(d.numerator));
  const int shift = bits > 0 ? bits + (bits & 1) : 0;
  const Integer quotient = (d.numerator << shift) / d.denominator;
  const int drop = static_cast<int>(msb(quotient)) / 2 * 2 - 64;
  const Integer top = drop > 0 ? Integer(quotient >> drop) : quotient;
  return std::ldexp(std::sqrt(top.convert_to<long double>()), (std::max(drop, 0) - shift) / 2 + d.exponent);
}

}  // namespace planner_ccd::exact
