#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "hierarchy/grains.hpp"
#include "planner_ccd/math/error.hpp"
#include "support/scale.hpp"

/// The data that a cloud and a map keep of their input.
namespace planner_ccd {
namespace {

using namespace grains;

TEST(PointCloud, EveryBallAskedForLiesInTheOneThatIsChecked) {
  Source source{std::mt19937(testing::seeded(1))};
  std::printf("seed 1\n");
  for (const double away : {0.0, 1.0, 1e3, 1e6}) {
    const double radius = 0.003;
    std::vector<Vector3d> points = surface(source, 3000, 1.0);
    for (Vector3d& p : points) p += Vector3d(away, -away, 0.5 * away);
    points[17][1] = std::nan("");
    points[18][2] = std::numeric_limits<double>::infinity();
    const PointCloud cloud(points, radius, "cloud");
    EXPECT_EQ(cloud.left_out(), 2u);
    ASSERT_EQ(cloud.size(), 2998);
    EXPECT_EQ(cloud.find(17), -1);
    std::vector<bool> seen(points.size(), false);
    Real worst = 0;
    for (int i = 0; i < cloud.size(); ++i) {
      const int n = cloud.number(i);
      ASSERT_FALSE(seen[static_cast<std::size_t>(n)]);
      seen[static_cast<std::size_t>(n)] = true;
      if (i > 0) {
        ASSERT_LE(cloud.place_on_curve(i - 1), cloud.place_on_curve(i));
      }
      const Vec off = cloud.point(i).cast<Real>() - points[static_cast<std::size_t>(n)].cast<Real>();
      worst = std::max(worst, off.norm());
      ASSERT_LE(off.norm() + static_cast<Real>(radius), static_cast<Real>(cloud.ball_radius()));
    }
    EXPECT_LT(cloud.ball_radius() - radius, 2e-7) << "that of single precision over the cloud's own size";
    EXPECT_GT(worst, 0.57 * (cloud.ball_radius() - radius)) << "a sum of three instead of the root of their squares";
  }
}

TEST(PointCloud, TakesFloatsAsTheyAreFromAnywhere) {
  Source source{std::mt19937(2)};
  struct Padded {
    char flag;
    float intensity, z, gap, y, gap2, x;
  };
  std::vector<Vector3f> points;
  std::vector<Padded> padded;
  for (int i = 0; i < 500; ++i) {
    points.push_back(source.vector(3.0).cast<float>());
    padded.push_back({'a', 0.f, points.back().z(), 0.f, points.back().y(), 0.f, points.back().x()});
  }
  const PointCloud plain(std::span<const Vector3f>(points), 0.01, "plain");
  EXPECT_EQ(plain.ball_radius(), 0.01);
  for (int i = 0; i < plain.size(); ++i) {
    ASSERT_EQ(plain.point(i), points[static_cast<std::size_t>(plain.number(i))].cast<double>());
  }
  PointView view;  // backwards, not aligned, coordinates in another order
  std::vector<char> bytes(1 + padded.size() * sizeof(Padded));
  std::memcpy(bytes.data() + 1, padded.data(), padded.size() * sizeof(Padded));
  view.first = bytes.data() + 1 + offsetof(Padded, x);
  view.count = padded.size();
  view.point_step = sizeof(Padded);
  view.coordinate_step =
      static_cast<std::ptrdiff_t>(offsetof(Padded, y)) - static_cast<std::ptrdiff_t>(offsetof(Padded, x));
  EXPECT_TRUE(plain == PointCloud(view, 0.01, "padded"));
  EXPECT_FALSE(plain == PointCloud(view, 0.02, "padded"));
}

TEST(PointCloud, RejectsWhatIsNoCloud) {
  const std::vector<Vector3d> none, nowhere = {Vector3d::Constant(std::nan(""))}, far = {Vector3d(2e7, 0, 0)},
                                    one = {Vector3d::Zero()};
  EXPECT_THROW(PointCloud(none, 0.1, "c"), InputError);
  EXPECT_THROW(PointCloud(nowhere, 0.1, "c"), InputError);
  EXPECT_THROW(PointCloud(far, 0.1, "c"), InputError);
  for (const double radius : {0.0, -1.0, std::nan(""), 1e8}) EXPECT_THROW(PointCloud(one, radius, "c"), InputError);
  EXPECT_NO_THROW(PointCloud(one, 0.1, "c"));
  const auto cloud = std::make_shared<const PointCloud>(std::span<const Vector3d>(one), 0.1, "c");
  EXPECT_THROW(SsvTree::build({{Shape(cloud), Pose::Identity(), ""}, {Sphere{1}, Pose::Identity(), ""}}, "two"),
               InputError)
      << "the only shape of its object";
}

TEST(CellMap, RejectsWhatIsNoMap) {
  EXPECT_THROW(CellMap({}, 0.1, "m"), InputError);
  EXPECT_THROW(CellMap({{{1, 0, 0}, 1, false}}, 0.1, "m"), InputError);
  EXPECT_THROW(CellMap({{{0, 0, 0}, 17, false}}, 0.1, "m"), InputError);
  for (const double r : {0.0, -0.1, std::nan(""), 1e-13, 400.0}) EXPECT_THROW(CellMap({{}}, r, "m"), InputError);
  EXPECT_NO_THROW(CellMap({{{0, 0, 0}, 16, false}}, 0.1, "m"));
}

}  // namespace
}  // namespace planner_ccd
