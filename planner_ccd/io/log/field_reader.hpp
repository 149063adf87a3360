#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "planner_ccd/io/log/log_file.hpp"

namespace planner_ccd {

/// The fields of a message, one after the other: in CDR as ROS 2 writes it (either byte order; numbers begin at multiples of their size),
/// or in the serialisation of ROS 1. Throws InputError, which begins with `where`, beyond the message's end; a count is compared
/// with what is left before anything is allocated.
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
  /// Of a sequence whose entries take at least so many bytes.
  std::size_t count(std::size_t least_bytes);
  void skip_bytes(std::size_t count) { reader_.take(count); }
  std::vector<std::string_view> texts();

  std::int64_t time();       ///< [ns]
  double duration();         ///< [s]
  std::int64_t header();     ///< Its stamp [ns].
  void require_end() const;  ///< A message of another layout than was thought ends elsewhere.

 private:
  ByteReader reader_;
  const std::string* where_;
  bool cdr_, lowest_first_ = true;

  void align(std::size_t size);
};

}  // namespace planner_ccd
