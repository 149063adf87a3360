#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "planner_ccd/io/log/log_file.hpp"

namespace planner_ccd {

/// Reads the fields of a message in order: CDR as written by ROS 2 (either byte order; numbers aligned to their size),
/// or the serialisation of ROS 1. Throws InputError beginning with `where` at the message's end; counts are compared
/// with the remaining bytes before anything is allocated.
class FieldReader {
 public:
  FieldReader(std::string_view message, LogEncoding encoding, const std::string& where);

  template <class T>
  T number() {
    if (cdr_) align(sizeof(T));
    return reader_.number<T>(lowest_first_);
  }
  double real();
  std::string_view text();
  std::vector<double> reals();
  /// The length of a sequence whose entries take at least this many bytes.
  std::size_t count(std::size_t least_bytes);
  void skip_bytes(std::size_t count) { reader_.take(count); }
  std::vector<std::string_view> texts();

  std::int64_t time();       ///< [ns]
  double duration();         ///< [s]
  std::int64_t header();     ///< [ns] The stamp in a header.
  void require_end() const;  ///< Detects messages whose layout differs from the assumed one.

 private:
  ByteReader reader_;
  const std::string* where_;
  bool cdr_, lowest_first_ = true;

  void align(std::size_t size);
};

}  // namespace planner_ccd
