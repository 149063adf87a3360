#include "planner_ccd/geometry/scans.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

#include "planner_ccd/math/error.hpp"
#include "support/scale.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;
using Real = long double;

Vector3f random_point(std::mt19937& rng) {
  std::uniform_real_distribution<float> uniform(-3.0f, 3.0f);
  Vector3f p = Vector3f::Zero();
  for (int k = 0; k < 3; ++k) p[k] = uniform(rng);
  return p;
}

void expect_points(const Cloud& cloud, const std::vector<Vector3f>& points) {
  ASSERT_EQ(cloud.balls.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_EQ(cloud.balls[i].pose.translation(), points[i].cast<double>()) << i;
    ASSERT_EQ(cloud.balls[i].pose.linear(), Eigen::Matrix3d::Identity());
    ASSERT_EQ(std::get<Sphere>(cloud.balls[i].shape).radius, 0.01);
    ASSERT_EQ(cloud.balls[i].source, "point " + std::to_string(i));
  }
}

TEST(Clouds, PointsAreTakenAsTheyAreFromAnywhere) {
  std::mt19937 rng(2);
  struct Padded {
    char flag;
    float intensity, z, gap, y, gap2, x;
  };
  std::vector<Vector3f> points;
  std::vector<Vector3d> doubles;
  std::vector<Padded> padded;
  for (int i = 0; i < 500; ++i) {
    points.push_back(random_point(rng));
    doubles.push_back(points.back().cast<double>());
    padded.push_back({'a', 0.f, points.back().z(), 0.f, points.back().y(), 0.f, points.back().x()});
  }
  expect_points(balls_at(points, 0.01, "plain"), points);
  expect_points(balls_at(doubles, 0.01, "doubles"), points);
  std::vector<char> bytes(1 + padded.size() * sizeof(Padded));  // not aligned, coordinates backwards
  std::memcpy(bytes.data() + 1, padded.data(), padded.size() * sizeof(Padded));
  PointView view;
  view.first = bytes.data() + 1 + offsetof(Padded, x);
  view.count = padded.size();
  view.point_step = sizeof(Padded);
  view.coordinate_step =
      static_cast<std::ptrdiff_t>(offsetof(Padded, y)) - static_cast<std::ptrdiff_t>(offsetof(Padded, x));
  expect_points(balls_at(view, 0.01, "padded"), points);
}

TEST(Clouds, WhatIsNotFiniteIsLeftOutAndCounted) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const std::vector<Vector3d> points = {{nan, 0, 0}, {1, 2, 3}, {0, -inf, 0}, {4, 5, 6}};
  const Cloud cloud = balls_at(points, 0.1, "c");
  EXPECT_EQ(cloud.left_out, 2u);
  ASSERT_EQ(cloud.balls.size(), 2u);
  EXPECT_EQ(cloud.balls[1].source, "point 3");
  EXPECT_EQ(cloud.balls[1].pose.translation(), Vector3d(4, 5, 6));
}

TEST(Clouds, WhatIsNoCloudIsBadInput) {
  const std::vector<Vector3d> none, nowhere = {Vector3d::Constant(std::nan(""))}, far = {Vector3d(2e7, 0, 0)},
                                    one = {Vector3d::Zero()};
  EXPECT_THROW(balls_at(none, 0.1, "c"), InputError);
  EXPECT_THROW(balls_at(nowhere, 0.1, "c"), InputError);
  EXPECT_THROW(balls_at(far, 0.1, "c"), InputError);
  for (const double radius : {0.0, -1.0, std::nan(""), 1e8}) EXPECT_THROW(balls_at(one, radius, "c"), InputError);
  EXPECT_THROW(balls_at(std::vector<Vector3d>(kMostScanShapes + 1, Vector3d::Zero()), 0.1, "c"), InputError);
  EXPECT_NO_THROW(balls_at(one, 0.1, "c"));
}

/// Every corner of the box as placed, rounded as PrimitiveSoup rounds it, is a corner of the cell or outside of it.
TEST(Cells, BoxesHoldTheCellsOfTheWholeNumbers) {
  std::mt19937 rng(testing::seeded(4));
  std::printf("seed 4\n");
  int exact = 0, wider = 0;
  for (const double resolution : {0.05, 0.1, 1.0 / 3.0, 0.25, 0.0712345}) {
    std::vector<OctreeCell> cells(2000);
    for (OctreeCell& c : cells) {
      c.level = static_cast<std::uint8_t>(rng() % 4 == 0 ? rng() % 17 : rng() % 3);
      c.unknown = rng() % 2 == 0;
      for (std::uint16_t& k : c.key) k = static_cast<std::uint16_t>((rng() & 0xFFFFu) >> c.level << c.level);
    }
    const std::vector<Geometry> boxes = cubes_of(cells, resolution, "map");
    ASSERT_EQ(boxes.size(), cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Vector3d size = std::get<Box>(boxes[i].shape).size;
      EXPECT_EQ(boxes[i].source, cells[i].unknown ? "unknown cell" : "occupied cell");
      for (int k = 0; k < 3; ++k) {
        // Of 16 + 53 bits: the whole numbers times the resolution, in two parts.
        const double whole = static_cast<double>(cells[i].key[static_cast<std::size_t>(k)]) - OctreeCell::kMiddle;
        const double edge = std::ldexp(1.0, cells[i].level);
        const auto part = [&](double faces, Real placed) {  // placed - faces * resolution
          const double product = faces * resolution, lost = std::fma(faces, resolution, -product);
          return placed - static_cast<Real>(product) - static_cast<Real>(lost);
        };
        const double center = boxes[i].pose.translation()[k], half = 0.5 * size[k];
        const Real low = part(whole, static_cast<Real>(center - half));
        const Real high = part(whole + edge, static_cast<Real>(center + half));
        ASSERT_LE(low, 0) << resolution << " cell " << i;
        ASSERT_GE(high, 0) << resolution << " cell " << i;
        ASSERT_LE(std::max(-low, high), 1e-11L);
        (low == 0 && high == 0 ? exact : wider)++;
        if (resolution == 0.25) {
          EXPECT_TRUE(low == 0 && high == 0);
        }
      }
    }
  }
  EXPECT_GT(exact, 1000);
  EXPECT_GT(wider, 1000);
}

TEST(Cells, WhatIsNoMapIsBadInput) {
  const std::vector<OctreeCell> none, one(1), askew = {{{1, 0, 0}, 1, false}}, deep = {{{0, 0, 0}, 17, false}};
  EXPECT_THROW(cubes_of(none, 0.1, "m"), InputError);
  EXPECT_THROW(cubes_of(askew, 0.1, "m"), InputError);
  EXPECT_THROW(cubes_of(deep, 0.1, "m"), InputError);
  for (const double r : {0.0, -0.1, std::nan(""), 1e-13, 400.0}) EXPECT_THROW(cubes_of(one, r, "m"), InputError);
  EXPECT_THROW(cubes_of(std::vector<OctreeCell>(kMostScanShapes + 1), 0.1, "m"), InputError);
  EXPECT_NO_THROW(cubes_of(one, 0.1, "m"));
}

}  // namespace
}  // namespace planner_ccd
