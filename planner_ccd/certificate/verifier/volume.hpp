#pragma once

#include "planner_ccd/certificate/verifier/model.hpp"

namespace pccd {

/// Throws Refuted unless the volume holds its primitives; sets Node::reach. Does nothing the second time.
void check_volume(Collider& collider, std::uint32_t node);

/// max over the node's generator (of a primitive: its corners or discs) of g . c, rounded up.
double greatest(const Collider& collider, const Node& node, const Near& g);
/// What is all around the generator. [m]
double radius_of(const Collider& collider, const Node& node);

Near vertex(const Collider& collider, std::uint32_t index);

/// Vertices, one of each connected piece of the collider: where surfaces do not meet, one point tells where all of a piece is.
std::vector<std::uint32_t> pieces_of(const Collider& collider);
/// Whether no closed surface of the collider winds about the point (in its body's frame): proved, or not.
bool outside(const Collider& collider, const Near& point);

}  // namespace pccd
