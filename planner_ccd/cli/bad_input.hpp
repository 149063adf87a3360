#pragma once

#include <string>
#include <vector>

namespace planner_ccd::cli {

/// Throws InputError for an unknown command or option, suggesting the one that may be meant.
void require_known_words(const std::vector<std::string>& words);

/// Reports an error on stderr and, for pipelines, as JSON on stdout and in the --junit file where these command-line
/// words ask for them.
void report_bad_input(const std::vector<std::string>& words, const std::string& message);

}  // namespace planner_ccd::cli
