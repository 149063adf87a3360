#pragma once

#include "planner_ccd/geometry/shape.hpp"

namespace planner_ccd::viewer {

/// The triangles drawn for a shape. Meshes, boxes and hulls are exact; round shapes become inscribed polyhedra, at most
/// 2.5e-3 of their radius inside the true surface.
MeshPtr drawn_mesh(const Shape& shape);

}  // namespace planner_ccd::viewer
