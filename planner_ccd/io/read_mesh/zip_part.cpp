#include <zlib.h>

#include <cstdint>
#include <string_view>

#include "planner_ccd/io/read_mesh/stated.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd::read_mesh {
namespace {

constexpr std::size_t kMaxPart = std::size_t{1} << 30;
constexpr std::size_t kEndBytes = 22, kEntryBytes = 46, kLocalBytes = 30;  // without names and comments

[[noreturn]] void damaged() {
  throw InputError("the ZIP archive is damaged, or of a kind that is not read; save it again");
}

std::uint32_t number(std::string_view bytes, std::size_t at, int count) {
  if (at > bytes.size() || bytes.size() - at < static_cast<std::size_t>(count)) damaged();
  std::uint32_t value = 0;
  for (int i = count - 1; i >= 0; --i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  return value;
}

std::string_view slice(std::string_view bytes, std::size_t at, std::size_t count) {
  if (at > bytes.size() || bytes.size() - at < count) damaged();
  return bytes.substr(at, count);
}

std::string inflated(std::string_view bytes, std::size_t size) {
  if (size > kMaxPart) damaged();
  std::string out(size + 1, '\0');  // one more, so that a longer one is noticed
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) damaged();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int end = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (end != Z_STREAM_END || stream.total_out != size) damaged();
  out.resize(size);
  return out;
}

std::string part_at(std::string_view zip, std::size_t entry) {
  const std::uint32_t method = number(zip, entry + 10, 2), packed = number(zip, entry + 20, 4),
                      size = number(zip, entry + 24, 4);
  const std::size_t local = number(zip, entry + 42, 4);
  if (number(zip, local, 4) != 0x04034B50 || (number(zip, entry + 8, 2) & 1) != 0) damaged();
  const std::size_t names = number(zip, local + 26, 2) + number(zip, local + 28, 2);
  const std::string_view bytes = slice(zip, local + kLocalBytes + names, packed);
  if (method == 0 && packed == size) return std::string(bytes);
  if (method != 8) damaged();
  return inflated(bytes, size);
}

}  // namespace

std::string zip_part(const std::string& archive, const std::string& ending) {
  const std::string_view zip = archive;
  const std::size_t end = zip.rfind("PK\5\6");
  if (end == std::string_view::npos || zip.size() - end < kEndBytes) damaged();
  std::size_t at = number(zip, end + 16, 4);
  std::string found;
  int count = 0;
  for (std::uint32_t i = 0; i < number(zip, end + 10, 2); ++i) {
    if (number(zip, at, 4) != 0x02014B50) damaged();
    const std::size_t name = number(zip, at + 28, 2), rest = number(zip, at + 30, 2) + number(zip, at + 32, 2);
    if (slice(zip, at + kEntryBytes, name).ends_with(ending) && ++count == 1) found = part_at(zip, at);
    at += kEntryBytes + name + rest;
  }
  if (count != 1) {
    throw InputError("holds " + std::to_string(count) + " files that end in " + ending +
                     ", of which Assimp reads one; export one");
  }
  return found;
}

}  // namespace planner_ccd::read_mesh
