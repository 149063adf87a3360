#include "planner_ccd/scene/arrivals.hpp"

#include <gtest/gtest.h>

#include <map>

#include "planner_ccd/math/error.hpp"
#include "support/random_robot.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;

std::shared_ptr<const SceneObject> ball(Draw& draw, double spread) {
  SceneObject out;
  out.name = "ball";
  out.geometry = {testing::ball(draw.uniform(0.01, 0.5))};
  out.pose.translation() = spread * draw.uniform(0.0, 1.0) * draw.direction();
  return std::make_shared<const SceneObject>(out);
}

/// Near the origin, in one cell, far away, and beyond the last cell.
TEST(Arrivals, AreFoundAsByGoingThroughAllOfThem) {
  Draw draw(5);
  Arrivals arrivals;
  std::map<std::uint64_t, Arrival> model;
  std::vector<std::pair<Arrivals, std::map<std::uint64_t, Arrival>>> copies;
  long met = 0;
  const auto expect_same = [&](const Arrivals& now, const std::map<std::uint64_t, Arrival>& was) {
    ASSERT_EQ(now.size(), was.size());
    double extent = 0.0;
    for (const auto& [key, a] : was) {
      ASSERT_NE(now.find(key), nullptr);
      ASSERT_EQ(now.find(key)->object, a.object);
      extent = std::max(extent, a.extent);
    }
    ASSERT_EQ(now.extent(), extent);
    const Eigen::Vector3d p = 3.0 * draw.direction();
    const Eigen::AlignedBox3d box(p - Eigen::Vector3d::Constant(1.0), p + Eigen::Vector3d::Constant(1.0));
    std::vector<const Arrival*> found;
    now.meet(box, found);
    std::size_t expected = 0;
    for (const auto& [key, a] : was) expected += a.bounds.intersects(box);
    ASSERT_EQ(found.size(), expected);
    for (const Arrival* a : found) ASSERT_TRUE(a->bounds.intersects(box));
    met += static_cast<long>(expected);
  };
  for (int step = 0; step < 4000; ++step) {
    const auto key = static_cast<std::uint64_t>(draw.integer(0, 300));
    if (draw.integer(0, 3) == 0) {
      arrivals.erase(key);
      model.erase(key);
    } else {
      const double spread = step % 100 == 0 ? 1e6 : step % 3 == 0 ? 0.01 : 4.0;
      const Arrival a = arrive(key, ball(draw, spread), nullptr, -1);
      arrivals.put(a);
      model.insert_or_assign(key, a);
    }
    if (step % 20 == 0) expect_same(arrivals, model);
    if (step % 500 == 0) copies.emplace_back(arrivals, model);
  }
  for (const auto& [copy, was] : copies) expect_same(copy, was);
  EXPECT_GT(met, 500);
}

/// Objects with known shapes get their tree on first use; the bounds equal the later tree's.
TEST(Arrivals, WhatIsAlikeWaits) {
  Draw draw(6);
  const auto one = ball(draw, 1.0);
  const Arrival built = arrive(1, one, nullptr, -1), waits = arrive(1, one, one.get(), -1);
  EXPECT_TRUE(built.tree->is_built());
  EXPECT_FALSE(waits.tree->is_built());
  EXPECT_EQ(built.bounds.min(), waits.bounds.min());
  EXPECT_EQ(built.bounds.max(), waits.bounds.max());
  EXPECT_EQ(built.radius, waits.radius);
  EXPECT_EQ(built.extent, waits.extent);
}

/// Placement by long offsets that cancel has rounding errors relative to the offsets.
TEST(Arrivals, ExtentIsThatOfTheWays) {
  SceneObject one;
  one.name = "near";
  one.geometry = {testing::ball(0.1, {1e6, 0.0, 0.0})};
  one.pose.translation().x() = -1e6;
  EXPECT_GE(arrive(1, std::make_shared<const SceneObject>(one), nullptr, -1).extent, 1e6);
}

TEST(Arrivals, WhatCannotBeUsedIsRefused) {
  Draw draw(7);
  const auto one = ball(draw, 1.0);
  SceneObject nowhere = *one, flat = *one;
  nowhere.pose.translation().x() = std::numeric_limits<double>::infinity();
  flat.geometry[0].shape = Sphere{0.0};
  EXPECT_THROW((void)arrive(1, std::make_shared<const SceneObject>(nowhere), one.get(), -1), InputError);
  EXPECT_THROW((void)arrive(1, std::make_shared<const SceneObject>(flat), nullptr, -1), InputError);
}

}  // namespace
}  // namespace planner_ccd
