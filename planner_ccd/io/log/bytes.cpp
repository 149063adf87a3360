#include "planner_ccd/io/log/bytes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace planner_ccd {

MappedFile::MappedFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw InputError(path + ": cannot be opened; check the path and its permissions");
  struct stat status {};
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(file);
    throw InputError(path + ": this is no plain file");
  }
  size_ = static_cast<std::size_t>(status.st_size);
  void* const data = size_ > 0 ? mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
  close(file);
  if (data == MAP_FAILED) throw InputError(path + ": reading failed");
  data_ = data;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace planner_ccd
