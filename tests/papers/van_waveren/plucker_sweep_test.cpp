#include "planner_ccd/papers/van_waveren/plucker_sweep.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <random>
#include <set>

#include "planner_ccd/papers/van_waveren/plucker_expel.hpp"
#include "planner_ccd/papers/van_waveren/plucker_sides.hpp"
#include "support/scale.hpp"
#include "triangle_ccd/axis_oracle.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using Kind = AxisMotion::Kind;
using namespace plucker;  // NOLINT: the subject

Vector3d cube(std::mt19937_64& rng, double size = 1.0) {
  std::uniform_real_distribution<double> unit(-size, size);
  return {unit(rng), unit(rng), unit(rng)};
}

/// The prism over a star-shaped polygon whose corners are given counter-clockwise about the first, triangulated as a fan.
TriangleMesh prism(const std::vector<Eigen::Vector2d>& outline, double height) {
  TriangleMesh mesh;
  const int n = static_cast<int>(outline.size());
  for (double z : {0.0, height}) {
    for (const auto& p : outline) mesh.vertices.emplace_back(p[0], p[1], z);
  }
  for (int i = 1; i + 1 < n; ++i) {
    mesh.triangles.emplace_back(0, i + 1, i);
    mesh.triangles.emplace_back(n, n + i, n + i + 1);
  }
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    mesh.triangles.emplace_back(i, j, n + j);
    mesh.triangles.emplace_back(i, n + j, n + i);
  }
  return mesh;
}

TriangleMesh box(double x, double y, double z) { return prism({{0, 0}, {x, 0}, {x, y}, {0, y}}, z); }

/// An L with one valley along z at its inner corner, which is the first corner of the outline.
TriangleMesh angle_bar() { return prism({{0, 0}, {0, 0.6}, {-0.3, 0.6}, {-0.3, -0.3}, {0.6, -0.3}, {0.6, 0}}, 0.4); }

TriangleMesh tetrahedron(std::mt19937_64& rng) {
  TriangleMesh mesh;
  for (int i = 0; i < 4; ++i) mesh.vertices.push_back(cube(rng, 0.5));
  const auto& x = mesh.vertices;
  if ((x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) < 0) std::swap(mesh.vertices[0], mesh.vertices[1]);
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  return mesh;
}

TriangleMesh draw_mesh(std::mt19937_64& rng, int which) {
  TriangleMesh mesh = which % 3 == 0 ? box(0.5, 0.4, 0.3) : (which % 3 == 1 ? angle_bar() : tetrahedron(rng));
  const Vector3d turn = which % 7 == 0 ? Vector3d::Zero() : cube(rng, 3.0);
  const Eigen::Matrix3d q = Eigen::AngleAxisd(turn.norm(), turn.stableNormalized()).toRotationMatrix();
  const Vector3d shift = cube(rng, 0.6);
  for (auto& x : mesh.vertices) x = q * x + shift;
  return mesh;
}

