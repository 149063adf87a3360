#include "planner_ccd/viewer/mesh_packing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <unordered_map>

namespace planner_ccd::viewer {
namespace {

using GridPoint = std::array<std::int32_t, 3>;
using Corners = std::array<int, 3>;

struct GridPointHash {
  std::size_t operator()(const GridPoint& p) const {
    std::uint64_t h = 0;
    for (const std::int32_t x : p) h = (h ^ static_cast<std::uint32_t>(x)) * 0x9E3779B97F4A7C15ull;
    return static_cast<std::size_t>(h ^ (h >> 29));
  }
};

struct GridMesh {
  std::vector<GridPoint> points;
  std::vector<Corners> triangles;
};

GridMesh on_grid(const TriangleMesh& mesh, const Eigen::Vector3d& origin, double step) {
  GridMesh grid;
  std::unordered_map<GridPoint, int, GridPointHash> seen;
  std::vector<int> renamed;
  renamed.reserve(mesh.vertices.size());
  for (const Eigen::Vector3d& v : mesh.vertices) {
    GridPoint p;
    for (int i = 0; i < 3; ++i) p[i] = static_cast<std::int32_t>(std::lround((v[i] - origin[i]) / step));
    const auto [entry, is_new] = seen.emplace(p, static_cast<int>(grid.points.size()));
    if (is_new) grid.points.push_back(p);
    renamed.push_back(entry->second);
  }
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const Corners c = {renamed[t[0]], renamed[t[1]], renamed[t[2]]};
    if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0]) grid.triangles.push_back(c);
  }
  return grid;
}

/// For each side of each triangle (3 t + i, from corner i to the next) a triangle on its other side, or -1.
std::vector<int> neighbours(const GridMesh& grid) {
  struct Side {
    int low, high, side;
  };
  std::vector<Side> sides;
  sides.reserve(3 * grid.triangles.size());
  for (std::size_t t = 0; t < grid.triangles.size(); ++t) {
    for (int i = 0; i < 3; ++i) {
      const int a = grid.triangles[t][i], b = grid.triangles[t][(i + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), static_cast<int>(3 * t) + i});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
    return std::tie(x.low, x.high, x.side) < std::tie(y.low, y.high, y.side);
  });
  std::vector<int> across(sides.size(), -1);
  for (std::size_t i = 1; i < sides.size(); ++i) {
    if (sides[i - 1].low != sides[i].low || sides[i - 1].high != sides[i].high) continue;
    across[sides[i - 1].side] = sides[i].side / 3;
    across[sides[i].side] = sides[i - 1].side / 3;
  }
  return across;
}

/// Depth-first over shared sides: long runs in which each triangle shares a side with the previous one.
std::vector<int> walk(const GridMesh& grid) {
  const std::vector<int> across = neighbours(grid);
  std::vector<int> order, stack;
  std::vector<bool> visited(grid.triangles.size(), false);
  for (std::size_t seed = 0; seed < grid.triangles.size(); ++seed) {
    stack.push_back(static_cast<int>(seed));
    while (!stack.empty()) {
      const int t = stack.back();
      stack.pop_back();
      if (visited[t]) continue;
      visited[t] = true;
      order.push_back(t);
      for (int i = 0; i < 3; ++i) {
        const int other = across[3 * t + i];
        if (other >= 0 && !visited[other]) stack.push_back(other);
      }
    }
  }
  return order;
}

/// Rotates the triangle's corners until the new ones come last.
Corners new_corners_last(const Corners& c, const std::vector<int>& number) {
  for (int turn = 0; turn < 3; ++turn) {
    const Corners r = {c[turn], c[(turn + 1) % 3], c[(turn + 2) % 3]};
    const auto is_new = [&](int i) { return number[r[i]] < 0; };
    if ((!is_new(0) || is_new(1)) && (!is_new(1) || is_new(2))) return r;
  }
  return c;
}

