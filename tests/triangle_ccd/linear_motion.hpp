#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"
#include "support/scale.hpp"

/// Draws of linear motion and the properties every kernel must have: shared by the kernels' tests, sharing nothing with
/// the kernels.
namespace planner_ccd::test {

using Eigen::Vector3d;
using Vector = Eigen::Matrix<long double, 3, 1>;

inline Vector at(const MovingPoint& p, long double t) {
  return (1 - t) * p.start.cast<long double>() + t * p.end.cast<long double>();
}

/// Distances by plain minimisation over the boundary: nothing shared with the kernel. Triangles flat to 1e-9 are
/// represented by their boundary: rounding would put false points inside.
inline long double point_segment(const Vector& p, const Vector& a, const Vector& b) {
  const Vector d = b - a;
  const long double length = d.squaredNorm();
  const long double s = length > 0 ? std::min(1.0L, std::max(0.0L, (p - a).dot(d) / length)) : 0.0L;
  return (a + s * d - p).norm();
}

inline long double point_triangle(const Vector& p, const Vector& a, const Vector& b, const Vector& c) {
  long double best = std::min({point_segment(p, a, b), point_segment(p, b, c), point_segment(p, c, a)});
  const Vector n = (b - a).cross(c - a);
  const bool inside =
      n.dot((b - a).cross(p - a)) >= 0 && n.dot((c - b).cross(p - b)) >= 0 && n.dot((a - c).cross(p - c)) >= 0;
  const long double size = std::max((b - a).squaredNorm(), (c - a).squaredNorm());
  if (inside && n.norm() > 1e-9L * size) best = std::min(best, std::abs(n.normalized().dot(p - a)));
  return best;
}

inline long double segment_segment(const Vector& a, const Vector& b, const Vector& c, const Vector& d) {
  long double best =
      std::min({point_segment(a, c, d), point_segment(b, c, d), point_segment(c, a, b), point_segment(d, a, b)});
  const Vector u = b - a;
  const Vector v = d - c;
  const Vector n = u.cross(v);
  if (n.squaredNorm() > 1e-18L * u.squaredNorm() * v.squaredNorm()) {
    const long double s = (c - a).cross(v).dot(n) / n.squaredNorm();
    const long double t = (c - a).cross(u).dot(n) / n.squaredNorm();
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) best = std::min(best, (a + s * u - c - t * v).norm());
  }
  return best;
}

inline long double distance(const VertexFaceMotion& m, long double t) {
  return point_triangle(at(m.vertex, t), at(m.face[0], t), at(m.face[1], t), at(m.face[2], t));
}

inline long double distance(const EdgeEdgeMotion& m, long double t) {
  return segment_segment(at(m.a[0], t), at(m.a[1], t), at(m.b[0], t), at(m.b[1], t));
}

enum class Draw { Cube, Small, Grazing, Flat, Collinear, Translation, FaceTranslation, Static, Huge, Count };

inline Vector3d cube(std::mt19937_64& rng, double size = 1.0) {
  std::uniform_real_distribution<double> unit(-size, size);
  return {unit(rng), unit(rng), unit(rng)};
}

inline std::array<MovingPoint, 4> corners(std::mt19937_64& rng, Draw draw) {
  std::array<MovingPoint, 4> c;
  const Vector3d shift[2] = {cube(rng), cube(rng)};
  for (int k = 0; k < 4; ++k) {
    c[k] = {cube(rng), cube(rng)};
    if (draw == Draw::Small) c[k].end = c[k].start + cube(rng, 0.05);
    if (draw == Draw::Static) c[k].end = c[k].start;
    if (draw == Draw::Translation) c[k].end = c[k].start + shift[k % 2];
    if (draw == Draw::FaceTranslation) c[k].end = c[k].start + shift[k > 0];
    if (draw == Draw::Flat) c[k].start[2] = c[k].end[2] = 0.25;
    if (draw == Draw::Collinear) c[k] = {c[k].start[0] * Vector3d(1, 2, 3), c[k].end[0] * Vector3d(1, 2, 3)};
    if (draw == Draw::Grazing) c[k] = {{c[k].start[0], c[k].start[1], 0.0}, {c[k].end[0], c[k].end[1], 0.0}};
  }
  if (draw == Draw::Grazing) c[0].start[2] = c[0].end[2] = 1e-3;
  if (draw == Draw::Huge) {
    for (auto& p : c) p = {1e5 * p.start, 1e5 * p.end};
  }
  return c;
}

struct Tally {
  int apart = 0;
  int contact = 0;
  int undecided = 0;
  long long iterations = 0;
};

/// P1: the proved prefix is free. P2: a contact is real. P3 (by the caller): the draw is not vacuous.
template <typename Motion>
void check(const Motion& motion, const LeafResult& result, const LeafOptions& options, double size, Tally& tally) {
  const long double slack = 1e-14L * size;
  const int samples = 64;
  const double proved = result.verdict == Verdict::Free ? options.t_max : result.t_lo;
  for (int s = 0; proved > 0.0 && s < samples; ++s) {
    const long double t = proved * static_cast<long double>(s) / samples;
    ASSERT_GT(distance(motion, t), options.min_separation - slack) << "at t = " << static_cast<double>(t);
  }
  if (result.verdict == Verdict::Contact) {
    ASSERT_LE(result.t_lo, result.t_hi);
    ASSERT_LE(distance(motion, result.t_hi), options.min_separation + options.tolerance + slack);
    ASSERT_GE((result.point_a - result.point_b).norm(), distance(motion, result.t_hi) - slack);
    ASSERT_LE((result.point_a - result.point_b).norm(), options.min_separation + options.tolerance);
    ASSERT_NEAR(result.weights_a[0] + result.weights_a[1] + result.weights_a[2], 1.0, 1e-14);
    ASSERT_NEAR(result.weights_b[0] + result.weights_b[1] + result.weights_b[2], 1.0, 1e-14);
  }
  tally.apart += result.verdict == Verdict::Free;
  tally.contact += result.verdict == Verdict::Contact;
  tally.undecided += result.verdict == Verdict::Undecided;
  tally.iterations += result.iterations;
}

inline Vector3d witness(const std::array<double, 3>& weights, const MovingPoint* c, int n, double t) {
  Vector3d x = Vector3d::Zero();
  for (int k = 0; k < n; ++k) x += weights[k] * ((1 - t) * c[k].start + t * c[k].end);
  return x;
}

}  // namespace planner_ccd::test
