#pragma once

#include <string>

#include "planner_ccd/cli/arguments.hpp"

namespace planner_ccd::cli {

/// `inspect` of a log: its topics and which of them can be checked. Returns the exit code.
int inspect_log(const Arguments& arguments, const std::string& file);

}  // namespace planner_ccd::cli
