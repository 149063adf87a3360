#pragma once

#include <cstddef>

#include "planner_ccd/hierarchy/ssv_tree.hpp"
#include "planner_ccd/scene/body_volumes.hpp"

namespace planner_ccd {

/// For bodies made of grains, of which there are too many for a volume each. All in the frame of the tree.

/// The box of the centres, widened by the common radius.
BodyVolumes box_of_grains(const SsvTree& tree);

/// Clearances within that box. Grains may enter a cube unnoticed by less than 8 u times the box's distance and size, u = 2^-24, which
/// Volume::grain covers together with the rounding of square_clearance().
/// `bodies`: how many such bodies share the memory.
look::Field field_of_grains(const SsvTree& tree, std::ptrdiff_t bodies = 1);

}  // namespace planner_ccd
