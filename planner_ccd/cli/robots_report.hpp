#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "planner_ccd/cli/robots.hpp"

namespace planner_ccd::cli {

/// The robots in a model: prefix, file, name, base.
nlohmann::ordered_json robots_json(const std::vector<RobotPart>& robots);

}  // namespace planner_ccd::cli
