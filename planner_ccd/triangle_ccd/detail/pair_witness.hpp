#pragma once

#include <optional>

#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd::leaf {

/// Points of two triangles that show a contact. Nothing about how they were found is trusted: their distance is computed, and
/// rounded up by what its own computation may have lost.
struct PairWitness {
  std::array<double, 3> weights_a, weights_b;  ///< Convex.
  Feature feature_a, feature_b;
  Eigen::Vector3d point_a, point_b;  ///< [m], to rounding.
  Eigen::Vector3d normal;            ///< Unit, from A towards B where that is defined.
  double distance;                   ///< [m] Rounded up.
};

/// Where an edge of one triangle goes through the other, which happens somewhere when two triangles that are not in one plane
/// overlap. None when rounding hides it.
std::optional<PairWitness> piercing_edge(const Triangle& a, const Triangle& b);

/// The nearest points.
PairWitness nearest_points(const Triangle& a, const Triangle& b, const TriangleDistance& nearest);

}  // namespace planner_ccd::leaf
