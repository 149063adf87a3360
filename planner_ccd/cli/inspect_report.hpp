#pragma once

#include <optional>
#include <string>

#include "planner_ccd/cli/robots.hpp"
#include "planner_ccd/validation/suggest_pairs.hpp"

namespace planner_ccd::cli {

/// The result of --suggest and its settings.
struct SuggestReport {
  SuggestOptions options;
  PairSuggestions found;
};

/// The robot as the JSON object documented in planner_ccd/cli/README.md; keys are only ever added. `checker` is for the
/// robot without a scene; pairs that it has proved apart are listed as not checked.
std::string inspect_json(LoadedRobot robot, const PathChecker& checker, const std::optional<SuggestReport>& suggest);

/// The robot as text.
std::string inspect_text(LoadedRobot robot, const PathChecker& checker, const std::optional<SuggestReport>& suggest);

}  // namespace planner_ccd::cli
