#pragma once

#include <Eigen/Core>
#include <vector>

#include "planner_ccd/geometry/triangle_mesh.hpp"

namespace planner_ccd {

/// Appends the triangles of a polygon whose corners are indices into mesh.vertices (already checked): always
/// corners.size() - 2 of them, none for fewer than three corners.
///
/// A convex polygon becomes a fan; a concave one is cut ear by ear in the plane of its Newell normal, because a fan
/// would also cover what lies outside of it. Where no ear is left (self-crossing or degenerate outlines) the rest
/// becomes a fan, which covers at least the polygon: a false contact there is possible, a missed one is not.
void append_polygon(TriangleMesh& mesh, std::vector<int> corners);

/// Appends the segments of a polyline, each as a triangle (a, b, b) without area: wires in a file are obstacles too.
void append_polyline(TriangleMesh& mesh, const std::vector<int>& corners);

}  // namespace planner_ccd
