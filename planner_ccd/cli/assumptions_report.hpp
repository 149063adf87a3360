#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "planner_ccd/query/assumptions.hpp"

namespace planner_ccd::cli {

/// The assumptions behind a verdict as JSON: kind, by, text, names, pairs.
nlohmann::ordered_json assumptions_json(const std::vector<Assumption>& assumptions);

/// The same as text: a few lines, the excluded pairs in one of them; with `named` every name.
std::string assumptions_text(const std::vector<Assumption>& assumptions, bool named);

}  // namespace planner_ccd::cli
