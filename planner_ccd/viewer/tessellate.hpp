#pragma once

#include "planner_ccd/geometry/shape.hpp"

namespace planner_ccd::viewer {

/// The triangles that stand for a shape in a picture. Meshes, boxes and hulls are what they are; round shapes are
/// inscribed polyhedra, at most 2.5e-3 of their radius inside of the true surface.
MeshPtr drawn_mesh(const Shape& shape);

}  // namespace planner_ccd::viewer
