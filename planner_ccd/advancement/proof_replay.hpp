#pragma once

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/advancement/search_problem.hpp"

namespace planner_ccd {

/// Replays one entry of a proof without any search: the gap along its direction at its time, and how far eq. (2)
/// carries it. True when that covers the entry's whole interval, to 1e-9 of the step (gaps are rounded differently in
/// the search). Used to measure the cost of a search; the certificate's verifier shares no code with it.
bool replay(const ProofEntry& entry, EdgeState& edge);

}  // namespace planner_ccd