Triangle corners(const TriangleMesh& mesh, const Eigen::Vector3i& t) {
  return {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
}

double distance_at(const TriangleMesh& a, const TriangleMesh& b, const AxisMotion& motion, double t) {
  long double least = 1e9;
  for (const auto& ta : a.triangles) {
    const auto moved = test::moved<long double>(corners(a, ta), motion, t);
    for (const auto& tb : b.triangles) {
      const Triangle f = corners(b, tb);
      least = std::min(
          least, test::triangle_distance_by_candidates<long double>(
                     moved, {f[0].cast<long double>(), f[1].cast<long double>(), f[2].cast<long double>()}, 1e-9L));
    }
  }
  return static_cast<double>(least);
}

/// First contact over all pairs of triangles, by the guaranteed leaf; 2 when all are apart.
double first_contact(const TriangleMesh& a, const TriangleMesh& b, const AxisMotion& motion) {
  double first = 2.0;
  for (const auto& ta : a.triangles) {
    for (const auto& tb : b.triangles) {
      const LeafResult r = axis_triangle_ccd(corners(a, ta), corners(b, tb), motion, {});
      if (r.verdict != Verdict::Free) first = std::min(first, r.t_lo);
    }
  }
  return first;
}

/// P1: a body never passes the zone. P2: it is stopped at the zone. P3: culling loses nothing.
void campaign(Kind kind, unsigned seed) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  SweepOptions options;
  options.expel = 1e-5;
  const int count = testing::scaled(600, 200);
  int done = 0;
  int hits = 0;
  int early = 0;
  long long pairs = 0;
  long long all_pairs = 0;
  long long computed = 0;
  long long recalled = 0;
  for (int i = 0; done < count; ++i) {
    const TriangleMesh a = draw_mesh(rng, i);
    const TriangleMesh b = draw_mesh(rng, i / 3);
    const AxisMotion motion{kind, cube(rng), cube(rng), 0.3 * unit(rng),
                            kind == Kind::Rotation ? 4 * unit(rng) : unit(rng)};
    if (distance_at(a, b, motion, 0.0) < 1e-3) continue;
    ++done;
    const Polyhedron pa = polyhedron_of(a);
    const Polyhedron pb = polyhedron_of(b);
    const SweepResult r = sweep(pa, pb, motion, options);
    const double truth = first_contact(a, b, motion);
    if (truth <= 1.0) {
      ASSERT_TRUE(r.hit) << "seed " << seed << " draw " << i;
      ASSERT_LE(r.t, truth) << "seed " << seed << " draw " << i;
    }
    if (r.hit) {
      const double d = distance_at(a, b, motion, r.t);
      ASSERT_GT(d, 0.0) << "seed " << seed << " draw " << i;
      if (d > 1.001 * kLongestExpansion * options.expel) {
        // Stopped at a grazing angle: early, but before a real contact.
        ++early;
        ASSERT_LE(truth, 1.0) << "seed " << seed << " draw " << i;
      }
      ASSERT_NEAR(r.contact.normal.norm(), 1.0, 1e-12);
      ++hits;
    }
    SweepOptions thorough = options;
    thorough.cull_back_faces = thorough.cull_internal = false;
    const SweepResult all = sweep(pa, pb, motion, thorough);
    ASSERT_EQ(all.hit, r.hit);
    ASSERT_NEAR(all.t, r.t, 1e-3) << "seed " << seed << " draw " << i;
    pairs += r.pairs;
    all_pairs += all.pairs;
    computed += r.sides_computed;
    recalled += r.sides_recalled;
  }
  std::printf("%d motions, %d hits (%d early); %lld of %lld pairs after culling; %lld sides computed, %lld recalled\n",
              count, hits, early, pairs, all_pairs, computed, recalled);
  EXPECT_GT(hits, count / 10);
  EXPECT_LE(early, 1 + hits / 100);
  EXPECT_LT(pairs, all_pairs);
  if (kind == Kind::Translation) {
    EXPECT_GT(recalled, computed / 4);
  }
}

TEST(PluckerSweep, TranslationStopsAtTheZone) { campaign(Kind::Translation, 401); }
TEST(PluckerSweep, RotationStopsAtTheZone) { campaign(Kind::Rotation, 402); }

/// A body stopped in the zone may leave it but not go deeper.
TEST(PluckerSweep, ABodyInTheZoneMayOnlyLeave) {
  const TriangleMesh floor = box(1, 1, 1);
  TriangleMesh cube_on_it = box(0.2, 0.2, 0.2);
  for (auto& x : cube_on_it.vertices) x += Vector3d(0.4, 0.4, 1.0 + 0.5e-6);
  const Polyhedron a = polyhedron_of(cube_on_it);
  const Polyhedron b = polyhedron_of(floor);
  const auto part = [&](const AxisMotion& motion) { return sweep(a, b, motion, {}).t; };
  EXPECT_EQ(part({Kind::Translation, {}, Vector3d::UnitZ(), 0.0, -0.1}), 0.0);
  EXPECT_EQ(part({Kind::Translation, {}, Vector3d::UnitZ(), 0.0, 0.1}), 1.0);
  EXPECT_EQ(part({Kind::Translation, {}, Vector3d::UnitX(), 0.0, 0.1}), 1.0);
  const Vector3d left_edge = cube_on_it.vertices[0];
  EXPECT_EQ(part({Kind::Rotation, left_edge, Vector3d::UnitY(), 0.0, 0.5}), 0.0);   // tips the far side down
  EXPECT_EQ(part({Kind::Rotation, left_edge, Vector3d::UnitY(), 0.0, -0.5}), 1.0);  // lifts it
  EXPECT_EQ(part({Kind::Rotation, left_edge, Vector3d::UnitZ(), 0.0, 0.5}), 1.0);   // turns on the spot
}

