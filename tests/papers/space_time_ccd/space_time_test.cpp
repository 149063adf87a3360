#include "planner_ccd/papers/space_time_ccd/space_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "papers/space_time_ccd/space_time_oracle.hpp"
#include "support/scale.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

/// The global order, written independently of the kernel's.
bool precedes(const MovingPoint& p, const MovingPoint& q) {
  const std::array<double, 6> a{p.start[0], p.start[1], p.start[2], p.end[0], p.end[1], p.end[2]};
  const std::array<double, 6> b{q.start[0], q.start[1], q.start[2], q.end[0], q.end[1], q.end[2]};
  return a < b;
}

std::vector<test::SpaceTimeSimplex> swept(std::vector<MovingPoint> corners) {
  std::stable_sort(corners.begin(), corners.end(), precedes);
  std::vector<Vector3d> start;
  std::vector<Vector3d> end;
  for (const auto& c : corners) {
    start.push_back(c.start);
    end.push_back(c.end);
  }
  return test::sweep(start, end);
}

template <typename Rational = test::ExactRational>
bool oracle(const std::vector<MovingPoint>& a, const std::vector<MovingPoint>& b) {
  for (const auto& p : swept(a)) {
    for (const auto& q : swept(b)) {
      if (test::simplices_meet<Rational>(p, q)) return true;
    }
  }
  return false;
}

enum class Draw { Uniform, Grid, NearGrid, Flat, Collinear, Static, Mixed, Count };

Vector3d coordinate(std::mt19937_64& rng, Draw draw) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::uniform_int_distribution<int> grid(-2, 2);
  if (draw == Draw::Uniform || draw == Draw::Static) return {unit(rng), unit(rng), unit(rng)};
  Vector3d x(grid(rng), grid(rng), grid(rng));
  if (draw == Draw::NearGrid) {
    for (int i = 0; i < 3; ++i) x[i] = x[i] == 0.0 ? 0.0 : std::nextafter(0.1 * x[i], x[i] + grid(rng));
  }
  if (draw == Draw::Flat) x = 0.1 * Vector3d(x[0], x[1], x[0] + x[1]);  // rounding leaves it not exactly flat
  if (draw == Draw::Collinear) x = Vector3d(x[0], 2 * x[0], -x[0]);
  if (draw == Draw::Mixed) {
    const double scales[] = {1e-80, 1e-20, 1e-3, 1.0, 1e5};
    x = x.cwiseProduct(Vector3d(scales[grid(rng) + 2], scales[grid(rng) + 2], scales[grid(rng) + 2]));
  }
  return x;
}

MovingPoint moving(std::mt19937_64& rng, Draw draw) {
  const Vector3d start = coordinate(rng, draw);
  return {start, draw == Draw::Static ? start : coordinate(rng, draw)};
}

TEST(SpaceTime, VertexFaceEqualsRationalArithmetic) {
  std::mt19937_64 rng(101);
  int hits = 0;
  int exact = 0;
  const int count = testing::scaled(300);
  for (int i = 0; i < count; ++i) {
    const Draw draw = static_cast<Draw>(i % static_cast<int>(Draw::Count));
    const VertexFaceMotion m{moving(rng, draw), {moving(rng, draw), moving(rng, draw), moving(rng, draw)}};
    const bool truth = oracle({m.vertex}, {m.face[0], m.face[1], m.face[2]});
    const SpaceTimeResult result = space_time_vertex_face(m);
    ASSERT_EQ(result.verdict == Verdict::Contact, truth) << "seed 101, draw " << i;
    hits += truth;
    exact += result.exact_determinants;
  }
  std::printf("%d queries, %d hits, %d exact determinants\n", count, hits, exact);
  EXPECT_GT(hits, count / 10);
  EXPECT_GT(exact, count / 10);
}

TEST(SpaceTime, EdgeEdgeEqualsRationalArithmetic) {
  std::mt19937_64 rng(102);
  int hits = 0;
  const int count = testing::scaled(300);
  for (int i = 0; i < count; ++i) {
    const Draw draw = static_cast<Draw>(i % static_cast<int>(Draw::Count));
    const EdgeEdgeMotion m{{moving(rng, draw), moving(rng, draw)}, {moving(rng, draw), moving(rng, draw)}};
    const bool truth = oracle({m.a[0], m.a[1]}, {m.b[0], m.b[1]});
    ASSERT_EQ(space_time_edge_edge(m).verdict == Verdict::Contact, truth) << "seed 102, draw " << i;
    hits += truth;
  }
  std::printf("%d queries, %d hits\n", count, hits);
  EXPECT_GT(hits, count / 10);
}

