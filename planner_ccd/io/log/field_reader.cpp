#include "planner_ccd/io/log/field_reader.hpp"

#include <bit>

namespace planner_ccd {
namespace {

constexpr std::uint32_t kSecond = 1'000'000'000;  // [ns]

}  // namespace

FieldReader::FieldReader(std::string_view message, LogEncoding encoding, const std::string& where)
    : reader_(message, where), where_(&where), cdr_(encoding == LogEncoding::Cdr) {
  if (!cdr_) return;
  // The encapsulation header takes 4 bytes, which do not count for alignment.
  const auto kind = reader_.number<std::uint16_t>(false);
  reader_.take(2);
  if (kind > 1) {
    throw InputError(where + ": is encoded in a way that is not known (" + std::to_string(kind) +
                     "); known is plain CDR, without compression of single messages");
  }
  lowest_first_ = kind == 1;
  reader_ = ByteReader(message.substr(4), where);
}

void FieldReader::align(std::size_t size) {
  const std::size_t over = reader_.position() % size;
  if (over > 0) reader_.take(size - over);
}

double FieldReader::real() { return std::bit_cast<double>(number<std::uint64_t>()); }

std::string_view FieldReader::text() {
  const std::string_view bytes = reader_.take(number<std::uint32_t>());
  if (cdr_ && bytes.ends_with('\0')) return bytes.substr(0, bytes.size() - 1);
  return bytes;
}

std::size_t FieldReader::count(std::size_t least_bytes) {
  const auto count = number<std::uint32_t>();
  if (count > reader_.left() / least_bytes) {
    throw InputError(*where_ + ": says it holds " + std::to_string(count) +
                     " entries, more than its bytes can; is it damaged?");
  }
  return count;
}

std::vector<double> FieldReader::reals() {
  std::vector<double> values(count(sizeof(double)));
  for (double& value : values) value = real();
  return values;
}

std::vector<std::string_view> FieldReader::texts() {
  std::vector<std::string_view> all(count(sizeof(std::uint32_t)));
  for (std::string_view& one : all) one = text();
  return all;
}

std::int64_t FieldReader::time() {
  // ROS 1 counts seconds without a sign, ROS 2 with one.
  const auto raw = number<std::uint32_t>();
  const std::int64_t seconds = cdr_ ? static_cast<std::int32_t>(raw) : static_cast<std::int64_t>(raw);
  const auto nanoseconds = number<std::uint32_t>();
  if (nanoseconds >= kSecond) throw InputError(*where_ + ": has a stamp of more than 999999999 nanoseconds");
  return seconds * kSecond + nanoseconds;
}

double FieldReader::duration() {
  const auto seconds = number<std::int32_t>();
  const auto nanoseconds = number<std::int32_t>();
  if (nanoseconds < 0 || nanoseconds >= static_cast<std::int32_t>(kSecond)) {
    throw InputError(*where_ + ": has a time of more than 999999999 nanoseconds");
  }
  return static_cast<double>(seconds) + static_cast<double>(nanoseconds) * 1e-9;
}

std::int64_t FieldReader::header() {
  if (!cdr_) number<std::uint32_t>();  // a sequence number
  const std::int64_t stamp = time();
  text();
  return stamp;
}

void FieldReader::require_end() const {
  // CDR writers may pad to 4 or 8 bytes.
  if (reader_.left() > (cdr_ ? 7u : 0u)) {
    throw InputError(*where_ + ": has " + std::to_string(reader_.left()) +
                     " bytes more than a message of its type; it was recorded with another definition of it");
  }
}

}  // namespace planner_ccd
