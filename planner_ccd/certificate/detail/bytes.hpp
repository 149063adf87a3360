#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace planner_ccd {

/// Numbers as certificates hold them: little endian.
class ByteWriter {
 public:
  std::string bytes;

  void u8(std::uint64_t x) { put(x, 1); }
  void u16(std::uint64_t x) { put(x, 2); }
  void u32(std::uint64_t x) { put(x, 4); }
  void u64(std::uint64_t x) { put(x, 8); }
  void number(double x) { put(std::bit_cast<std::uint64_t>(x), 8); }
  void small(float x) { put(std::bit_cast<std::uint32_t>(x), 4); }
  void text(std::string_view words) {
    words = words.substr(0, 0xFFFF);
    u16(words.size());
    bytes += words;
  }

 private:
  void put(std::uint64_t x, int count) {
    for (int i = 0; i < count; ++i, x >>= 8) bytes += static_cast<char>(x & 0xFF);
  }
};

}  // namespace planner_ccd
