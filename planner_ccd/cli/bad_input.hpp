#pragma once

#include <string>
#include <vector>

#include "planner_ccd/cli/arguments.hpp"

namespace planner_ccd::cli {

/// Throws InputError for an unknown command or option, suggesting the one that may be meant.
void require_known_words(const std::vector<std::string>& words);

/// Notes options that several values follow at once. Throws InputError where that is mixed with the option given several times.
void note_alternatives(const std::vector<std::string>& words, Arguments& arguments);

/// Reports an error on stderr and, for pipelines, as JSON on stdout and in the --junit file where these command-line
/// words ask for them.
void report_bad_input(const std::vector<std::string>& words, const std::string& message);

}  // namespace planner_ccd::cli
