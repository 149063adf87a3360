#pragma once

#include <random>
#include <string>
#include <vector>

#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd::test {

/// Random motions of four points, in the families that break collision checkers.
enum class Family {
  UnitCube,    ///< Starts and ends uniform in the unit cube: the experiment of the fastCCD paper.
  SmallMoves,  ///< Starts in the unit cube, displacements of 0.1, 0.01 or 0.001.
  Grazing,     ///< A planted contact on a corner, a border or inside, at 0, 1 or between, shifted by 0 to 1e-4.
  Coplanar,  ///< All motion exactly in one plane: small integers in a tilted one, or reals with a near touch at the start.
  Collinear,   ///< A face, an edge pair or everything on a line, throughout or at one end.
  ZeroLength,  ///< Equal corners, at one end or at both.
  Static,      ///< No relative motion, or none at all.
  Scales,      ///< Sizes of 1e-3 to 1e5, offsets up to 1e5.
  Robot,       ///< Triangles of centimetres half a metre from an axis, turning by up to 0.1 rad.
};

const std::vector<Family>& all_families();
std::string name(Family family);

/// Four points; a vertex and a face, or two edges, depending on how they are read.
using FourPoints = std::array<MovingPoint, 4>;

class LeafDraws {
 public:
  explicit LeafDraws(std::uint64_t seed) : random_(seed) {}

  FourPoints draw(Family family, bool edges);

 private:
  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random_); }
  int integer(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random_); }
  Eigen::Vector3d vector(double radius) {
    return {uniform(-radius, radius), uniform(-radius, radius), uniform(-radius, radius)};
  }
  Eigen::Vector3d in_cube() { return {uniform(0, 1), uniform(0, 1), uniform(0, 1)}; }
  Eigen::Vector3d lattice(int n) { return Eigen::Vector3d(integer(-n, n), integer(-n, n), integer(-n, n)); }

  FourPoints cube();
  FourPoints grazing(bool edges);
  FourPoints coplanar();
  FourPoints flat();
  FourPoints collinear(bool edges);
  FourPoints zero_length(bool edges);
  FourPoints at_rest(bool edges);
  FourPoints scaled(bool edges);
  FourPoints robot(bool edges);

  std::mt19937_64 random_;
};

inline VertexFaceMotion vertex_face(const FourPoints& p) { return {p[0], {p[1], p[2], p[3]}}; }
inline EdgeEdgeMotion edge_edge(const FourPoints& p) { return {{p[0], p[1]}, {p[2], p[3]}}; }

}  // namespace planner_ccd::test
