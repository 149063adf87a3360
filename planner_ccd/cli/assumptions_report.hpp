#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "planner_ccd/query/assumptions.hpp"

namespace planner_ccd::cli {

/// What a verdict relies on as JSON: kind, by, text, names, pairs.
nlohmann::ordered_json assumptions_json(const std::vector<Assumption>& assumptions);

/// The same for people: a few lines, the pairs that are left out in one of them; with `named` every name.
std::string assumptions_text(const std::vector<Assumption>& assumptions, bool named);

}  // namespace planner_ccd::cli
