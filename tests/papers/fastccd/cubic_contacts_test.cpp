#include "planner_ccd/papers/fastccd/cubic.hpp"

#include <gtest/gtest.h>

#include "support/scale.hpp"
#include "triangle_ccd/leaf_campaign.hpp"

namespace planner_ccd::test {
namespace {

using planner_ccd::testing::scaled;

/// The vertex passes through the face once, or the face's plane passes twice over a vertex beside the face.
TEST(CubicContacts, CountsOddAndEvenRoots) {
  const std::array<MovingPoint, 3> face{
      MovingPoint{{0, 0, 0}, {0, 0, 0}}, {{1, 0, 0}, {1, 0, 0}}, {{0, 1, 0}, {0, 1, 0}}};
  const CubicContacts once = cubic_vertex_face_contacts({{{0.2, 0.2, 1}, {0.2, 0.2, -1}}, face}, 1e-9);
  EXPECT_EQ(once.count, 1);
  EXPECT_NEAR(once.time[0], 0.5, 1e-9);
  // The face tilts back and forth so that its plane passes the vertex twice.
  const std::array<MovingPoint, 3> tilting{
      MovingPoint{{-1, -1, -1}, {-1, -1, 2}}, {{2, -1, 2}, {2, -1, -1}}, {{-1, 2, 0.1}, {-1, 2, 0.1}}};
  const CubicContacts none = cubic_vertex_face_contacts({{{5, 5, 1}, {5, 5, -1}}, tilting}, 1e-9);
  EXPECT_EQ(none.count, 0);
}

/// There is a contact exactly when the exact polynomial has one, and the first is at its time.
TEST(CubicContacts, FirstTimeIsTheFirstExactContact) {
  LeafDraws draws(10);
  int hits = 0;
  for (int i = 0; i < scaled(20000); ++i) {
    const FourPoints p = draws.draw(Family::UnitCube, false);
    const Truth truth = true_contact(vertex_face(p));
    const CubicContacts found = cubic_vertex_face_contacts(vertex_face(p), 1e-10);
    ASSERT_EQ(found.count > 0, truth.hit) << i;
    if (!truth.hit) continue;
    ++hits;
    ASSERT_NEAR(found.time[0], truth.toi_lo, 2e-10);
  }
  EXPECT_GT(hits, scaled(20000) / 20);
}

}  // namespace
}  // namespace planner_ccd::test
