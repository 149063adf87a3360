#include "planner_ccd/hierarchy/queries.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

#include "geometry/exact_triangle_distance.hpp"
#include "hierarchy/synthetic_meshes.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

SsvTree tree_of(const TriangleMesh& mesh) {
  Geometry g;
  g.shape = std::make_shared<const TriangleMesh>(mesh);
  return SsvTree::build({g}, "test mesh");
}

/// Vertices on a grid of 2^-16, so that quarter turns and dyadic translations move them without rounding.
TriangleMesh snapped(TriangleMesh mesh) {
  for (Vector3d& p : mesh.vertices) p = (p * 0x1p16).array().round().matrix() * 0x1p-16;
  return mesh;
}

Isometry3d quarter_turn_pose(std::mt19937& random, double spread) {
  Isometry3d X = Isometry3d::Identity();
  for (int k = 0; k < 3; ++k) {
    Eigen::Matrix3d turn = Eigen::Matrix3d::Zero();
    turn(random() % 2 ? 0 : 2, 1) = 1.0;  // Two different quarter turns, repeated at random.
    turn = turn(0, 1) == 1.0 ? (Eigen::Matrix3d() << 0, 1, 0, -1, 0, 0, 0, 0, 1).finished()
                             : (Eigen::Matrix3d() << 1, 0, 0, 0, 0, -1, 0, 1, 0).finished();
    X.linear() = turn * X.linear();
  }
  for (int k = 0; k < 3; ++k) {
    X.translation()[k] = std::round(std::uniform_real_distribution<double>(-spread, spread)(random) * 256.0) / 256.0;
  }
  return X;
}

Triangle moved(const TriangleMesh& m, int i, const Isometry3d& X) {
  return {X * m.vertices[m.triangles[i][0]], X * m.vertices[m.triangles[i][1]], X * m.vertices[m.triangles[i][2]]};
}

/// All pairs, in integers.
exact::SquaredDistance true_distance(const TriangleMesh& a, const Isometry3d& XA, const TriangleMesh& b,
                                     const Isometry3d& XB) {
  exact::SquaredDistance best{};
  long double least = std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i < a.triangles.size(); ++i) {
    for (std::size_t j = 0; j < b.triangles.size(); ++j) {
      const auto d = exact::squared_distance(moved(a, static_cast<int>(i), XA), moved(b, static_cast<int>(j), XB));
      if (const long double value = exact::approximate(d); value < least) {
        least = value;
        best = d;
      }
    }
  }
  return best;
}

/// The least distance, with at most `most_waiting` pairs in the heap; `leaves` counts the leaves visited.
double least_distance(const SsvTree& a, const PairFrame& frame, const SsvTree& b, std::size_t most_waiting,
                      int& leaves) {
  double least = std::numeric_limits<double>::infinity();
  PairTraversal(a, b, frame)
      .run_nearest_first([&] { return least; }, [&](const NodePair& pair) { return pair.gap >= least; },
                         [&](const NodePair& pair) {
                           ++leaves;
                           const Triangle t = frame.place(a.triangle(a.first_primitive(pair.a)));
                           least = std::min(least, triangle_distance(t, b.triangle(b.first_primitive(pair.b))).upper);
                           return true;
                         },
                         most_waiting);
  return least;
}

TEST(Queries, FindTheSameLeastDistanceWithAnyRoomForWaitingPairs) {
  std::mt19937 random(7);
  int fewest = 0, most = 0;
  for (int round = 0; round < 20; ++round) {
    const SsvTree a = tree_of(synthetic::torus_knot(40, 6)), b = tree_of(synthetic::bumpy_sphere(16, 8));
    Isometry3d XA = quarter_turn_pose(random, 1.0);
    XA.translation() += Vector3d(a.bounding_radius() + b.bounding_radius(), 0.0, 0.0);
    const PairFrame frame(a, XA, b, Isometry3d::Identity());
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < a.primitive_count(); ++i) {
      for (int j = 0; j < b.primitive_count(); ++j) {
        least = std::min(least, triangle_distance(frame.place(a.triangle(i)), b.triangle(j)).upper);
      }
    }
    for (const std::size_t room : {std::size_t{0}, std::size_t{1}, std::size_t{20}, PairTraversal::kMostWaiting}) {
      int leaves = 0;
      ASSERT_EQ(least_distance(a, frame, b, room, leaves), least) << "round " << round << ", room " << room;
      if (room == 0) most += leaves;
      if (room == PairTraversal::kMostWaiting) fewest += leaves;
    }
  }
  std::printf("leaves met: %d without room, %d with enough\n", most, fewest);
  EXPECT_LT(fewest, most);
}

