#pragma once

#include <string>

namespace planner_ccd::bench {

/// Arguments of every benchmark program; `./dev bench NAME ...` passes them on.
struct Arguments {
  bool quick = false;  ///< --quick: the same rows from fewer queries.
  std::string json;    ///< --json FILE: also write the rows there; empty: no file.
  std::string filter;  ///< --filter TEXT: only the cases whose name contains it.

  bool selects(const std::string& case_name) const { return case_name.find(filter) != std::string::npos; }
  /// A number of queries or repetitions, for a full and for a quick run.
  int count(int full, int quick_count) const { return quick ? quick_count : full; }
};

/// Prints the help and exits with 0 for --help, with 2 for an argument that is unknown or lacks its value.
Arguments parse_arguments(int argc, char** argv);

}  // namespace planner_ccd::bench
