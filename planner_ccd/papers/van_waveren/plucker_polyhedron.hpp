#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "planner_ccd/geometry/triangle_mesh.hpp"
#include "planner_ccd/triangle_ccd/plucker.hpp"

namespace planner_ccd::plucker {

/// A mesh with what van Waveren's sweeps need of it: shared edges and vertices once each, planes, and flags for what can
/// never be hit.
struct PolyhedronEdge {
  std::array<int, 2> vertices;
  std::array<int, 2> faces{-1, -1};
  /// Its two faces lean towards each other (a valley): no edge of another body can reach it first. A rounding error never
  /// sets it.
  bool internal = false;
};

struct PolyhedronFace {
  std::array<int, 3> vertices;
  std::array<int, 3> edges;
  std::array<bool, 3> forward;  ///< Does edges[i] run counter-clockwise, from vertices[i] to vertices[i + 1]?
  Eigen::Vector3d normal;       ///< Unit, outwards. Zero for a face without area, which is only its edges.
};

struct Polyhedron {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<bool> vertex_internal;  ///< All edges at the vertex are internal.
  std::vector<PolyhedronEdge> edges;
  std::vector<PolyhedronFace> faces;
};

Polyhedron polyhedron_of(const TriangleMesh& mesh);

/// The way out at an edge: w with n . w = 1 for the planes of both faces, so that e w leads to the line in which the planes,
/// moved out by e, meet; no longer than kLongestExpansion. A dangling edge is expanded in its polygon's plane, away from
/// it. Zero when there is no face with area.
Eigen::Vector3d outward_at(const Polyhedron& polyhedron, const PolyhedronEdge& edge);

inline constexpr double kLongestExpansion = 4.0;

}  // namespace planner_ccd::plucker
