#pragma once

#include <string>
#include <vector>

#include "planner_ccd/geometry/shape.hpp"
#include "support/oracle_math.hpp"

namespace planner_ccd::truth {

/// Distance of two triangles, 0 when they share a point; corners may coincide (segments, points). All features are
/// tried: 6 vertex-face, 9 edge-edge, 6 edge-through-face.
Real triangle_distance(const Vec (&a)[3], const Vec (&b)[3]);
double triangle_distance(const Vector<double> (&a)[3], const Vector<double> (&b)[3]);

/// A triangle (or segment, or point) with a radius.
struct Piece {
  Vec corner[3];
  Real radius = 0;
  int shell = -1;  ///< Connected closed surface it belongs to; -1: open.
};

/// The pieces of two bodies that were closest last time: tried first next time.
struct Hint {
  int a = 0, b = 0;
};

/// The geometry of one link or object, in the frame of the link or of the world, with a tree of boxes to find near
/// pieces quickly. A cylinder is the inscribed prism of kSides sides: all of it is inside the true solid.
class Body {
 public:
  static constexpr int kSides = 128;

  Body(std::string name, int link, const std::vector<Geometry>& geometry, const Eigen::Isometry3d& pose);

  std::string name;
  int link;  ///< -1: in the world frame.
  std::vector<Piece> pieces;
  Real reach = 0;           ///< Bounds the distance of all points from the frame's origin.
  Real cylinder_error = 0;  ///< Greatest distance of the prisms' surfaces inside the cylinders'.
  bool grains = false;      ///< Points of a cloud or cells of a map: solid, though contacts number them.

  struct Node {
    double center[3], half[3];
    int left = -1, right = -1;  ///< -1 at leaves.
    int first = 0, count = 0;
  };
  std::vector<Node> nodes;

  /// Whether p is inside a closed surface, by solid angles.
  bool encloses(const Vec& p) const;
  /// One corner of every connected surface.
  std::vector<Vec> samples;

 private:
  std::vector<double> balls_;  ///< For each piece: centre and radius, 4 numbers.
  struct Plane {
    Eigen::Vector3d normal, point;  ///< Normal 0: a degenerate triangle, to be ignored.
  };
  std::vector<Plane> planes_;
  std::vector<Eigen::Vector3d> corners_;
  int shells_ = 0;

  void add(const Geometry& geometry, const Mat4& X);
  void add_triangles(const std::vector<Vec>& vertices, const std::vector<int>& corners);
  int build(int begin, int end);

  friend class DistanceSearch;
};

/// Least distance of A (placed by X_BA) and B. Exact when below `exact_below`; otherwise at most the value returned and
/// at least 0.6 times that.
Real distance(const Body& a, const Body& b, const Mat4& X_BA, Real exact_below, Hint& hint);

/// True if a surface of one lies inside a closed surface of the other.
bool nested(const Body& a, const Body& b, const Mat4& X_BA);

}  // namespace planner_ccd::truth
