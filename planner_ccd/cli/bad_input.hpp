#pragma once

#include <string>
#include <vector>

namespace planner_ccd::cli {

/// Throws InputError for a command or an option that there is not, with the one that may be meant.
void require_known_words(const std::vector<std::string>& words);

/// Says what is wrong on stderr and, so that a pipeline sees it, as JSON on stdout and in the file of --junit where these words of
/// the command line ask for them.
void report_bad_input(const std::vector<std::string>& words, const std::string& message);

}  // namespace planner_ccd::cli
