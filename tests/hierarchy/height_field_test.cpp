#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "hierarchy/grains.hpp"
#include "planner_ccd/geometry/height_field.hpp"
#include "planner_ccd/math/error.hpp"
#include "support/scale.hpp"

/// Height fields, compared with brute force over all columns in extended precision, made from the heights alone.
namespace planner_ccd {
namespace {

using namespace grains;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

struct Field {
  std::vector<double> heights;
  int columns = 0;
  HeightFieldOptions options;

  double at(int row, int column) const { return heights[static_cast<std::size_t>(row * columns + column)]; }
  int rows() const { return static_cast<int>(heights.size()) / columns; }
  CellsPtr cells() const {
    return std::make_shared<const CellMap>(
        make_height_field(heights, static_cast<std::size_t>(columns), options, "field"), "field");
  }
  /// Calls take(row, column, lowest corner, highest corner) for every square that is an obstacle.
  template <typename Take>
  void for_each_column(const Take& take) const {
    for (int row = 0; row + 1 < rows(); ++row) {
      for (int column = 0; column + 1 < columns; ++column) {
        Real upper = -1e9L;
        bool missing = false;
        for (const double h : {at(row, column), at(row + 1, column), at(row, column + 1), at(row + 1, column + 1)}) {
          missing = missing || !std::isfinite(h);
          upper = std::max<Real>(upper, h);
        }
        if (missing && options.unknown_is_free) continue;
        const Real p = options.pixel;
        take(row, column, Vec(column * p, row * p, *options.floor),
             Vec((column + 1) * p, (row + 1) * p, missing ? static_cast<Real>(*options.top) : upper));
      }
    }
  }
};

Field random_field(Source& source, int rows, int columns, bool single_precision) {
  Field field;
  field.columns = columns;
  field.options = {.pixel = source.uniform(0.005, 0.1), .floor = -0.5 - source.uniform(0.0, 0.5), .top = 1.0};
  field.options.unknown_is_free = source.integer(0, 1) == 0;
  for (int i = 0; i < rows * columns; ++i) {
    const double h = source.uniform(-0.3, 0.3);
    field.heights.push_back(single_precision ? static_cast<double>(static_cast<float>(h)) : h);
    if (source.integer(0, 40) == 0) field.heights.back() = source.integer(0, 1) == 0 ? kNan : kInfinity;
  }
  return field;
}

TEST(HeightField, VolumesHoldTheColumns) {
  Source source{std::mt19937(testing::seeded(31))};
  for (const int side : {2, 3, 5, 20, 60, 150}) {
    SCOPED_TRACE(side);
    Field field = random_field(source, side, side + 1, false);
    for (double& h : field.heights) h = std::isfinite(h) ? h : 0.0;
    expect_enclosed(tree_of(field.cells()));
    expect_enclosed(tree_of(field.cells(), source.pose(1000.0)));
    field.options.floor = -30.0;  // much longer than they are wide
    expect_enclosed(tree_of(field.cells(), source.pose(3.0)));
  }
}

/// Every primitive is its column: it holds the corners, and its own lie within a rounding to single precision.
TEST(HeightField, PrimitivesAreTheColumns) {
  Source source{std::mt19937(testing::seeded(32))};
  int columns = 0, unknown = 0;
  for (int i = 0; i < testing::scaled(100, 20); ++i) {
    const bool single = i % 2 == 0;
    const Field field = random_field(source, source.integer(2, 9), source.integer(2, 9), single);
    CellsPtr cells;
    try {
      cells = field.cells();
    } catch (const InputError&) {
      continue;  // all are missing
    }
    const Isometry3d X = i % 3 == 1 ? Isometry3d::Identity() : source.pose(i % 3 == 0 ? 1e4 : 2.0);
    const SsvTree tree = tree_of(cells, X);
    const Real placing = i % 3 == 1 ? 0 : 1e-15L * X.translation().lpNorm<1>();  // the centre as placed is the model
    int count = 0;
    field.for_each_column([&](int row, int column, const Vec& lo, const Vec& hi) {
      const int index = cells->find(row * field.columns + column);
      ASSERT_GE(index, 0);
      ++count;
      unknown += cells->unknown(index);
      const Primitive p = tree.primitive(index);
      ASSERT_EQ(p.triangle, row * field.columns + column);
      const std::array<Vector3d, 3> half = half_edges(p);
      for (int corner = 0; corner < 8; ++corner) {
        const Vec given =
            placed(X, Vec(corner & 1 ? hi[0] : lo[0], corner & 2 ? hi[1] : lo[1], corner & 4 ? hi[2] : lo[2]));
        const Vec from = given - p.corners[0].cast<Real>();
        Real outside = 0;
        for (const Vector3d& h : half) {
          const Vec axis = h.cast<Real>().normalized();
          const Real off = std::abs(axis.dot(from)) - h.cast<Real>().norm();
          outside += std::pow(std::max<Real>(off, 0), 2);
          ASSERT_GE(off, single ? -1e-11L : -1e-7L) << "no larger than the column";
        }
        ASSERT_LE(std::sqrt(outside), static_cast<Real>(p.radius) + placing);
        ASSERT_LE(p.radius, 1e-11);
      }
    });
    ASSERT_EQ(count, cells->size());
    columns += count;
  }
  std::printf("seed 32: %d columns, %d unknown\n", columns, unknown);
  EXPECT_GE(columns, 300);
  EXPECT_GE(unknown, columns / 100);
}

TEST(HeightField, DistancesAreThoseOfAllColumns) {
  Source source{std::mt19937(testing::seeded(33))};
  int apart = 0, near = 0;
  const int count = testing::scaled(300, 60);
  for (int i = 0; i < count; ++i) {
    Field field = random_field(source, source.integer(2, 30), source.integer(2, 30), true);
    field.heights[0] = field.heights[1] = field.heights[static_cast<std::size_t>(field.columns)] =
        field.heights[static_cast<std::size_t>(field.columns) + 1] = 0.125;
    const CellsPtr cells = field.cells();
    const SsvTree tree = tree_of(cells);
    const double radius = source.uniform(0.001, 0.2);
    const SsvTree ball = SsvTree::build({{Sphere{radius}, Pose::Identity(), "ball"}}, "ball");
    const Isometry3d X_A = source.pose(2.0);
    Isometry3d X_B = source.pose(2.0);
    if (i % 2 == 0) {
      const int column = source.integer(0, cells->size() - 1);
      X_B.translation() = X_A * Vector3d(cells->center(column) + cells->half_edges(column) + source.vector(0.3));
    }
    const Vec c = unplaced(X_A, X_B.translation().cast<Real>());
    Real truth = std::numeric_limits<Real>::infinity();
    field.for_each_column([&](int, int, const Vec& lo, const Vec& hi) {
      truth = std::min(truth, (c - c.cwiseMax(lo).cwiseMin(hi)).norm() - static_cast<Real>(radius));
    });
    truth = std::max<Real>(truth, 0);
    (truth > 0 ? apart : near)++;
    expect_distance({tree, X_A}, {ball, X_B}, truth, "draw " + std::to_string(i));
  }
  std::printf("seed 33: %d apart, %d touching\n", apart, near);
  EXPECT_GE(apart, count / 10);
  EXPECT_GE(near, count / 20);
}

TEST(HeightField, EndsBelowAndAboveByTheLongerSideUnlessTold) {
  const std::vector<double> heights{0.1, 0.2, kNan, 0.1, 0.3, 0.4};
  const HeightField field = make_height_field(heights, 3, {.pixel = 0.5}, "f");
  EXPECT_DOUBLE_EQ(field.floor, 0.1 - 1.0);
  EXPECT_DOUBLE_EQ(field.top, 0.4 + 1.0);
  ASSERT_EQ(field.columns.size(), 2u);
  EXPECT_GE(static_cast<double>(field.columns[0].height), 0.3);
  EXPECT_NEAR(static_cast<double>(field.columns[0].height), 0.3, 1e-7);
  EXPECT_TRUE(std::isinf(field.columns[1].height));
  const HeightField free = make_height_field(heights, 3, {.pixel = 0.5, .unknown_is_free = true}, "f");
  EXPECT_EQ(free.columns.size(), 1u);
  EXPECT_EQ(free.left_out, 1);
}

TEST(HeightField, RejectsWhatIsNone) {
  const std::vector<double> good{0.0, 0.1, 0.2, 0.3}, none(4, kNan), far{0.0, 0.0, 0.0, 2e7};
  const auto make = [](const std::vector<double>& heights, std::size_t row, const HeightFieldOptions& options) {
    return CellMap(make_height_field(heights, row, options, "f"), "f");
  };
  EXPECT_NO_THROW(make(good, 2, {.pixel = 0.1}));
  EXPECT_NO_THROW(make(good, 2, {.pixel = 0.1, .floor = -0.1, .top = 0.3}));
  for (const double pixel : {0.0, -0.1, kNan, 1e-9, 1e7}) EXPECT_THROW(make(good, 2, {.pixel = pixel}), InputError);
  for (const std::size_t row : {0u, 1u, 3u, 4u, 5u}) EXPECT_THROW(make(good, row, {.pixel = 0.1}), InputError);
  EXPECT_THROW(make({}, 2, {.pixel = 0.1}), InputError);
  EXPECT_THROW(make(none, 2, {.pixel = 0.1}), InputError);
  EXPECT_THROW(make(none, 2, {.pixel = 0.1, .floor = -1.0, .top = 1.0}), InputError);
  EXPECT_THROW(make(far, 2, {.pixel = 0.1}), InputError);
  for (const double floor : {0.0, -0.09, kNan, -2e7}) {
    EXPECT_THROW(make(good, 2, {.pixel = 0.1, .floor = floor}), InputError) << floor;
  }
  for (const double top : {0.29, kNan, 2e7, -kInfinity}) {
    EXPECT_THROW(make(good, 2, {.pixel = 0.1, .top = top}), InputError) << top;
  }
  const std::vector<double> missing{0.0, kNan, 0.2, 0.3};
  EXPECT_EQ(make(missing, 2, {.pixel = 0.1}).unknown_count(), 1);
  EXPECT_THROW(make(missing, 2, {.pixel = 0.1, .unknown_is_free = true}), InputError) << "nothing is left";
  HeightField stored = make_height_field(good, 2, {.pixel = 0.1}, "f");
  stored.floor = 0.3;
  EXPECT_THROW(CellMap(stored, "f"), InputError);
}

TEST(HeightField, AQuarterOfAMillionColumnsTakeLittleMemory) {
  std::vector<double> heights(512 * 512);
  for (std::size_t i = 0; i < heights.size(); ++i) heights[i] = 0.1 * std::sin(0.01 * static_cast<double>(i % 512));
  const auto cells =
      std::make_shared<const CellMap>(make_height_field(heights, 512, {.pixel = 0.002}, "field"), "field");
  const SsvTree tree = tree_of(cells);
  const double bytes = 8.0 + static_cast<double>(tree.memory()) / cells->size();
  std::printf("%.1f bytes a column\n", bytes);
  EXPECT_LE(bytes, 80.0);
}

}  // namespace
}  // namespace planner_ccd
