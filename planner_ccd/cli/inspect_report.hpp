#pragma once

#include <string>

#include "planner_ccd/cli/load.hpp"

namespace planner_ccd::cli {

/// The robot as the JSON object that planner_ccd/cli/README.md documents; keys are only ever added.
std::string inspect_json(const LoadedRobot& robot);

/// The robot as text for people.
std::string inspect_text(const LoadedRobot& robot);

}  // namespace planner_ccd::cli
