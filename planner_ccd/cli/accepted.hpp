#pragma once

#include <string>
#include <vector>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/report/report.hpp"
#include "planner_ccd/validation/assumptions.hpp"

namespace planner_ccd::cli {

/// The kinds of --strict and --fail-on. Throws InputError for unknown ones.
std::vector<std::string> fail_on(const Arguments& arguments);

/// Throws InputError, saying why, when a question is about no pair of bodies and --allow-nothing-checked is not given.
void require_something_checked(const Arguments& arguments, const Question& question,
                               const std::vector<Assumption>& assumptions);

/// The command line as a shell takes it.
std::string command_line(int argc, const char* const* argv);

}  // namespace planner_ccd::cli
