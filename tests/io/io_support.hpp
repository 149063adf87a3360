#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "planner_ccd/math/error.hpp"
#include "support/shared_data.hpp"

#include "planner_ccd/validation/input_warning.hpp"

namespace planner_ccd::test {

/// A folder for one test, deleted afterwards.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "planner_ccd_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = std::filesystem::canonical(name);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() { std::filesystem::remove_all(path_); }

  /// Writes a file below the folder, creating folders as needed; returns its full path.
  std::string write(const std::string& name, const std::string& bytes) const {
    const auto file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    return file.string();
  }
  std::string path(const std::string& name = "") const {
    return name.empty() ? path_.string() : (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

/// The message of the InputError that `load` must throw; it must contain all `parts`.
inline std::string expect_input_error(const std::function<void()>& load, const std::vector<std::string>& parts) {
  try {
    load();
  } catch (const InputError& error) {
    std::string message = error.what();
    for (const std::string& part : parts) {
      EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' is not in: " << message;
    }
    return message;
  }
  ADD_FAILURE() << "no InputError was thrown";
  return {};
}

/// The shared data folder, if it has robots.
inline std::string robots_data() { return testing::shared_data("robots/INDEX.json"); }

inline std::string one_link(const std::string& geometry) {
  return "<robot name='r'>\n<link name='base'>\n<collision><geometry>" + geometry +
         "</geometry></collision>\n</link>\n</robot>\n";
}

inline const char* const kTriangleObj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

inline bool any_contains(const std::vector<std::string>& lines, const std::string& part) {
  for (const std::string& line : lines) {
    if (line.find(part) != std::string::npos) return true;
  }
  return false;
}

inline bool any_contains(const std::vector<InputWarning>& warnings, const std::string& part) {
  for (const InputWarning& warning : warnings) {
    if (warning.text.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace planner_ccd::test
