#pragma once

#include <vector>

#include "planner_ccd/certificate/verifier/motion.hpp"

namespace pccd {

/// Vertices, one of each connected piece of the collider: where surfaces do not meet, one point tells where all of a piece is.
std::vector<std::uint32_t> pieces_of(const Collider& collider);

/// Whether no closed surface of the collider winds about the point (in its body's frame): proved, or not.
bool outside(const Collider& collider, const Near& point);

}  // namespace pccd
