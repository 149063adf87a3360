#include "support/shared_data.hpp"

#include <cstdlib>
#include <filesystem>

namespace planner_ccd::testing {

std::string source_dir() { return PLANNER_CCD_SOURCE_DIR; }

std::string shared_data(const std::string& part) {
  const char* given = std::getenv("PLANNER_CCD_DATA");
  const std::string folder = given != nullptr ? given : source_dir() + "/../shared/data";
  return std::filesystem::exists(folder + "/" + part) ? folder : "";
}

}  // namespace planner_ccd::testing
