#pragma once

#include "planner_ccd/first_look/body_volumes.hpp"
#include "planner_ccd/first_look/look_tables.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// For bodies made of grains, of which there are too many for a volume each. All in the frame of the tree.

/// The box of the centres, widened by the common radius.
BodyVolumes box_of_grains(const SsvTree& tree);

/// Clearances within that box. Their errors are less than 16 u times the sizes of the box, u = 2^-24.
look::Field field_of_grains(const Grains& grains, const RoundVolume& box);

}  // namespace planner_ccd
