#include "planner_ccd/scene/grain_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/scene/single.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

/// Cubes: so many for each grain that building them takes no longer than the tree does, up to kEnough, more only for bodies of
/// which they take a small part of the memory.
constexpr double kCubesPerGrain = 64.0, kFewestCubes = 1 << 12, kEnough = 1 << 21;
constexpr double kMostPerGrain = 4.0, kMostCubes = 1 << 22, kMostInAll = 1 << 26;
constexpr double kMostPieces = 1 << 23;  ///< Of all columns together.
constexpr int kMostAlong =
    256;  ///< Cubes along an axis, as a wish; at most 4/3 kMostCubes in all, so that their numbers are exact in float.
constexpr int kFarthest = 24;       ///< Cubes between two: clearances beyond that count as that.
constexpr double kStepsOfCube = 8;  ///< Bounds are multiples of this part of a cube.
constexpr int kBrick = 4;

/// Cubes of a grid.
class Grid {
 public:
  Grid(const Vector3d& lower, const Vector3d& extent, double edge)
      : lower_(lower), edge_(edge), slack_(8.0 * kFloatRoundoff * (lower.norm() + extent.norm())) {
    for (int k = 0; k < 3; ++k) count_[k] = static_cast<int>(extent[k] / edge) + 1;
    squares_.assign(static_cast<std::size_t>(count_[0]) * count_[1] * count_[2], kFree);
  }

  int count(int axis) const { return count_[axis]; }

  /// Occupies all cubes that the box enters by more than the slack: those that it enters by less touch others.
  void occupy(const Vector3d& lower, const Vector3d& upper) {
    std::array<int, 3> first, last;
    for (int k = 0; k < 3; ++k) {
      const auto cube = [&](double x) {
        return std::clamp(static_cast<int>(std::floor((x - lower_[k]) / edge_)), 0, count_[k] - 1);
      };
      first[k] = cube(std::min(lower[k] + slack_, upper[k]));
      last[k] = std::max(first[k], cube(upper[k] - slack_));
    }
    for (int z = first[2]; z <= last[2]; ++z) {
      for (int y = first[1]; y <= last[1]; ++y) {
        std::int16_t* row = &squares_[at(0, y, z)];
        std::fill(row + first[0], row + last[0] + 1, kOccupied);
      }
    }
  }

  /// The squared distance of each cube from the nearest occupied one, in edges: between cubes d apart along an axis lie d - 1
  /// others. Axis by axis, each takes the least sum.
  void measure() {
    std::vector<int> away(static_cast<std::size_t>(count_[0]));
    for (int z = 0; z < count_[2]; ++z) {
      for (int y = 0; y < count_[1]; ++y) measure_row(&squares_[at(0, y, z)], away);
    }
    std::vector<std::int16_t> before;
    const std::size_t row = static_cast<std::size_t>(count_[0]), plane = row * count_[1];
    for (int z = 0; z < count_[2]; ++z) measure_across(&squares_[at(0, 0, z)], row, count_[1], before);
    measure_across(squares_.data(), plane, count_[2], before);
  }

  int square(int x, int y, int z) const { return squares_[at(x, y, z)]; }

 private:
  static constexpr std::int16_t kFree = kFarthest * kFarthest, kOccupied = -1;

  Vector3d lower_;
  double edge_, slack_;
  std::array<int, 3> count_;
  std::vector<std::int16_t> squares_;  ///< x runs fastest.

  std::size_t at(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * count_[1] + y) * count_[0] + static_cast<std::size_t>(x);
  }

  static void measure_row(std::int16_t* row, std::vector<int>& away) {
    const int count = static_cast<int>(away.size());
    int from = kFarthest + 1;  // the last occupied one
    for (int i = 0; i < count; ++i) away[i] = from = row[i] == kOccupied ? 0 : std::min(from + 1, kFarthest + 1);
    for (int i = count; i-- > 0;) {
      away[i] = from = std::min(from + 1, away[i]);
      const int between = std::max(0, from - 1);
      row[i] = static_cast<std::int16_t>(between * between);
    }
  }

  /// Along an axis on which neighbours are `row` apart: whole rows at a time.
  static void measure_across(std::int16_t* plane, std::size_t row, int count, std::vector<std::int16_t>& before) {
    before.assign(plane, plane + row * static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      std::int16_t* out = plane + row * static_cast<std::size_t>(i);
      for (int d = 1; d <= kFarthest; ++d) {
        const auto between = static_cast<std::int16_t>((d - 1) * (d - 1));
        for (const int other : {i - d, i + d}) {
          if (other < 0 || other >= count) continue;
          const std::int16_t* in = before.data() + row * static_cast<std::size_t>(other);
          for (std::size_t k = 0; k < row; ++k) {
            out[k] = std::min(out[k], static_cast<std::int16_t>(in[k] + between));
          }
        }
      }
    }
  }
};

