#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// A convex part of a body: within `radius` of the hull of the points, or the cylinder between two of them.
struct CoverPiece {
  Eigen::Vector3d point[4];
  int count;
  double radius;
  bool cylinder;

  Eigen::Vector3d middle() const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (int i = 0; i < count; ++i) sum += point[i];
    return sum / count;
  }
  /// Bounds the distance of the piece's points from c, up to rounding.
  double reach(const Eigen::Vector3d& c) const {
    double most = 0.0;
    if (!cylinder) {
      for (int i = 0; i < count; ++i) most = std::max(most, (point[i] - c).squaredNorm());
      return std::sqrt(most) + radius;
    }
    const Eigen::Vector3d axis = (point[1] - point[0]).normalized();
    for (int i = 0; i < 2; ++i) {
      const Eigen::Vector3d d = point[i] - c;
      const double along = d.dot(axis), across = (d - along * axis).norm() + radius;
      most = std::max(most, along * along + across * across);
    }
    return std::sqrt(most);
  }
};

/// Together they contain the body: its primitives, cut into small parts, or volumes of its tree if there are many.
std::vector<CoverPiece> cover_pieces(const SsvTree& tree);

/// Whether these are its primitives.
bool are_primitives(const SsvTree& tree);

}  // namespace planner_ccd
