#pragma once

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/query/finding.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {

/// Converts a search's result to names, triangles and points in the world frame.
Contact describe_contact(const CollisionWorld& world, EdgeState& edge, const SearchContact& found);

/// The same for a pair with the given names.
Contact describe_contact(const SearchPair& pair, const std::string& name_a, const std::string& name_b, EdgeState& edge,
                         const SearchContact& found);

/// Sets kind and message of a finding with a contact: whether the bodies meet, or only come too near. `nearest`: [m]
/// the least distance found, at time `at`.
void describe_finding(Finding& finding, double nearest, double at, double tolerance);

#pragma GCC visibility push(default)
/// The message of an Undecided finding.
std::string unsettled(const std::optional<LinkPair>& pair);

/// "15.6 mm"
std::string millimetres(double metres);
#pragma GCC visibility pop

}  // namespace planner_ccd
