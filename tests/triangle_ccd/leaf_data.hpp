#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "triangle_ccd/leaf_draws.hpp"

namespace planner_ccd::test {

/// One recorded query of ../shared/data/ccd_queries (SOURCES.md there).
struct RecordedQuery {
  FourPoints points;
  bool exact = true;          ///< Every rational of the file is a double.
  bool hit = false;           ///< The file's ground truth.
  std::optional<double> toi;  ///< If the file of contact times has one.
};

struct RecordedSet {
  std::string name;
  bool edges = false;
  std::vector<RecordedQuery> queries;
};

/// ccd_queries of the shared data; empty if missing.
std::optional<std::filesystem::path> ccd_query_folder();

/// Every set. Throws std::runtime_error for a file that cannot be read as described.
std::vector<RecordedSet> read_recorded_sets(const std::filesystem::path& folder);

}  // namespace planner_ccd::test
