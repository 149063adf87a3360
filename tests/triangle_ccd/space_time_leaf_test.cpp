#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "planner_ccd/triangle_ccd/space_time.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using Vector = Eigen::Matrix<long double, 3, 1>;

int scaled(int count) {
  const char* scale = std::getenv("PLANNER_CCD_TEST_SCALE");
  return static_cast<int>(count * (scale ? std::atof(scale) : 1.0));
}

Vector at(const MovingPoint& p, long double t) {
  return (1 - t) * p.start.cast<long double>() + t * p.end.cast<long double>();
}

/// Distances by plain minimisation over the boundary: nothing shared with the kernel. The interior of what is flat to
/// 1e-9 is left to its boundary: rounding would put points inside that are not.
long double point_segment(const Vector& p, const Vector& a, const Vector& b) {
  const Vector d = b - a;
  const long double length = d.squaredNorm();
  const long double s = length > 0 ? std::min(1.0L, std::max(0.0L, (p - a).dot(d) / length)) : 0.0L;
  return (a + s * d - p).norm();
}

long double point_triangle(const Vector& p, const Vector& a, const Vector& b, const Vector& c) {
  long double best = std::min({point_segment(p, a, b), point_segment(p, b, c), point_segment(p, c, a)});
  const Vector n = (b - a).cross(c - a);
  const bool inside =
      n.dot((b - a).cross(p - a)) >= 0 && n.dot((c - b).cross(p - b)) >= 0 && n.dot((a - c).cross(p - c)) >= 0;
  const long double size = std::max((b - a).squaredNorm(), (c - a).squaredNorm());
  if (inside && n.norm() > 1e-9L * size) best = std::min(best, std::abs(n.normalized().dot(p - a)));
  return best;
}