TEST(PluckerExpel, TranslationFollowsTheCorrectedFraction) {
  EXPECT_DOUBLE_EQ(expel_translating_vertex(1.0, -2.0, 0.0), 0.5);
  EXPECT_DOUBLE_EQ(expel_translating_vertex(1.0, -2.0, 0.5), 0.25);
  EXPECT_EQ(expel_translating_vertex(0.1, -2.0, 0.5), 0.0);
  EXPECT_EQ(expel_translating_vertex(0.1, 2.0, 0.5), 1.0);
  EXPECT_EQ(expel_translating_vertex(-1.0, -2.0, 0.5), 1.0);
  EXPECT_DOUBLE_EQ(expel_translating_edge(0.5, 0.25), 0.25);
  EXPECT_EQ(expel_translating_edge(0.5, -0.25), 0.0);
  EXPECT_EQ(expel_translating_edge(-0.5, 0.25), 1.0);
  EXPECT_EQ(expel_translating_edge(0.25, 0.5), 1.0);
}

TEST(PluckerExpel, RotationFollowsTheFiguresOfThePaper) {
  const double e = 0.1;
  const double angle = 1.5;
  // Figure 2: in the zone, moving deeper.
  const auto part = [&](const Height& h) {
    const Stops stops = expel_rotating_vertex(h, e, angle);
    return stops.count > 0 ? stops.items[0].fraction : 1.0;
  };
  EXPECT_EQ(part({0.0, -0.05, 0.05}), 0.0);
  // Figure 3: in the zone, rises to its top at s = atan(v1 / v2) and stays inside.
  EXPECT_NEAR(part({0.0, 0.05, 0.05}) * angle, std::atan(1.0), 1e-14);
  // Figure 4: leaves the zone and comes back: v0 + v2 cos s + v1 sin s = e at the second crossing.
  const Height out{-0.85, 0.4, 0.9};
  const double s = part(out) * angle;
  EXPECT_NEAR(out.v0 + out.v1 * std::sin(s) + out.v2 * std::cos(s), e, 1e-14);
  EXPECT_LT(out.v1 * std::cos(s) - out.v2 * std::sin(s), 0.0);
  EXPECT_GT(s, 0.0);
  // The linear case a = 0: v0 = v2 + e, root -c/(2b).
  const Height linear{0.5 + e, -0.8, 0.5};
  const double root = std::tan(0.5 * part(linear) * angle);
  EXPECT_NEAR(root, 1.0 / 1.6, 1e-14);
}

TEST(PluckerPolyhedron, OnlyValleysAreInternal) {
  const Polyhedron bar = polyhedron_of(angle_bar());
  const auto internal = std::count_if(bar.edges.begin(), bar.edges.end(), [](const auto& e) { return e.internal; });
  EXPECT_EQ(internal, 1);
  EXPECT_EQ(std::count(bar.vertex_internal.begin(), bar.vertex_internal.end(), true), 0);
  const Polyhedron cube_mesh = polyhedron_of(box(1, 1, 1));
  EXPECT_EQ(cube_mesh.edges.size(), 18u);
  for (const auto& e : cube_mesh.edges) EXPECT_FALSE(e.internal);
}

TEST(PluckerSides, SideIsSixVolumes) {
  std::mt19937_64 rng(403);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d a = cube(rng), b = cube(rng), c = cube(rng), d = cube(rng);
    const double volume = (b - a).dot((c - a).cross(d - a));
    EXPECT_NEAR(side(line_through(a, b), line_through(c, d)), volume, 1e-14);
  }
}