/// [m] Of the cubes: small enough to be worth while, and large enough to be few.
double edge_of_cubes(const Grains& grains, const Vector3d& extent, double most) {
  most = std::min(most, std::clamp(kMostPerGrain * grains.count(), kEnough, kMostCubes));
  const double wanted = std::max(kFewestCubes, std::min(kCubesPerGrain * grains.count(), most));
  double edge = std::max(extent.maxCoeff() / (kMostAlong - 1), 1e-6);
  const auto count = [&] { return ((extent / edge).array() + 1.0).prod(); };
  while (count() > wanted) edge *= 1.02;
  if (grains.cells() == nullptr || grains.cells()->field() != nullptr) return edge;
  // Cubes that begin where cells do hold no parts of them.
  const double cell = grains.cells()->resolution();
  edge = edge < cell ? cell / std::floor(cell / edge) : cell * std::round(edge / cell);
  while (count() > kMostCubes) edge += cell;
  return edge;
}

/// A long column may lie across the grid: it is occupied in pieces as long as a cube, if there are few columns.
void occupy_cube(const Primitive& p, double edge, double most_pieces, Grid& grid) {
  const auto [x, y, z] = half_edges(p);
  const Vector3d across = y.cwiseAbs() + z.cwiseAbs();
  const bool along_axis = (x.array() != 0.0).count() == 1;
  const int pieces = along_axis ? 1 : static_cast<int>(std::ceil(std::min(2.0 * x.norm() / edge, most_pieces)));
  const Vector3d half = x.cwiseAbs() / pieces + across + Vector3d::Constant(p.radius);
  for (int i = 0; i < pieces; ++i) {
    const Vector3d center = p.corners[0] + (2.0 * i + 1.0 - pieces) / pieces * x;
    grid.occupy(center - half, center + half);
  }
}

}  // namespace

BodyVolumes box_of_grains(const SsvTree& tree) {
  RoundVolume box;
  const Eigen::AlignedBox3d bounds = tree.bounds();
  box.radius = float_up(tree.soup().grains.common_radius());
  box.center = single(Vector3d(bounds.center()));
  for (int k = 0; k < 3; ++k) {
    const double center = box.center[k], radius = tree.soup().grains.common_radius();
    box.half[k] = float_up(std::max({bounds.max()[k] - radius - center, center - bounds.min()[k] - radius, 0.0}));
  }
  return {{box}, true};
}

look::Field field_of_grains(const SsvTree& tree, std::ptrdiff_t bodies) {
  const Grains& grains = tree.soup().grains;
  const RoundVolume box = box_of_grains(tree).volumes.front();
  look::Field field;
  Vector3d lower, extent;
  for (int k = 0; k < 3; ++k) {
    field.lower[k] = float_down(static_cast<double>(box.center[k]) - static_cast<double>(box.half[k]));
    lower[k] = static_cast<double>(field.lower[k]);
    field.extent[k] = float_up(static_cast<double>(box.center[k]) + static_cast<double>(box.half[k]) - lower[k]);
    extent[k] = static_cast<double>(field.extent[k]);
  }
  const double edge = edge_of_cubes(grains, extent, kMostInAll / static_cast<double>(bodies));
  const double most_pieces = std::max(4.0, kMostPieces / grains.count());
  Grid grid(lower, extent, edge);
  for (int i = 0; i < grains.count(); ++i) {
    const Primitive p = grains[i];
    if (p.kind == PrimitiveKind::Cube) {
      occupy_cube(p, edge, most_pieces, grid);
    } else {
      grid.occupy(p.corners[0], p.corners[0]);
    }
  }
  grid.measure();

  field.per_metre = single(1.0 / edge);
  field.unit = float_down(edge / kStepsOfCube);
  std::array<std::size_t, 3> bricks;
  for (int k = 0; k < 3; ++k) {
    field.last[k] = static_cast<float>(grid.count(k) - 1);
    bricks[k] = static_cast<std::size_t>((grid.count(k) + kBrick - 1) / kBrick);
  }
  for (int k = 0; k < 2; ++k) field.bricks[k] = static_cast<float>(bricks[k]);
  constexpr int kInWord = 4, kCubes = kBrick * kBrick * kBrick;
  field.bounds.resize(bricks[0] * bricks[1] * bricks[2] * kCubes / kInWord);
  std::array<std::uint32_t, kFarthest * kFarthest + 1> steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i] = static_cast<std::uint32_t>(kStepsOfCube * std::sqrt(static_cast<double>(i)));
  }
  for (int z = 0; z < grid.count(2); ++z) {
    for (int y = 0; y < grid.count(1); ++y) {
      const std::size_t brick_row = (static_cast<std::size_t>(z / kBrick) * bricks[1] + y / kBrick) * bricks[0];
      for (int x = 0; x < grid.count(0); ++x) {
        const std::size_t cube =
            (brick_row + x / kBrick) * kCubes + (z % kBrick * kBrick + y % kBrick) * kBrick + x % kBrick;
        field.bounds[cube / kInWord] |= steps[grid.square(x, y, z)] << (8 * (cube % kInWord));
      }
    }
  }
  return field;
}

}  // namespace planner_ccd
