#include "planner_ccd/papers/space_time_ccd/space_time_cells.hpp"

#include <algorithm>

namespace planner_ccd::space_time {
namespace {

bool before(const MovingPoint& a, const MovingPoint& b) {
  for (int i = 0; i < 3; ++i) {
    if (a.start[i] != b.start[i]) return a.start[i] < b.start[i];
  }
  for (int i = 0; i < 3; ++i) {
    if (a.end[i] != b.end[i]) return a.end[i] < b.end[i];
  }
  return false;
}

Primitive sorted(const std::array<MovingPoint, 4>& corners, int count_a) {
  Primitive result{corners, count_a, {0, 1, 2, 3}};
  const auto order = [&](int i, int j) { return before(corners[i], corners[j]); };
  std::sort(result.source.begin(), result.source.begin() + count_a, order);
  std::sort(result.source.begin() + count_a, result.source.end(), order);
  for (int k = 0; k < 4; ++k) result.corners[k] = corners[result.source[k]];
  return result;
}

Cells vertex_face_cells(const Corners& start, const Corners& end) {
  const auto early = [&](int i) { return difference(start[i], start[0], 0.0); };
  const auto late = [&](int i) { return difference(end[i], end[0], 1.0); };
  Cells cells;
  cells.simplices[0] = {early(1), early(2), early(3), late(3)};
  cells.simplices[1] = {early(1), early(2), late(2), late(3)};
  cells.simplices[2] = {early(1), late(1), late(2), late(3)};
  cells.count = 3;
  return cells;
}

Cells edge_edge_cells(const Corners& start, const Corners& end) {
  const auto early = [&](int i, int j) { return difference(start[2 + j], start[i], 0.0); };
  const auto late = [&](int i, int j) { return difference(end[2 + j], end[i], 1.0); };
  Cells cells;
  // Both triangles with two corners at the start: a pyramid over the parallelogram of the start, cut in two.
  cells.simplices[0] = {early(0, 0), early(0, 1), early(1, 1), late(1, 1)};
  cells.simplices[1] = {early(0, 0), early(1, 0), early(1, 1), late(1, 1)};
  cells.simplices[2] = {early(0, 0), early(1, 0), late(1, 0), late(1, 1)};
  cells.simplices[3] = {early(0, 0), early(0, 1), late(0, 1), late(1, 1)};
  // Both with two corners at the end.
  cells.simplices[4] = {early(0, 0), late(0, 0), late(0, 1), late(1, 1)};
  cells.simplices[5] = {early(0, 0), late(0, 0), late(1, 0), late(1, 1)};
  cells.count = 6;
  return cells;
}

}  // namespace

Primitive ordered(const VertexFaceMotion& motion) {
  return sorted({motion.vertex, motion.face[0], motion.face[1], motion.face[2]}, 1);
}

Primitive ordered(const EdgeEdgeMotion& motion) {
  return sorted({motion.a[0], motion.a[1], motion.b[0], motion.b[1]}, 2);
}

Cells cells_between(const Corners& start, const Corners& end, int count_a) {
  return count_a == 1 ? vertex_face_cells(start, end) : edge_edge_cells(start, end);
}

}  // namespace planner_ccd::space_time