TEST(Queries, AgreeWithExactDistancesOfAllTrianglePairs) {
  std::mt19937 random(42);
  std::printf("seed 42\n");
  int apart = 0, touching = 0;
  for (int round = 0; round < 60; ++round) {
    const TriangleMesh ma = snapped(synthetic::soup(14, 2 * round, 3.0)),
                       mb = snapped(synthetic::soup(17, 2 * round + 1, 1.5));
    const SsvTree a = tree_of(ma), b = tree_of(mb);
    const Isometry3d XA = quarter_turn_pose(random, 0.8), XB = quarter_turn_pose(random, 0.8);
    const exact::SquaredDistance truth = true_distance(ma, XA, mb, XB);
    const double value = static_cast<double>(exact::approximate(truth));
    (value > 0.0 ? apart : touching) += 1;

    const DistanceResult d = distance(a, XA, b, XB);
    ASSERT_LE(exact::compare(d.lower, truth), 0);
    ASSERT_GE(exact::compare(d.upper, truth), 0);
    ASSERT_LE(d.upper - d.lower, 1e-12);
    if (value > 0.0) {
      ASSERT_NEAR((d.point_a - d.point_b).norm(), value, 1e-12);
    }
    ASSERT_EQ(collide(a, XA, b, XB).collide, value == 0.0);
    const double bias = 0.01 + 0.1 * value;
    ASSERT_TRUE(collide(a, XA, b, XB, {.margin = value + bias}).collide);
    if (value > bias) {
      ASSERT_FALSE(collide(a, XA, b, XB, {.margin = value - bias}).collide);
    }

    DistanceOptions warm;
    warm.start = d.witness;
    const DistanceResult again = distance(a, XA, b, XB, warm);
    ASSERT_LE(again.upper, d.upper + 1e-15);
    DistanceOptions rough;
    rough.relative_error = 0.3;
    const DistanceResult r = distance(a, XA, b, XB, rough);
    ASSERT_LE(exact::compare(r.lower, truth), 0);
    ASSERT_GE(exact::compare(r.upper, truth), 0);
    ASSERT_GE(r.lower, 0.7 * r.upper - 1e-12);
    rough = {};
    rough.absolute_error = 0.2;
    ASSERT_GE(distance(a, XA, b, XB, rough).lower, distance(a, XA, b, XB, rough).upper - 0.2 - 1e-12);
  }
  std::printf("%d apart, %d touching\n", apart, touching);
  EXPECT_GE(apart, 18);
  EXPECT_GE(touching, 18);
}

TEST(Collide, SeesABodyInsideAClosedMesh) {
  TriangleMesh ball = synthetic::bumpy_sphere(24, 12);
  TriangleMesh small = ball;
  for (Vector3d& p : small.vertices) p *= 0.2;
  const SsvTree big = tree_of(ball), little = tree_of(small);
  const Isometry3d X = Isometry3d::Identity();
  const CollideResult r = collide(big, X, little, X);
  EXPECT_TRUE(r.collide && r.contained);
  EXPECT_TRUE(collide(little, X, big, X).contained);
  EXPECT_FALSE(collide(little, X, big, X, {.containment = false}).collide);
  EXPECT_EQ(distance(little, X, big, X).upper, 0.0);

  TriangleMesh open = ball;
  open.triangles.pop_back();
  EXPECT_FALSE(collide(tree_of(open), X, little, X).collide);

  TriangleMesh hollow = ball;  // A cavity of half the size, its surface facing inwards.
  const int offset = static_cast<int>(ball.vertices.size());
  for (const Vector3d& p : ball.vertices) hollow.vertices.push_back(0.5 * p);
  for (const Eigen::Vector3i& t : ball.triangles) {
    hollow.triangles.emplace_back(offset + t[0], offset + t[2], offset + t[1]);
  }
  EXPECT_FALSE(collide(tree_of(hollow), X, little, X).collide);
  Isometry3d shifted = X;
  shifted.translation() = Vector3d(0.0, 0.0, 0.74);
  EXPECT_TRUE(collide(tree_of(hollow), X, little, shifted).collide);
}

