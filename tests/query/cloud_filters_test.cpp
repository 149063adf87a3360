#include "planner_ccd/validation/cloud_filters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "support/scenarios.hpp"
#include "support/small_robots.hpp"

/// Points of the robot are taken out of clouds, and no others.
namespace planner_ccd {
namespace {

using testing::Draw;
using Real = long double;

CloudPtr cloud_of(const std::vector<Eigen::Vector3d>& points, double radius = 0.01) {
  return std::make_shared<const PointCloud>(points, radius, "cloud");
}

/// A bar and a ball on two turning joints; distances are those of formulas.
struct TwoLinks {
  static constexpr double kBar[3] = {0.5, 0.1, 0.2};  // [m] half edges
  std::shared_ptr<const RobotModel> robot;

  TwoLinks() {
    testing::ChainSpec chain;
    chain.turn(Eigen::Vector3d::UnitZ()).with({Box{{2 * kBar[0], 2 * kBar[1], 2 * kBar[2]}}, Pose::Identity(), "bar"});
    chain.turn(Eigen::Vector3d::UnitY(), 10.0, {0.5, 0.0, 0.0}).with(testing::ball(0.15, {0.3, 0.0, 0.0}));
    robot = std::make_shared<const RobotModel>(chain.spec);
  }
  /// Of a point in the world, at joint values a and b; negative inside the ball, 0 inside the bar.
  Real distance(const Eigen::Vector3d& p, double a, double b) const {
    const Real x = std::cos(Real(a)) * p.x() + std::sin(Real(a)) * p.y(),
               y = -std::sin(Real(a)) * p.x() + std::cos(Real(a)) * p.y();
    const Real local[3] = {x, y, p.z()};
    Real square = 0;
    for (int k = 0; k < 3; ++k) square += std::pow(std::max<Real>(std::abs(local[k]) - kBar[k], 0), 2);
    const Real center[3] = {Real(0.5) + Real(0.3) * std::cos(Real(b)), 0, -Real(0.3) * std::sin(Real(b))};
    Real to_ball = 0;
    for (int k = 0; k < 3; ++k) to_ball += (local[k] - center[k]) * (local[k] - center[k]);
    return std::min(std::sqrt(square), std::sqrt(to_ball) - Real(0.15));
  }
};

TEST(CloudFilters, TheRobotsPointsAreDroppedAndNoOthers) {
  const TwoLinks links;
  const RobotFilter filter(links.robot);
  Draw draw(testing::seeded(41));
  int dropped = 0, kept = 0;
  for (int i = 0; i < testing::scaled(40, 10); ++i) {
    std::vector<Eigen::Vector3d> points;
    for (int k = 0; k < 1000; ++k) points.push_back(draw.vector(0.7).cast<float>().cast<double>());
    const double within = i % 3 == 0 ? 0.0 : draw.uniform(0.0, 0.3), a = draw.uniform(-3, 3), b = draw.uniform(-3, 3);
    const Pose X_WC = rigid(draw.pose(0.3), "pose");
    const CloudPtr cloud = cloud_of(points);
    const FilteredCloud left = filter.drop_robot(cloud, X_WC, Eigen::Vector2d(a, b), within);
    ASSERT_NE(left.cloud, nullptr);
    EXPECT_EQ(left.cloud->size() + left.dropped, 1000);
    EXPECT_EQ(left.cloud->ball_radius(), cloud->ball_radius());
    for (int k = 0; k < 1000; ++k) {
      const Real off = links.distance(X_WC * points[static_cast<std::size_t>(k)], a, b) - static_cast<Real>(within);
      if (std::abs(off) < 1e-9L) continue;
      const int there = left.cloud->find(k);
      ASSERT_EQ(there >= 0, off > 0) << "point " << k << " off by " << static_cast<double>(off);
      if (there >= 0) {
        ASSERT_EQ(left.cloud->point(there), points[static_cast<std::size_t>(k)]);
      }
      (there >= 0 ? kept : dropped)++;
    }
  }
  std::printf("seed 41: %d dropped, %d kept\n", dropped, kept);
  EXPECT_GE(dropped, kept / 20);
  EXPECT_GE(kept, dropped / 2);
}

/// Meshes, hulls, cylinders, and what is held: whatever is left is not in contact.
TEST(CloudFilters, WhatIsLeftIsApartFromTheRobot) {
  Draw draw(testing::seeded(42));
  int dropped = 0, needed = 0;
  for (int i = 0; i < testing::scaled(40, 40); ++i) {
    testing::RandomScenario what;
    what.links = 4;
    what.objects = 1;
    what.attached = i % 2 == 0;
    what.cell_evaluations = 0;
    testing::Scenario s = random_scenario(draw, what);
    const JointVector q = testing::EdgeDraw(*s.robot, 1.0).configuration(draw);
    std::vector<Eigen::Vector3d> points;
    for (int k = 0; k < 3000; ++k) points.push_back(draw.vector(0.6));
    const CloudPtr cloud = cloud_of(points);
    const RobotFilter filter(s.robot, s.scene.attached);
    const FilteredCloud left =
        filter.drop_robot(cloud, Pose::Identity(), q, cloud->ball_radius() + 2e-4);  // 1e-4 is the tolerance
    dropped += left.dropped;
    const auto touches = [&](const CloudPtr& seen) {
      Scene scene;
      scene.attached = s.scene.attached;
      scene.objects.push_back({"seen", {{seen, Pose::Identity(), "seen"}}, Pose::Identity()});
      const auto allow = [&](const std::string& a, const std::string& b) { scene.allow.push_back({a, b}); };
      std::vector<std::string> names;
      for (const Link& link : s.robot->links()) names.push_back(link.name);
      for (const AttachedObject& held : scene.attached) names.push_back(held.object.name);
      for (std::size_t a = 0; a < names.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) allow(names[a], names[b]);
      }
      CheckerOptions options;
      options.cell_evaluations = 0;
      const PathChecker checker(s.robot, scene, CollisionMatrix(), options);
      Workspace w(checker);
      return checker.in_contact(q, w);
    };
    if (left.cloud != nullptr) {
      EXPECT_FALSE(touches(left.cloud)) << i;
    }
    needed += touches(cloud);
  }
  std::printf("seed 42: %d dropped, %d clouds touched the robot\n", dropped, needed);
  EXPECT_GE(dropped, 100);
  EXPECT_GE(needed, 5);
}

TEST(CloudFilters, ARegionIsCleared) {
  Draw draw(testing::seeded(43));
  std::vector<Eigen::Vector3d> points;
  for (int k = 0; k < 2000; ++k) points.push_back(draw.vector(1.0).cast<float>().cast<double>());
  const Eigen::Vector3d min(-0.5, -0.2, 0.0), max(0.3, 0.6, 0.7);
  const Pose X = testing::shift({0.25, 0.0, -0.5});
  const FilteredCloud left = drop_region(cloud_of(points), X, min, max);
  int dropped = 0;
  for (int k = 0; k < 2000; ++k) {
    const Eigen::Vector3d p = X * points[static_cast<std::size_t>(k)];
    const bool in = (p.array() >= min.array()).all() && (p.array() <= max.array()).all();
    dropped += in;
    EXPECT_EQ(left.cloud->find(k) < 0, in) << k;
  }
  EXPECT_EQ(left.dropped, dropped);
  EXPECT_GE(dropped, 50);
  const CloudPtr cloud = cloud_of(points);
  EXPECT_EQ(drop_region(cloud, X, {9, 9, 9}, {10, 10, 10}).cloud, cloud) << "unchanged";
  const FilteredCloud none = drop_region(cloud, X, {-9, -9, -9}, {9, 9, 9});
  EXPECT_EQ(none.cloud, nullptr);
  EXPECT_EQ(none.dropped, 2000);
}

TEST(CloudFilters, RejectWhatCannotBeMeant) {
  const TwoLinks links;
  const RobotFilter filter(links.robot);
  const CloudPtr cloud = cloud_of({{0.0, 0.0, 0.0}});
  const Eigen::Vector2d q(0.0, 0.0);
  EXPECT_EQ(filter.drop_robot(cloud, Pose::Identity(), q, 0.0).dropped, 1);
  for (const double within : {-0.1, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW((void)filter.drop_robot(cloud, Pose::Identity(), q, within), InputError);
  }
  EXPECT_THROW((void)filter.drop_robot(nullptr, Pose::Identity(), q, 0.0), InputError);
  EXPECT_THROW((void)filter.drop_robot(cloud, Pose::Identity(), Eigen::Vector3d::Zero(), 0.0), InputError);
  EXPECT_THROW((void)filter.drop_robot(cloud, Pose::Identity(), Eigen::Vector2d(0.0, NAN), 0.0), InputError);
  EXPECT_THROW(RobotFilter(nullptr), InputError);
  EXPECT_THROW(RobotFilter(links.robot, {{{"cup", {testing::ball(0.1)}}, "hand", {}}}), InputError);
  EXPECT_THROW((void)drop_region(cloud, Pose::Identity(), {1, 0, 0}, {0, 1, 1}), InputError);
  EXPECT_THROW((void)drop_region(cloud, Pose::Identity(), {NAN, 0, 0}, {0, 1, 1}), InputError);
  EXPECT_EQ(points_dropped(3, 0.5, "seen").text,
            "3 points of a cloud, in the robot or within 0.5 m of it, were left out");
}

}  // namespace
}  // namespace planner_ccd