/// Contacts by projection, in long double; cases within `margin` of a decision are excluded from the comparison.
using Key = std::tuple<int, int, int>;

void brute_force(const TriangleMesh& a, const TriangleMesh& b, const Polyhedron& pa, const Polyhedron& pb, double d,
                 double margin, std::set<Key>& surely, std::set<Key>& perhaps) {
  using V = test::Vec<long double>;
  const auto add = [&](const Key& key, long double score) {  // the least of all conditions, > 0 when all hold
    if (score > margin) surely.insert(key);
    if (score > -margin) perhaps.insert(key);
  };
  const auto faces = [&](const TriangleMesh& mesh, const TriangleMesh& points, int type) {
    for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
      const Triangle t = corners(mesh, mesh.triangles[f]);
      const V q[3] = {t[0].cast<long double>(), t[1].cast<long double>(), t[2].cast<long double>()};
      const V n = test::cross<long double>(q[1] - q[0], q[2] - q[0]).normalized();
      for (std::size_t v = 0; v < points.vertices.size(); ++v) {
        const V x = points.vertices[v].cast<long double>();
        long double score = d - std::abs(n.dot(x - q[0]));
        for (int e = 0; e < 3; ++e) {
          const V along = (q[(e + 1) % 3] - q[e]).normalized();
          score = std::min(score, n.dot(test::cross<long double>(along, x - q[e])));
        }
        add(type == 0 ? Key{0, int(v), int(f)} : Key{1, int(f), int(v)}, score);
      }
    }
  };
  faces(b, a, 0);
  faces(a, b, 1);
  for (std::size_t i = 0; i < pa.edges.size(); ++i) {
    for (std::size_t j = 0; j < pb.edges.size(); ++j) {
      if (pa.edges[i].internal || pb.edges[j].internal) continue;
      const V a0 = pa.vertices[pa.edges[i].vertices[0]].cast<long double>();
      const V b0 = pb.vertices[pb.edges[j].vertices[0]].cast<long double>();
      const V u = pa.vertices[pa.edges[i].vertices[1]].cast<long double>() - a0;
      const V v = pb.vertices[pb.edges[j].vertices[1]].cast<long double>() - b0;
      const V n = test::cross<long double>(u, v);
      const V w = b0 - a0;
      if (n.norm() < 1e-9L) continue;
      const long double s = test::cross<long double>(w, v).dot(n) / n.squaredNorm();
      const long double t = test::cross<long double>(w, u).dot(n) / n.squaredNorm();
      add({2, int(i), int(j)}, std::min({d - std::abs(w.dot(n)) / n.norm(), s, 1 - s, t, 1 - t}));
    }
  }
}

TEST(PluckerContacts, ListEqualsBruteForce) {
  std::mt19937_64 rng(404);
  const int count = testing::scaled(3000);
  long long listed = 0;
  for (int i = 0; i < count; ++i) {
    const TriangleMesh a = draw_mesh(rng, 7 * (i % 2) + i);
    const TriangleMesh b = draw_mesh(rng, i / 3);
    const Polyhedron pa = polyhedron_of(a);
    const Polyhedron pb = polyhedron_of(b);
    const double d = 0.05 * (1 + i % 4);
    std::set<Key> surely;
    std::set<Key> perhaps;
    brute_force(a, b, pa, pb, d, 1e-10, surely, perhaps);
    std::set<Key> found;
    for (const ListedContact& c : contacts_within(pa, pb, d)) {
      const Key key{static_cast<int>(c.contact.type), c.contact.a, c.contact.b};
      ASSERT_TRUE(perhaps.count(key)) << "seed 404 draw " << i;
      ASSERT_LE(std::abs(c.separation), d);
      found.insert(key);
    }
    for (const Key& key : surely) ASSERT_TRUE(found.count(key)) << "seed 404 draw " << i;
    listed += found.size();
  }
  std::printf("%d pairs of bodies, %lld contacts\n", count, listed);
  EXPECT_GT(listed, count);
}

}  // namespace
}  // namespace planner_ccd
