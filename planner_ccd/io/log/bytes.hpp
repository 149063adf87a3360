#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "planner_ccd/math/error.hpp"

namespace planner_ccd {

/// A memory-mapped file. It must not be truncated while it is read; loggers only append.
class MappedFile {
 public:
  /// Throws InputError when it is missing, not a regular file, or unreadable.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Reads bytes from front to back. Reading beyond the end throws InputError beginning with `where`.
class ByteReader {
 public:
  ByteReader(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(&where) {}

  std::size_t left() const { return bytes_.size() - at_; }
  std::size_t position() const { return at_; }

  std::string_view take(std::uint64_t count) {
    if (count > left()) throw InputError(*where_ + ": ends in the middle of a record; the file is damaged");
    const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(count));
    at_ += taken.size();
    return taken;
  }

  /// An integer, little or big endian.
  template <class T>
  T number(bool lowest_first = true) {
    const std::string_view raw = take(sizeof(T));
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      const auto byte = static_cast<unsigned char>(raw[lowest_first ? sizeof(T) - 1 - i : i]);
      value = value << 8 | byte;
    }
    return static_cast<T>(value);
  }

  /// A length in 4 bytes, then the text.
  std::string_view text() { return take(number<std::uint32_t>()); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  const std::string* where_;
};

}  // namespace planner_ccd
