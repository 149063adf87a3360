#include <algorithm>
#include <limits>

#include "support/oracle_body.hpp"

namespace planner_ccd::truth {
namespace {

template <typename T>
T clamp01(T x) {
  return std::min<T>(1, std::max<T>(0, x));
}

template <typename T>
T segment_segment_squared(const Vector<T>& a, const Vector<T>& da, const Vector<T>& b, const Vector<T>& db) {
  const T A = squared(da), B = squared(db), C = dot(da, db);
  const Vector<T> r = a - b;
  const T ra = dot(r, da), rb = dot(r, db);
  const auto at = [&](T s, T t) { return squared(r + s * da - t * db); };
  const auto best_t = [&](T s) { return B > 0 ? clamp01<T>((rb + s * C) / B) : T(0); };
  const auto best_s = [&](T t) { return A > 0 ? clamp01<T>((t * C - ra) / A) : T(0); };
  T best = std::min({at(0, best_t(0)), at(1, best_t(1)), at(best_s(0), 0), at(best_s(1), 1)});
  const T det = A * B - C * C;
  if (det > 0) {
    const T s = clamp01<T>((C * rb - B * ra) / det);
    const T t = best_t(s);
    best = std::min({best, at(s, t), at(best_s(t), t)});
  }
  return best;
}

template <typename T>
struct Face {
  Vector<T> n, side[3];
  T nn;

  explicit Face(const Vector<T> (&t)[3]) : n(cross(t[1] - t[0], t[2] - t[0])), nn(squared(n)) {
    for (int k = 0; k < 3; ++k) side[k] = cross(n, t[(k + 1) % 3] - t[k]);
  }
  bool above(const Vector<T>& p, const Vector<T> (&t)[3]) const {
    for (int k = 0; k < 3; ++k) {
      if (dot(side[k], p - t[k]) < 0) return false;
    }
    return nn > 0;
  }
};

template <typename T>
T distance_of_triangles(const Vector<T> (&a)[3], const Vector<T> (&b)[3]) {
  const Face<T> fa(a), fb(b);
  T ha[3], hb[3];
  for (int i = 0; i < 3; ++i) {
    ha[i] = dot(fb.n, a[i] - b[0]);
    hb[i] = dot(fa.n, b[i] - a[0]);
  }
  T best = std::numeric_limits<T>::infinity();
  const auto pierces = [](const Vector<T>& p, const Vector<T>& q, T hp, T hq, const Face<T>& f,
                          const Vector<T>(&t)[3]) {
    if (!((hp <= 0 && hq >= 0) || (hp >= 0 && hq <= 0)) || hp == hq) return false;
    return f.above(p + (hp / (hp - hq)) * (q - p), t);
  };
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (pierces(a[i], a[j], ha[i], ha[j], fb, b) || pierces(b[i], b[j], hb[i], hb[j], fa, a)) return 0;
    if (fb.above(a[i], b)) best = std::min(best, ha[i] * ha[i] / fb.nn);
    if (fa.above(b[i], a)) best = std::min(best, hb[i] * hb[i] / fa.nn);
    for (int k = 0; k < 3; ++k) {
      best = std::min(best, segment_segment_squared(a[i], a[j] - a[i], b[k], b[(k + 1) % 3] - b[k]));
    }
  }
  return std::sqrt(best);
}

}  // namespace

Real triangle_distance(const Vec (&a)[3], const Vec (&b)[3]) { return distance_of_triangles(a, b); }

double triangle_distance(const Vector<double> (&a)[3], const Vector<double> (&b)[3]) {
  return distance_of_triangles(a, b);
}

}  // namespace planner_ccd::truth
