#include "triangle_ccd/exact_leaf.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "triangle_ccd/exact_polynomial.hpp"
#include "triangle_ccd/leaf_draws.hpp"
#include "triangle_ccd/leaf_truth.hpp"

namespace planner_ccd::test {
namespace {

using Eigen::Vector3d;

MovingPoint rest(double x, double y, double z) { return {{x, y, z}, {x, y, z}}; }
const std::array<MovingPoint, 3> kFace{rest(0, 0, 0), rest(1, 0, 0), rest(0, 1, 0)};

TEST(ExactPolynomial, RootsOfAProductAreFoundOnceEach) {
  const Polynomial third({Exact(-1), Exact(3)}), half({Exact(-1), Exact(2)}), beyond({Exact(-2), Exact(1)});
  const Polynomial p = third * third * half * beyond;
  std::vector<Root> roots = roots_in_unit_interval(p);
  ASSERT_EQ(roots.size(), 2u);
  EXPECT_EQ(roots[0].sign_of(third), 0);
  EXPECT_EQ(roots[0].sign_of(half), -1);
  EXPECT_EQ(roots[1].sign_of(half), 0);
  EXPECT_EQ(roots[1].sign_of(third), 1);
}

TEST(ExactPolynomial, SignAtAnIrrationalRoot) {
  const Polynomial p({Exact(-1), Exact(0), Exact(2)});  // 2 t^2 = 1
  std::vector<Root> roots = roots_in_unit_interval(p);
  ASSERT_EQ(roots.size(), 1u);
  EXPECT_EQ(roots[0].sign_of(Polynomial({Exact(-70710678, 100000000), Exact(1)})), 1);
  EXPECT_EQ(roots[0].sign_of(Polynomial({Exact(-70710679, 100000000), Exact(1)})), -1);
  EXPECT_EQ(roots[0].sign_of(p * p), 0);
}

TEST(ExactLeaf, KnowsPlainContacts) {
  const auto through = exact_contact(VertexFaceMotion{{{0.25, 0.25, 1}, {0.25, 0.25, -2}}, kFace});
  ASSERT_TRUE(through);
  EXPECT_DOUBLE_EQ(through->time, 1.0 / 3.0);
  EXPECT_FALSE(exact_contact(VertexFaceMotion{{{0.75, 0.75, 1}, {0.75, 0.75, -2}}, kFace}));
  // On the closed border, and at the very end of the motion.
  EXPECT_TRUE(exact_contact(VertexFaceMotion{{{0.5, 0.5, 1}, {0.5, 0.5, -2}}, kFace}));
  const auto at_end = exact_contact(VertexFaceMotion{{{0.25, 0.25, 1}, {0.25, 0.25, 0}}, kFace});
  ASSERT_TRUE(at_end);
  EXPECT_EQ(at_end->time, 1.0);
}

TEST(ExactLeaf, KnowsContactsThatNeverLeaveThePlane) {
  const auto slide = exact_contact(VertexFaceMotion{{{-1, 0.25, 0}, {1, 0.25, 0}}, kFace});
  ASSERT_TRUE(slide);
  EXPECT_TRUE(slide->degenerate);
  EXPECT_EQ(slide->time, 0.5);
  const auto along = exact_contact(VertexFaceMotion{{{-1, 0, 0}, {3, 0, 0}}, kFace});
  ASSERT_TRUE(along);
  EXPECT_EQ(along->time, 0.25);
  const auto on_a_line =
      exact_contact(EdgeEdgeMotion{{rest(0, 0, 0), rest(1, 0, 0)}, {{{{3, 0, 0}, {0, 0, 0}}, rest(4, 0, 0)}}});
  ASSERT_TRUE(on_a_line);
  EXPECT_NEAR(on_a_line->time, 2.0 / 3.0, 1e-17);
  const auto point =
      exact_contact(VertexFaceMotion{{{-1, 0, 0}, {1, 0, 0}}, {rest(0, 0, 0), rest(0, 0, 0), rest(0, 0, 0)}});
  ASSERT_TRUE(point);
  EXPECT_EQ(point->time, 0.5);
}

/// Distances at many times never contradict the oracle, in every family of draws; and the fast filter agrees with it.
TEST(ExactLeaf, AgreesWithSampledDistances) {
  LeafDraws draws(20240607);
  int hits = 0, total = 0;
  for (Family family : all_families()) {
    for (int i = 0; i < 60; ++i) {
      const bool edges = i % 2 == 1;
      const FourPoints p = draws.draw(family, edges);
      const auto exact = edges ? exact_contact(edge_edge(p)) : exact_contact(vertex_face(p));
      const Truth truth = edges ? true_contact(edge_edge(p)) : true_contact(vertex_face(p));
      ASSERT_EQ(exact.has_value(), truth.hit) << name(family) << i;
      const auto distance = [&](double t) {
        return edges ? plain_distance(edge_edge(p), t) : plain_distance(vertex_face(p), t);
      };
      ++total;
      if (exact) {
        ++hits;
        ASSERT_LE(truth.toi_lo, exact->time);
        ASSERT_GE(truth.toi_hi, exact->time);
        const double speed = edges ? plain_speed(edge_edge(p)) : plain_speed(vertex_face(p));
        ASSERT_LE(distance(exact->time), 1e-15 * speed + 1e-11) << name(family) << i;
      }
      const double end = exact ? exact->time * 0.999 : 1.0;
      for (int k = 0; k <= 50 && end > 0; ++k) ASSERT_GT(distance(end * k / 50), 0.0) << name(family) << i;
    }
  }
  EXPECT_GT(hits, total / 5);
  EXPECT_LT(hits, 4 * total / 5);
}

}  // namespace
}  // namespace planner_ccd::test
