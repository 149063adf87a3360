// How deep boxes are in each other: bodies shifted by less still meet, and one shift of hardly more separates them.
#include "planner_ccd/validation/depth.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "planner_ccd/hierarchy/queries.hpp"
#include "support/random_robot.hpp"
#include "support/scale.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;

SsvTree tree_of(const Shape& shape) {
  return SsvTree::build({{shape, Eigen::Isometry3d::Identity(), "shape"}}, "body");
}

Eigen::Isometry3d at(double x, double y, double z) {
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  X.translation() = Eigen::Vector3d(x, y, z);
  return X;
}

bool meet(const SsvTree& a, Eigen::Isometry3d X_WA, const SsvTree& b, const Eigen::Isometry3d& X_WB,
          const Eigen::Vector3d& shift) {
  X_WA.translation() += shift;
  return collide(a, X_WA, b, X_WB).collide;
}

TEST(Depth, PlatesThatCrossHaveOne) {
  const SsvTree bar = tree_of(Box{{2.0, 0.1, 0.2}}), plate = tree_of(Box{{0.1, 2.0, 0.2}});
  const auto crossing = [&](double z) { return deepest_point(bar, at(0, 0, 0), plate, at(0.3, 0.2, z)); };
  ASSERT_TRUE(crossing(0.05)) << "no corner of either is inside the other";
  EXPECT_NEAR(crossing(0.05)->depth, 0.15, 1e-12);
  EXPECT_NEAR(crossing(0.0)->depth, 0.2, 1e-12);
  EXPECT_LT((crossing(0.0)->point - Eigen::Vector3d(0.3, 0.0, 0.0)).norm(), 1e-12);
  EXPECT_FALSE(crossing(0.201));
}

TEST(Depth, IsTheLeastShiftThatSeparatesBoxesAndHulls) {
  const unsigned seed = testing::seeded(1517);
  std::printf("  seed %u\n", seed);
  Draw draw(seed);
  int overlapping = 0, apart = 0;
  const int draws = testing::scaled(300, 100);
  for (int i = 0; i < draws; ++i) {
    const auto shape = [&]() -> Shape {
      if (draw.integer(0, 1) == 0)
        return Box{{draw.uniform(0.05, 1.0), draw.uniform(0.05, 1.0), draw.uniform(0.05, 1.0)}};
      ConvexHull hull;
      for (int k = 0; k < 6; ++k) hull.points.push_back(draw.vector(0.5));
      return hull;
    };
    const SsvTree a = tree_of(shape()), b = tree_of(shape());
    const Eigen::Isometry3d X_WA = draw.pose(0.3), X_WB = draw.pose(0.3);
    const auto depth = deepest_point(a, X_WA, b, X_WB);
    ASSERT_EQ(depth.has_value(), meet(a, X_WA, b, X_WB, Eigen::Vector3d::Zero())) << "draw " << i;
    (depth ? overlapping : apart) += 1;
    if (!depth) continue;
    bool separated = false;
    for (int k = 0; k < 3000; ++k) {
      const Eigen::Vector3d n = draw.direction();
      if (k < 100) {
        ASSERT_TRUE(meet(a, X_WA, b, X_WB, 0.999 * depth->depth * n)) << "draw " << i;
      }
      separated = separated || !meet(a, X_WA, b, X_WB, 1.03 * depth->depth * n);
    }
    EXPECT_TRUE(separated) << "draw " << i << ": no shift of about " << depth->depth << " m separates them";
  }
  std::printf("  %d overlapping, %d apart\n", overlapping, apart);
  EXPECT_GE(overlapping, draws / 4);
  EXPECT_GE(apart, draws / 20);
}

}  // namespace
}  // namespace planner_ccd