void append_planes(std::string& bytes, const std::vector<std::uint32_t>& numbers, int planes) {
  for (int plane = 0; plane < planes; ++plane) {
    for (const std::uint32_t n : numbers) bytes.push_back(static_cast<char>((n >> (8 * plane)) & 0xFFu));
  }
}

int planes_for(const std::vector<std::uint32_t>& numbers) {
  std::uint32_t all = 0;
  for (const std::uint32_t n : numbers) all |= n;
  return all < (1u << 8) ? 1 : all < (1u << 16) ? 2 : all < (1u << 24) ? 3 : 4;
}

/// The corner codes and the residuals of PackedMesh, written triangle by triangle.
class Coder {
 public:
  explicit Coder(const GridMesh& grid) : grid_(grid), number_(grid.points.size(), -1) {}

  void add(const Corners& triangle) {
    const Corners c = new_corners_last(triangle, number_);
    for (int i = 0; i < 3; ++i) {
      if (number_[c[i]] >= 0) {
        codes.push_back(static_cast<std::uint32_t>(next_ - number_[c[i]]));
        continue;
      }
      codes.push_back(0);
      const GridPoint predicted = predict(c, i);
      for (int axis = 0; axis < 3; ++axis) {
        const std::int32_t d = grid_.points[c[i]][axis] - predicted[axis];
        residuals[axis].push_back((static_cast<std::uint32_t>(d) << 1) ^ static_cast<std::uint32_t>(d >> 31));
      }
      number_[c[i]] = next_++;
      newest_ = grid_.points[c[i]];
    }
    previous_ = c;
  }

  std::vector<std::uint32_t> codes;
  std::array<std::vector<std::uint32_t>, 3> residuals;

 private:
  const GridMesh& grid_;
  std::vector<int> number_;  // in the order of first use; -1: not used yet
  int next_ = 0;
  GridPoint newest_{0, 0, 0};
  Corners previous_{-1, -1, -1};

  GridPoint predict(const Corners& c, int i) const {
    if (i == 2) {
      for (int k = 0; k < 3; ++k) {  // the previous triangle has the edge c[1] -> c[0], in either direction
        const int a = previous_[k], b = previous_[(k + 1) % 3], opposite = previous_[(k + 2) % 3];
        if (!((a == c[1] && b == c[0]) || (a == c[0] && b == c[1]))) continue;
        GridPoint p;
        for (int axis = 0; axis < 3; ++axis) {
          p[axis] = grid_.points[c[0]][axis] + grid_.points[c[1]][axis] - grid_.points[opposite][axis];
        }
        return p;
      }
    }
    return i > 0 ? grid_.points[c[i - 1]] : newest_;
  }
};

}  // namespace

double grid_step(double extent) { return std::max(extent * 0x1p-24, std::min(extent * 0x1p-16, 2e-5)); }

PackedMesh pack(const TriangleMesh& mesh) {
  PackedMesh packed;
  Eigen::Vector3d low = mesh.vertices.front(), high = low;
  for (const Eigen::Vector3d& v : mesh.vertices) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  const double extent = (high - low).maxCoeff();
  packed.origin = low;
  packed.step = extent > 0.0 ? grid_step(extent) : 1.0;
  const GridMesh grid = on_grid(mesh, packed.origin, packed.step);
  Coder coder(grid);
  for (const int t : walk(grid)) coder.add(grid.triangles[t]);
  packed.vertices = static_cast<std::uint32_t>(coder.residuals[0].size());
  packed.triangles = static_cast<std::uint32_t>(grid.triangles.size());
  packed.index_bytes = planes_for(coder.codes);
  for (const auto& axis : coder.residuals) packed.position_bytes = std::max(packed.position_bytes, planes_for(axis));
  append_planes(packed.bytes, coder.codes, packed.index_bytes);
  for (const auto& axis : coder.residuals) append_planes(packed.bytes, axis, packed.position_bytes);
  return packed;
}

}  // namespace planner_ccd::viewer
