#pragma once

#include <cstdint>
#include <vector>

#include "planner_ccd/papers/van_waveren/plucker_polyhedron.hpp"

namespace planner_ccd::plucker {

/// Signs of the side products of vertices' rays with edges, two bits each: known, and negative.
class SideBits {
 public:
  SideBits(const Polyhedron& rays_from, const Polyhedron& edges_of, const Eigen::Vector3d& direction);

  /// Does the ray of `vertex` pass `edge` with a negative side product, that is clockwise about the ray?
  bool negative(int vertex, int edge);

  /// Inside a face seen from its front, against the ray: all edges pass clockwise. An edge shared with a neighbour runs
  /// the other way there, so exactly one of the two has the ray on its inner side, whatever its product's rounding.
  bool through(int vertex, const PolyhedronFace& face);

  /// Different sides for the ends of the edge `ends` of the rays' polyhedron.
  bool separated(const PolyhedronEdge& ends, int edge);

  long long computed() const { return computed_; }
  long long recalled() const { return recalled_; }

 private:
  const Polyhedron& rays_from_;
  Eigen::Vector3d direction_;
  std::vector<Line> lines_;
  std::vector<std::uint64_t> bits_;
  long long computed_ = 0;
  long long recalled_ = 0;
};

Line line_of(const Polyhedron& polyhedron, const PolyhedronEdge& edge);

}  // namespace planner_ccd::plucker
