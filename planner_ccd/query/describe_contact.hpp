#pragma once

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {

/// What a search found, in the words of a user: names, triangles, points in the world frame.
Contact describe_contact(const CollisionWorld& world, EdgeState& edge, const SearchContact& found);

}  // namespace planner_ccd
