#pragma once

#include <optional>
#include <string>

#include "planner_ccd/cli/robots.hpp"
#include "planner_ccd/query/suggest_pairs.hpp"

namespace planner_ccd::cli {

/// What --suggest found and how it was asked.
struct SuggestReport {
  SuggestOptions options;
  PairSuggestions found;
};

/// The robot as the JSON object that planner_ccd/cli/README.md documents; keys are only ever added. `checker` is of the robot
/// alone.
std::string inspect_json(const LoadedRobot& robot, const PathChecker& checker,
                         const std::optional<SuggestReport>& suggest);

/// The robot as text for people.
std::string inspect_text(const LoadedRobot& robot, const PathChecker& checker,
                         const std::optional<SuggestReport>& suggest);

}  // namespace planner_ccd::cli
