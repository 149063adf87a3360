#pragma once

#include <cstdint>

namespace planner_ccd {

/// The answer to "do these keep clear of each other on the whole motion?", for a robot or for two triangles.
enum class [[nodiscard]] Verdict : std::uint8_t{
    Free,       ///< Proved: clearance > margin for every t in [0, 1].
    Contact,    ///< Clearance <= margin + tolerance at the witness; proved free before t_free.
    Undecided,  ///< Budget spent, or a number was not finite or too imprecise. A planner must reject the edge.
};

}  // namespace planner_ccd