TEST(SpaceTime, ZeroLengthEdgesAndFacesEqualRationalArithmetic) {
  std::mt19937_64 rng(103);
  const int count = testing::scaled(200, 100);
  int hits = 0;
  for (int i = 0; i < count; ++i) {
    const Draw draw = i % 2 == 0 ? Draw::Grid : Draw::NearGrid;
    const MovingPoint p = moving(rng, draw);
    const MovingPoint q = moving(rng, draw);
    const MovingPoint r = moving(rng, draw);
    const EdgeEdgeMotion edges{{p, p}, {q, r}};
    const bool edge_truth = oracle({p, p}, {q, r});
    ASSERT_EQ(space_time_edge_edge(edges).verdict == Verdict::Contact, edge_truth) << "seed 103, draw " << i;
    const VertexFaceMotion face{p, {q, r, q}};
    const bool face_truth = oracle({p}, {q, r, q});
    ASSERT_EQ(space_time_vertex_face(face).verdict == Verdict::Contact, face_truth) << "seed 103, " << i;
    hits += edge_truth + face_truth;
  }
  std::printf("%d queries, %d hits\n", 2 * count, hits);
  EXPECT_GT(hits, 0);
}

/// Integer coordinates from -2 to 2: nearly all of it is degenerate in some way.
TEST(SpaceTime, WholeCoordinatesEqualFractions) {
  std::mt19937_64 rng(105);
  const int count = testing::scaled(20'000);
  int hits = 0;
  long long exact = 0;
  for (int i = 0; i < count; ++i) {
    const Draw draw = i % 3 == 2 ? Draw::Collinear : Draw::Grid;
    const std::array<MovingPoint, 4> c{moving(rng, draw), moving(rng, draw), moving(rng, draw), moving(rng, draw)};
    const SpaceTimeResult face = space_time_vertex_face({c[0], {c[1], c[2], c[3]}});
    const bool face_truth = oracle<test::SmallFraction>({c[0]}, {c[1], c[2], c[3]});
    ASSERT_EQ(face.verdict == Verdict::Contact, face_truth) << "seed 105, draw " << i;
    const SpaceTimeResult edges = space_time_edge_edge({{c[0], c[1]}, {c[2], c[3]}});
    const bool edge_truth = oracle<test::SmallFraction>({c[0], c[1]}, {c[2], c[3]});
    ASSERT_EQ(edges.verdict == Verdict::Contact, edge_truth) << "seed 105, draw " << i;
    hits += face_truth + edge_truth;
    exact += face.exact_determinants + edges.exact_determinants;
  }
  std::printf("%d queries, %d hits, %lld exact determinants\n", 2 * count, hits, exact);
  EXPECT_GT(hits, 2 * count * 3 / 10);
}

/// A crack: two faces share an edge, their diagonals differ, and a vertex slips through between them.
TEST(SpaceTime, NothingSlipsThroughBetweenFacesThatShareAnEdge) {
  std::mt19937_64 rng(104);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::uniform_real_distribution<double> inside(0.0, 1.0);
  const int count = testing::scaled(100'000);
  int first = 0;
  int second = 0;
  for (int i = 0; i < count; ++i) {
    // A quadrilateral in the plane z = 0 that deforms within it; every vertex path goes through the plane near the
    // surface that the shared edge p r sweeps.
    const auto corner = [&](double x, double y) {
      const Vector3d start(x + 0.3 * unit(rng), y + 0.3 * unit(rng), 0.0);
      return MovingPoint{start, start + Vector3d(0.3 * unit(rng), 0.3 * unit(rng), 0.0)};
    };
    const MovingPoint p = corner(-1, -1);
    const MovingPoint q = corner(1, -1);
    const MovingPoint r = corner(1, 1);
    const MovingPoint s = corner(-1, 1);
    const double t = inside(rng);
    const double u = inside(rng);
    Vector3d aim = (1 - u) * ((1 - t) * p.start + t * p.end) + u * ((1 - t) * r.start + t * r.end);
    if (i % 2 == 0) aim = (1 - t) * p.start + t * r.end;
    const Vector3d v(unit(rng), unit(rng), 1.0);
    const MovingPoint vertex{aim - t * v, aim + (1 - t) * v};
    const bool one = space_time_vertex_face({vertex, {p, q, r}}).verdict == Verdict::Contact;
    const bool two = space_time_vertex_face({vertex, {r, s, p}}).verdict == Verdict::Contact;
    ASSERT_TRUE(one || two) << "seed 104, draw " << i;
    first += one;
    second += two;
  }
  std::printf("%d paths: %d hit the one face, %d the other\n", count, first, second);
  EXPECT_GT(first, count * 3 / 10);
  EXPECT_GT(second, count * 3 / 10);
}

TEST(SpaceTime, CoordinatesOutsideTheExactRangeAreNamed) {
  VertexFaceMotion m{{{0, 0, 1}, {0, 0, -1}},
                     {MovingPoint{{-1, -1, 0}, {-1, -1, 0}}, {{1, -1, 0}, {1, -1, 0}}, {{0, 1, 0}, {0, 1, 0}}}};
  EXPECT_EQ(space_time_vertex_face(m).verdict, Verdict::Contact);
  EXPECT_DOUBLE_EQ(space_time_vertex_face(m).time, 0.5);
  m.vertex.start[0] = 1e-100;
  EXPECT_EQ(space_time_vertex_face(m).verdict, Verdict::Undecided);
  m.vertex.start[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(space_time_vertex_face(m).verdict, Verdict::Undecided);
}

}  // namespace
}  // namespace planner_ccd
