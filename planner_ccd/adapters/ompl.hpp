#pragma once

/// All headers of the component planner_ccd::ompl.

#include "planner_ccd/adapters/ompl/state_map.hpp"
#include "planner_ccd/adapters/ompl/state_prover.hpp"
#include "planner_ccd/adapters/ompl/state_space.hpp"
#include "planner_ccd/adapters/ompl/validators.hpp"
