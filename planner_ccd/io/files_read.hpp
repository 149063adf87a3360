#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner_ccd/validation/input_file.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Lists every file that loaders read on this thread while it lives, each with the hash of the very bytes that were parsed, so that a
/// report can say what it is about. Every loader reads through read_file(), and so is listed. When several are alive on one thread, the
/// one made last takes the files.
class FilesRead {
 public:
  /// `role`: of the files that follow, but for meshes and scans, which are called so.
  explicit FilesRead(std::vector<InputFile>& files, std::string role = "");
  ~FilesRead();
  FilesRead(const FilesRead&) = delete;
  FilesRead& operator=(const FilesRead&) = delete;

 private:
  friend void note_file_read(const std::string& path, std::string_view bytes);
  friend class ReadsAs;

  std::vector<InputFile>& files_;
  std::string role_;
  FilesRead* outer_;
};

}  // namespace planner_ccd
#pragma GCC visibility pop
