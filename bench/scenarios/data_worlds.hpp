#pragma once

#include <string>

#include "bench/scenarios/scenario.hpp"

namespace planner_ccd::bench {

/// A world of the shared data in folder `data`.
World data_world(const std::string& name, const std::string& data);

}  // namespace planner_ccd::bench
