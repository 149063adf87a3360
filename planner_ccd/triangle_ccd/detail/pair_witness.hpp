#pragma once

#include <optional>

#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd::leaf {

/// Points of two triangles that show a contact. How they were found does not matter: their distance is computed, and
/// rounded up by the error bound of that computation.
struct PairWitness {
  std::array<double, 3> weights_a, weights_b;  ///< Convex.
  Feature feature_a, feature_b;
  Eigen::Vector3d point_a, point_b;  ///< [m], to rounding.
  Eigen::Vector3d normal;            ///< Unit, from A towards B where that is defined.
  double distance;                   ///< [m] Rounded up.
};

/// Where an edge of one triangle passes through the other, which happens somewhere whenever two triangles that are not
/// in one plane overlap. Empty when rounding hides it.
std::optional<PairWitness> piercing_edge(const Triangle& a, const Triangle& b);

/// The nearest points.
PairWitness nearest_points(const Triangle& a, const Triangle& b, const TriangleDistance& nearest);

}  // namespace planner_ccd::leaf
