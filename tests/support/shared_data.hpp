#pragma once

#include <string>

namespace planner_ccd::testing {

/// The project's root, for its models and robots. Only one file is compiled with this path, so that a compiler cache knows the
/// others in any clone.
std::string source_dir();

/// The message of tests that skip for lack of shared data; `./dev test` counts them.
inline constexpr const char* kNoSharedData = "shared data is absent; set PLANNER_CCD_DATA";

/// The folder of real robots, scenes and queries, which are not in the repository: $PLANNER_CCD_DATA, else
/// ../shared/data. Empty if `part` of it is missing.
std::string shared_data(const std::string& part);

}  // namespace planner_ccd::testing
