#pragma once

#include <Eigen/Geometry>

#include "planner_ccd/hierarchy/ssv_tree.hpp"
#include "planner_ccd/motion/pair_motion.hpp"

namespace planner_ccd {

/// A box that contains every point of `volume` (a node of A's tree, in A's frame) at all times within `half_width` of the
/// instant of `state`, in B's frame, and `pad` around it: (16) of MATHS.md T11.
[[gnu::visibility("default")]] Eigen::AlignedBox3d swept_box(const Ssv& volume, const PairState& state,
                                                             const PairMotion& motion, double half_width, double pad);

}  // namespace planner_ccd