long double segment_segment(const Vector& a, const Vector& b, const Vector& c, const Vector& d) {
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

long double distance(const VertexFaceMotion& m, long double t) {
  return point_triangle(at(m.vertex, t), at(m.face[0], t), at(m.face[1], t), at(m.face[2], t));
}

long double distance(const EdgeEdgeMotion& m, long double t) {
  return segment_segment(at(m.a[0], t), at(m.a[1], t), at(m.b[0], t), at(m.b[1], t));
}

enum class Draw { Cube, Small, Grazing, Flat, Collinear, Translation, Static, Huge, Count };

Vector3d cube(std::mt19937_64& rng, double size = 1.0) {
  std::uniform_real_distribution<double> unit(-size, size);
  return {unit(rng), unit(rng), unit(rng)};
}

std::array<MovingPoint, 4> corners(std::mt19937_64& rng, Draw draw) {
  std::array<MovingPoint, 4> c;
  const Vector3d shift[2] = {cube(rng), cube(rng)};
  for (int k = 0; k < 4; ++k) {
    c[k] = {cube(rng), cube(rng)};
    if (draw == Draw::Small) c[k].end = c[k].start + cube(rng, 0.05);
    if (draw == Draw::Static) c[k].end = c[k].start;
    if (draw == Draw::Translation) c[k].end = c[k].start + shift[k % 2];
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
  int may_touch = 0;
  long long iterations = 0;
};

/// P1: the proved prefix is free. P2: a contact is real. P3 (by the caller): the draw is not vacuous.
template <typename Motion>
void check(const Motion& motion, const LeafResult& result, const LeafOptions& options, double size, Tally& tally) {
  const long double slack = 1e-14L * size;
  const int samples = 64;
  const double proved = result.verdict == LeafVerdict::Apart ? options.t_max : result.t_lo;
  for (int s = 0; proved > 0.0 && s < samples; ++s) {
    const long double t = proved * static_cast<long double>(s) / samples;
    ASSERT_GT(distance(motion, t), options.min_separation - slack) << "at t = " << static_cast<double>(t);
  }
  if (result.verdict == LeafVerdict::Contact) {
    ASSERT_LE(result.t_lo, result.t_hi);
    ASSERT_LE(distance(motion, result.t_hi), options.min_separation + options.tolerance + slack);
    ASSERT_GE((result.point_a - result.point_b).norm(), distance(motion, result.t_hi) - slack);
    ASSERT_LE((result.point_a - result.point_b).norm(), options.min_separation + options.tolerance);
    ASSERT_NEAR(result.weights_a[0] + result.weights_a[1] + result.weights_a[2], 1.0, 1e-14);
    ASSERT_NEAR(result.weights_b[0] + result.weights_b[1] + result.weights_b[2], 1.0, 1e-14);
  }
  tally.apart += result.verdict == LeafVerdict::Apart;
  tally.contact += result.verdict == LeafVerdict::Contact;
  tally.may_touch += result.verdict == LeafVerdict::MayTouch;
  tally.iterations += result.iterations;
}

Vector3d witness(const std::array<double, 3>& weights, const MovingPoint* c, int n, double t) {
  Vector3d x = Vector3d::Zero();
  for (int k = 0; k < n; ++k) x += weights[k] * ((1 - t) * c[k].start + t * c[k].end);
  return x;
}

void campaign(double min_separation, unsigned seed) {
  std::mt19937_64 rng(seed);
  Tally vf;
  Tally ee;
  const int count = scaled(16'000);
  for (int i = 0; i < count; ++i) {
    const Draw draw = static_cast<Draw>(i % static_cast<int>(Draw::Count));
    const auto c = corners(rng, draw);
    const double size = draw == Draw::Huge ? 1e5 : 1.0;
    LeafOptions options;
    options.min_separation = min_separation * size;
    options.tolerance = 1e-6 * size;
    options.t_max = i % 3 == 0 ? 0.7 : 1.0;
    const VertexFaceMotion face{c[0], {c[1], c[2], c[3]}};
    const LeafResult r = space_time_vertex_face_ccd(face, options);
    ASSERT_NO_FATAL_FAILURE(check(face, r, options, size, vf)) << "seed " << seed << " draw " << i;
    const EdgeEdgeMotion edges{{c[0], c[2]}, {c[1], c[3]}};
    const LeafResult s = space_time_edge_edge_ccd(edges, options);
    ASSERT_NO_FATAL_FAILURE(check(edges, s, options, size, ee)) << "seed " << seed << " draw " << i;
    if (s.verdict == LeafVerdict::Contact) {
      ASSERT_LT((witness(s.weights_a, edges.a.data(), 2, s.t_hi) - s.point_a).norm(), 1e-12 * size);
      ASSERT_LT((witness(s.weights_b, edges.b.data(), 2, s.t_hi) - s.point_b).norm(), 1e-12 * size);
    }
  }
  std::printf("vf: %d apart, %d contact, %d may touch, %.1f parts each\n", vf.apart, vf.contact, vf.may_touch,
              double(vf.iterations) / count);
  std::printf("ee: %d apart, %d contact, %d may touch, %.1f parts each\n", ee.apart, ee.contact, ee.may_touch,
              double(ee.iterations) / count);
  EXPECT_GT(vf.contact, count / 10);
  EXPECT_GT(vf.apart, count * 3 / 10);
  EXPECT_GT(ee.contact, count / 10);
  EXPECT_GT(ee.apart, count * 3 / 10);
  EXPECT_EQ(vf.may_touch + ee.may_touch, 0);
}

TEST(SpaceTimeLeaf, ProvedPrefixIsFreeAndContactsAreReal) { campaign(0.0, 111); }
TEST(SpaceTimeLeaf, ProvedPrefixKeepsTheSeparation) { campaign(0.05, 112); }

/// Motions built around a contact at a known time; rounding moves it by far less than the separation of 1e-12.
TEST(SpaceTimeLeaf, PlantedContactsAreNeverMissed) {
  std::mt19937_64 rng(113);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  LeafOptions options;
  options.min_separation = 1e-12;
  const int count = scaled(20'000);
  for (int i = 0; i < count; ++i) {
    auto c = corners(rng, static_cast<Draw>(i % static_cast<int>(Draw::Huge)));
    const double t = unit(rng);
    const double u = i % 5 == 0 ? 0.0 : unit(rng);  // also through edges and corners
    const double v = i % 7 == 0 ? 0.0 : unit(rng) * (1 - u);
    const auto x = [&](int k) -> Vector3d { return (1 - t) * c[k].start + t * c[k].end; };
    const auto move_to = [&](const Vector3d& target) {
      const Vector3d shift = target - x(0);
      c[0] = {c[0].start + shift, c[0].end + shift};
    };
    move_to((1 - u - v) * x(1) + u * x(2) + v * x(3));
    const LeafResult r = space_time_vertex_face_ccd({c[0], {c[1], c[2], c[3]}}, options);
    ASSERT_EQ(r.verdict, LeafVerdict::Contact) << "seed 113 draw " << i;
    ASSERT_LE(r.t_lo, t + 1e-12);
    const double w = 0.9 * v;
    move_to(((1 - u) * x(1) + u * x(3) - w * x(2)) / (1 - w));
    const LeafResult s = space_time_edge_edge_ccd({{c[0], c[2]}, {c[1], c[3]}}, options);
    ASSERT_EQ(s.verdict, LeafVerdict::Contact) << "seed 113 draw " << i;
    ASSERT_LE(s.t_lo, t + 1e-11);
  }
}

TEST(SpaceTimeLeaf, TranslationIsExactToTheLastBit) {
  // The vertex passes the edge x = 1 of the face at 1 + 2^-52: no tolerance, yet Apart; at 1 it touches.
  LeafOptions options;
  VertexFaceMotion m{{{1.0 + 0x1p-52, 0.25, 1}, {1.0 + 0x1p-52, 0.25, -1}},
                     {MovingPoint{{0, 0, 0}, {0, 0, 0}}, {{1, 0, 0}, {1, 0, 0}}, {{1, 1, 0}, {1, 1, 0}}}};
  EXPECT_EQ(space_time_vertex_face_ccd(m, options).verdict, LeafVerdict::Apart);
  m.vertex.start[0] = m.vertex.end[0] = 1.0;
  const LeafResult touch = space_time_vertex_face_ccd(m, options);
  EXPECT_EQ(touch.verdict, LeafVerdict::Contact);
  EXPECT_NEAR(touch.t_hi, 0.5, 1e-6);
  EXPECT_LE(touch.t_lo, 0.5);
}

TEST(SpaceTimeLeaf, BadNumbersMayTouch) {
  VertexFaceMotion m{};
  m.vertex = {{5, 5, 5}, {5, 5, 5}};
  for (auto& c : m.face) c = {{0, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(space_time_vertex_face_ccd(m, {}).verdict, LeafVerdict::Apart);
  m.face[1].end[2] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(space_time_vertex_face_ccd(m, {}).verdict, LeafVerdict::MayTouch);
  m.face[1].end[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(space_time_vertex_face_ccd(m, {}).verdict, LeafVerdict::MayTouch);
}

}  // namespace
}  // namespace planner_ccd
