#pragma once

#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace planner_ccd {

std::string to_lower(std::string_view text);

/// "; did you mean \"forearm\"?" for the name spelled most like `word`; empty if none is similar.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

/// Input text for use in a message: cut to 60 bytes, control characters replaced.
std::string in_quotes(std::string_view text);

}  // namespace planner_ccd
#pragma GCC visibility pop
