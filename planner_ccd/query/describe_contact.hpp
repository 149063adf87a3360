#pragma once

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {

/// Converts a search's result to names, triangles and points in the world frame.
[[gnu::visibility("default")]] Contact describe_contact(const CollisionWorld& world, EdgeState& edge,
                                                        const SearchContact& found);

/// The same for a pair with the given names.
Contact describe_contact(const SearchPair& pair, const std::string& name_a, const std::string& name_b, EdgeState& edge,
                         const SearchContact& found);

}  // namespace planner_ccd
