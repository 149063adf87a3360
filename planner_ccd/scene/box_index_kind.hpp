#pragma once

#include <cstdint>

namespace planner_ccd {

/// How a broad phase keeps the boxes of obstacles. All give the same verdicts.
enum class BoxIndexKind : std::uint8_t { Tree, SweepAndPrune };

}  // namespace planner_ccd
