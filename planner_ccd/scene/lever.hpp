#pragma once

#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// [m] No point of the body is farther from its origin, and no corner of a volume of its tree, which may be: bounds of
/// accelerations are needed for these (certified_span, swept_box).
[[gnu::visibility("default")]] double lever_of(const SsvTree& tree);

}  // namespace planner_ccd
