#pragma once

#include <string>
#include <string_view>

namespace planner_ccd {

/// For readers that do not use read_file(): adds the file to the thread's FilesRead, if there is one.
void note_file_read(const std::string& path, std::string_view bytes);

/// Whether anybody keeps such a list.
bool files_are_noted();

/// What is read during its life has this role, whatever the file that refers to it is.
class ReadsAs {
 public:
  explicit ReadsAs(const char* role);
  ~ReadsAs();
  ReadsAs(const ReadsAs&) = delete;
  ReadsAs& operator=(const ReadsAs&) = delete;

 private:
  std::string before_;
};

/// As read_file, for a look at a file that is not an input: it is not listed.
std::string peek_file(const std::string& path, std::size_t max_bytes);

}  // namespace planner_ccd