TEST(Collide, TreatsRoundedShapesAsSolids) {
  std::vector<Geometry> ball(1), box(1);
  ball[0].shape = Sphere{1.0};
  box[0].shape = Box{Vector3d(0.1, 0.1, 0.1)};
  const SsvTree a = SsvTree::build(ball, "ball"), b = SsvTree::build(box, "box");
  Isometry3d X = Isometry3d::Identity();
  EXPECT_TRUE(collide(a, X, b, X).collide);
  X.translation()[0] = 2.0;
  EXPECT_FALSE(collide(a, Isometry3d::Identity(), b, X).collide);
  const DistanceResult d = distance(a, Isometry3d::Identity(), b, X);
  EXPECT_NEAR(d.lower, 0.95, 1e-13);
  EXPECT_NEAR(d.upper, 0.95, 1e-13);
  EXPECT_LE(d.lower, d.upper);
  EXPECT_NEAR(d.point_a[0], 1.0, 1e-12);
}

TEST(Queries, TreatCylindersAndHullsAsTheyAre) {
  std::vector<Geometry> can(1), hull(1);
  can[0].shape = Cylinder{0.5, 2.0};
  hull[0].shape = ConvexHull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 0.1}}};
  const SsvTree a = SsvTree::build(can, "can"), b = SsvTree::build(hull, "hull");
  EXPECT_EQ(b.primitive_count(), 4);
  EXPECT_TRUE(b.has_inside());
  Isometry3d X = Isometry3d::Identity();
  X.translation() = Vector3d(0.45, 0.0, 1.25);  // Above the flat end, where a capsule's round end would reach.
  const DistanceResult d = distance(a, Isometry3d::Identity(), b, X);
  EXPECT_NEAR(d.lower, 0.25, 1e-9);
  EXPECT_NEAR(d.upper, 0.25, 1e-9);
  EXPECT_LE(d.lower, d.upper);
  EXPECT_FALSE(collide(a, Isometry3d::Identity(), b, X).collide);
  EXPECT_TRUE(collide(a, Isometry3d::Identity(), b, X, {.margin = 0.26}).collide);
  X.translation() = Vector3d(0.1, 0.1, 0.1);  // The hull lies inside the can.
  EXPECT_TRUE(collide(a, Isometry3d::Identity(), b, X).collide);
}

TEST(Queries, RefusePosesThatAreNoneByName) {
  std::vector<Geometry> box(1);
  box[0].shape = Box{Vector3d(0.4, 0.2, 1.0)};
  const SsvTree a = SsvTree::build(box, "gripper"), b = SsvTree::build(box, "shelf");
  Isometry3d X = Isometry3d::Identity();
  X.translation()[0] = 3.0;
  std::vector<Isometry3d> bad(5, X);
  bad[0].translation()[1] = std::nan("");
  bad[1].translation()[2] = std::numeric_limits<double>::infinity();
  bad[2].linear()(1, 2) = std::nan("");
  bad[3].linear() *= 1.01;
  bad[4].linear().col(0) *= -1.0;
  const auto expect_names = [](const char* name, auto&& query) {
    try {
      query();
      ADD_FAILURE() << "an answer";
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find(name), std::string::npos) << e.what();
    }
  };
  for (const Isometry3d& wrong : bad) {
    expect_names("gripper", [&] { collide(a, wrong, b, X); });
    expect_names("shelf", [&] { collide(a, X, b, wrong); });
    expect_names("gripper", [&] { distance(a, wrong, b, X); });
    expect_names("shelf", [&] { distance(a, X, b, wrong); });
  }
}

