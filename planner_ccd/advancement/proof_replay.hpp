#pragma once

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/advancement/search_problem.hpp"

namespace planner_ccd {

/// Goes through one entry of a proof again, without any search: the gap along its direction at its time, and how far
/// eq. (2) carries it. True when that is the entry's whole interval, to 1e-9 of the step (gaps are rounded otherwise than
/// in the search). What the cost of a search is measured against; the certificate's verifier shares no code with it.
bool replay(const ProofEntry& entry, EdgeState& edge);

}  // namespace planner_ccd
