#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace planner_ccd::testing {

/// The message of tests that skip for lack of shared data; `./dev test` counts them.
inline constexpr const char* kNoSharedData = "shared data is absent; set PLANNER_CCD_DATA";

/// The folder of real robots, scenes and queries, which are not in the repository: $PLANNER_CCD_DATA, else
/// ../shared/data. Empty if `part` of it is missing.
inline std::string shared_data(const std::string& part) {
  const char* given = std::getenv("PLANNER_CCD_DATA");
  const std::string folder = given != nullptr ? given : PLANNER_CCD_SOURCE_DIR "/../shared/data";
  return std::filesystem::exists(folder + "/" + part) ? folder : "";
}

}  // namespace planner_ccd::testing