/// Turned boxes about as far apart as they are long: the quick test of the roots is right on both sides of contact.
TEST(Collide, FarBodiesAreApartOnlyIfTheirDistanceSaysSo) {
  std::mt19937 random(21);
  std::normal_distribution<double> n;
  std::vector<Geometry> box(1);
  box[0].shape = Box{Vector3d(0.4, 0.2, 1.0)};
  box[0].pose.translation() = Vector3d(0.3, -0.2, 0.1);
  const SsvTree a = SsvTree::build(box, "a"), b = SsvTree::build({Geometry{Capsule{0.1, 0.5}, box[0].pose, ""}}, "b");
  int quick = 0, apart = 0;
  for (int i = 0; i < 2000; ++i) {
    Isometry3d XA = Isometry3d::Identity(), XB = XA;
    for (Isometry3d* X : {&XA, &XB}) {
      X->linear() = Eigen::Quaterniond(n(random), n(random), n(random), n(random)).normalized().toRotationMatrix();
      X->translation() = 0.5 * Vector3d(n(random), n(random), n(random));
    }
    const double margin = 0.1 * (i % 3);
    const bool far = roots_apart({a, XA, b, XB}, margin);
    const double truth = distance(a, XA, b, XB).lower;
    if (far) {
      ASSERT_GT(truth, margin) << i;
    }
    ASSERT_EQ(collide(a, XA, b, XB, {.margin = margin}).collide, truth <= margin) << i;
    quick += far;
    apart += truth > margin;
  }
  std::printf("seed 21: %d apart, %d of them at once\n", apart, quick);
  EXPECT_GT(quick, apart / 3);
  EXPECT_LT(apart, 1900);
}

/// As far apart as the margin says, which no rounding may turn into farther.
TEST(Collide, AtItsMarginIsNotProvedApart) {
  const SsvTree box = SsvTree::build({Geometry{Box{Vector3d(0.25, 0.25, 0.25)}, Isometry3d::Identity(), ""}}, "box");
  const SsvTree ball = SsvTree::build({Geometry{Sphere{0.125}, Isometry3d::Identity(), ""}}, "ball");
  for (const SsvTree* other : {&box, &ball}) {
    for (const double margin : {0.125, 0.5, 2.0}) {
      for (const Vector3d& at : {Vector3d(0.0, 0.0, 0.0), Vector3d(64.0, -32.0, 8.0)}) {
        Isometry3d XA = Isometry3d::Identity(), XB = XA;
        XA.translation() = at;
        XB.translation() = at + Vector3d(0.25 + margin, 0.0, 0.0);
        EXPECT_TRUE(collide(box, XA, *other, XB, {.margin = margin}).collide) << margin;
        XB.translation()[0] += 1e-9;
        EXPECT_FALSE(collide(box, XA, *other, XB, {.margin = margin}).collide) << margin;
      }
    }
  }
}

TEST(Queries, HoldForAnyPoseOfLargeMeshes) {
  std::mt19937 random(3);
  std::normal_distribution<double> n;
  const TriangleMesh knot = synthetic::torus_knot(40, 6), ball = synthetic::bumpy_sphere(20, 10);
  const SsvTree a = tree_of(knot), b = tree_of(ball);
  int apart = 0;
  for (int i = 0; i < 12; ++i) {
    Isometry3d XA = Isometry3d::Identity(), XB = XA;
    for (Isometry3d* X : {&XA, &XB}) {
      X->linear() = Eigen::Quaterniond(n(random), n(random), n(random), n(random)).normalized().toRotationMatrix();
      X->translation() = 1.2 * Vector3d(n(random), n(random), n(random));
    }
    const DistanceResult d = distance(a, XA, b, XB, {.containment = false});
    double brute = std::numeric_limits<double>::infinity();
    for (int p = 0; p < a.primitive_count(); ++p) {
      Triangle t = a.triangle(p);
      for (Vector3d& v : t) v = XA * v;
      for (int q = 0; q < b.primitive_count(); ++q) {
        Triangle u = b.triangle(q);
        for (Vector3d& v : u) v = XB * v;
        brute = std::min(brute, triangle_distance(t, u).upper);
      }
    }
    EXPECT_LE(d.lower, brute);
    EXPECT_NEAR(d.upper, brute, 1e-12);
    EXPECT_EQ(collide(a, XA, b, XB, {.containment = false}).collide, d.lower == 0.0);
    apart += d.lower > 0.0;
  }
  std::printf("%d of 12 apart\n", apart);
  EXPECT_GE(apart, 3);
}

}  // namespace
}  // namespace planner_ccd
