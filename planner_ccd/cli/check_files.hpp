#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/report/report.hpp"

namespace planner_ccd::cli {

/// The files of a --path that names several motions, each to be checked by itself: several files after one --path, or a folder, of which
/// every file is taken that may hold a motion, in the order of their names. Empty for a --path that names one. Throws InputError for a
/// folder without such files.
std::vector<std::string> motion_files(const Arguments& arguments);

/// Checks each of the files with `check(arguments for it, file of its page)` and writes one report about all of them. A file that cannot be
/// used is reported beside the others. Returns the exit code. Throws InputError for options that are for one motion.
int check_files(const Arguments& arguments, const std::vector<std::string>& files,
                const std::function<Report(const Arguments&, const std::string& page)>& check);

}  // namespace planner_ccd::cli
