#include "planner_ccd/papers/van_waveren/plucker_sides.hpp"

namespace planner_ccd::plucker {

Line line_of(const Polyhedron& polyhedron, const PolyhedronEdge& edge) {
  return line_through(polyhedron.vertices[edge.vertices[0]], polyhedron.vertices[edge.vertices[1]]);
}

SideBits::SideBits(const Polyhedron& rays_from, const Polyhedron& edges_of, const Eigen::Vector3d& direction)
    : rays_from_(rays_from), direction_(direction) {
  lines_.reserve(edges_of.edges.size());
  for (const PolyhedronEdge& edge : edges_of.edges) lines_.push_back(line_of(edges_of, edge));
  bits_.assign((2 * rays_from.vertices.size() * lines_.size() + 63) / 64, 0);
}

bool SideBits::negative(int vertex, int edge) {
  const std::size_t at = 2 * (static_cast<std::size_t>(vertex) * lines_.size() + edge);
  std::uint64_t& word = bits_[at / 64];
  const std::uint64_t known = std::uint64_t{1} << (at % 64);
  const std::uint64_t sign = known << 1;
  if (word & known) {
    ++recalled_;
    return word & sign;
  }
  ++computed_;
  const bool result = side(ray(rays_from_.vertices[vertex], direction_), lines_[edge]) < 0.0;
  word |= result ? known | sign : known;
  return result;
}

bool SideBits::through(int vertex, const PolyhedronFace& face) {
  for (int i = 0; i < 3; ++i) {
    if (negative(vertex, face.edges[i]) != face.forward[i]) return false;
  }
  return true;
}

bool SideBits::separated(const PolyhedronEdge& ends, int edge) {
  return negative(ends.vertices[0], edge) != negative(ends.vertices[1], edge);
}

}  // namespace planner_ccd::plucker
