#include "triangle_ccd/exact_leaf.hpp"

#include <algorithm>

#include "triangle_ccd/exact_polynomial.hpp"

namespace planner_ccd::test {
namespace {

using Vector = std::array<Polynomial, 3>;

Vector linear(const MovingPoint& p) {
  Vector out;
  for (int c = 0; c < 3; ++c) out[c] = Polynomial({Exact(p.start[c]), Exact(p.end[c]) - Exact(p.start[c])});
  return out;
}

Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Polynomial dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
bool is_zero(const Vector& a) { return a[0].is_zero() && a[1].is_zero() && a[2].is_zero(); }

/// The moving set of differences b - a.
struct Differences {
  std::vector<Vector> corner;  ///< Cyclic.
  Vector u, v;                 ///< From corner 0 to its two neighbours.
};

/// All sign tests at one time, which is a root or a rational.
template <class Sign>
bool holds_origin(const Differences& d, const Sign& sign) {
  const Vector n = cross(d.u, d.v);
  const Polynomial n2 = dot(n, n);
  const std::size_t count = d.corner.size();
  if (sign(n2) != 0) {
    if (sign(dot(n, d.corner[0])) != 0) return false;
    for (std::size_t k = 0; k < count; ++k) {
      const Vector side = d.corner[(k + 1) % count] - d.corner[k];
      // The origin is to the left of every border.
      if (sign(dot(n, cross(d.corner[k], side))) < 0) return false;
    }
    return true;
  }
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t l = k; l < count; ++l) {  // any two corners: a collinear set is the hull of two of them
      const Vector w = cross(d.corner[k], d.corner[l]);
      if (sign(w[0]) == 0 && sign(w[1]) == 0 && sign(w[2]) == 0 && sign(dot(d.corner[k], d.corner[l])) <= 0)
        return true;
    }
  }
  return false;
}

double approximate(Root root) {
  while (root.lo != root.hi && root.hi - root.lo > Exact(0x1p-60)) root.refine();
  return static_cast<double>((root.lo + root.hi) / 2);
}

/// The first of the roots of p at which `accept` holds.
template <class Accept>
std::optional<double> first_root(const Polynomial& p, const Accept& accept) {
  for (Root& root : roots_in_unit_interval(p)) {
    if (accept(root)) return approximate(root);
  }
  return std::nullopt;
}

/// The first time a border passes over the origin, given that the whole set stays in planes through it.
std::optional<double> first_over_border(const Differences& d) {
  std::optional<double> first;
  const std::size_t count = d.corner.size();
  for (std::size_t k = 0; k < count; ++k) {
    const Vector &a = d.corner[k], &b = d.corner[(k + 1) % count];
    const Vector w = cross(a, b);
    const Polynomial between = dot(a, b);
    std::optional<double> t;
    if (is_zero(w)) {
      if (between.sign_at(0) <= 0)
        t = 0.0;
      else
        t = first_root(between, [](Root&) { return true; });
    } else {
      t = first_root(gcd(gcd(w[0], w[1]), w[2]), [&](Root& root) { return root.sign_of(between) <= 0; });
    }
    if (t && (!first || *t < *first)) first = t;
  }
  return first;
}

std::optional<ExactContact> contact(const Differences& d) {
  const Vector n = cross(d.u, d.v);
  const Polynomial det = dot(n, d.corner[0]);
  if (det.is_zero()) {
    if (holds_origin(d, [](const Polynomial& p) { return p.sign_at(0); })) return ExactContact{0.0, true};
    const std::optional<double> t = first_over_border(d);
    return t ? std::optional<ExactContact>({*t, true}) : std::nullopt;
  }
  bool degenerate = false;
  const std::optional<double> t = first_root(det, [&](Root& root) {
    degenerate = root.sign_of(dot(n, n)) == 0;
    return holds_origin(d, [&](const Polynomial& p) { return root.sign_of(p); });
  });
  return t ? std::optional<ExactContact>({*t, degenerate}) : std::nullopt;
}

}  // namespace

std::optional<ExactContact> exact_contact(const VertexFaceMotion& m) {
  const Vector p = linear(m.vertex);
  Differences d;
  for (const MovingPoint& x : m.face) d.corner.push_back(linear(x) - p);
  d.u = d.corner[1] - d.corner[0];
  d.v = d.corner[2] - d.corner[0];
  return contact(d);
}

std::optional<ExactContact> exact_contact(const EdgeEdgeMotion& m) {
  const Vector a0 = linear(m.a[0]), a1 = linear(m.a[1]), b0 = linear(m.b[0]), b1 = linear(m.b[1]);
  Differences d;
  d.corner = {b0 - a0, b0 - a1, b1 - a1, b1 - a0};
  d.u = d.corner[1] - d.corner[0];
  d.v = d.corner[3] - d.corner[0];
  return contact(d);
}

}  // namespace planner_ccd::test
