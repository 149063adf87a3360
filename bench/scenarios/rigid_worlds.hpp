#pragma once

#include <string>
#include <vector>

#include "bench/scenarios/scenario.hpp"

namespace planner_ccd::bench {

std::vector<std::string> rigid_scenarios();

/// Bodies on floating joints, among one another or past one at rest, with motions from a fixed seed in one set "paper".
/// Each body moves along a line and turns about one axis, both at constant speed.
Scenario load_rigid_scenario(const std::string& name, const ScenarioOptions& options);

}  // namespace planner_ccd::bench
