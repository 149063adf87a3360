#pragma once

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/query/finding.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {

/// What a search found, in the words of a user: names, triangles, points in the world frame.
Contact describe_contact(const CollisionWorld& world, EdgeState& edge, const SearchContact& found);

/// The same of a pair with these names.
Contact describe_contact(const SearchPair& pair, const std::string& name_a, const std::string& name_b, EdgeState& edge,
                         const SearchContact& found);

/// Kind and message of a finding that has a contact: whether the two meet, or only come too near. `nearest`: [m] the least distance
/// met, at time `at`.
void describe_finding(Finding& finding, double nearest, double at, double tolerance);

/// Of a finding that is Undecided.
std::string unsettled(const std::optional<LinkPair>& pair);

/// "15.6 mm"
std::string millimetres(double metres);

}  // namespace planner_ccd
