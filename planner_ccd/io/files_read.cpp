#include "planner_ccd/io/files_read.hpp"

#include <algorithm>

#include "planner_ccd/io/detail/note_file_read.hpp"

namespace planner_ccd {
namespace {

/// The innermost one of this thread.
thread_local FilesRead* current = nullptr;

}  // namespace

FilesRead::FilesRead(std::vector<InputFile>& files, std::string role)
    : files_(files), role_(std::move(role)), outer_(current) {
  current = this;
}

FilesRead::~FilesRead() { current = outer_; }

void note_file_read(const std::string& path, std::string_view bytes) {
  if (current == nullptr) return;
  InputFile file = input_file(current->role_, path, bytes);
  std::vector<InputFile>& all = current->files_;
  if (std::find(all.begin(), all.end(), file) == all.end()) all.push_back(std::move(file));
}

bool files_are_noted() { return current != nullptr; }

ReadsAs::ReadsAs(const char* role) {
  if (current == nullptr) return;
  before_ = std::move(current->role_);
  current->role_ = role;
}

ReadsAs::~ReadsAs() {
  if (current != nullptr) current->role_ = std::move(before_);
}

}  // namespace planner_ccd
