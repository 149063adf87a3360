#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace planner_ccd {

/// Interleaves the bits of three numbers of 16 bits: the position of a cell on a curve (Morton, 1966) along which cells
/// near in space are mostly near, and on which every cube of an octree is one interval.
inline std::uint64_t place_on_curve(const std::array<std::uint32_t, 3>& cell) {
  const auto spread = [](std::uint64_t x) {
    x = (x | (x << 16)) & 0x0000FF0000FFu;
    x = (x | (x << 8)) & 0x00F00F00F00Fu;
    x = (x | (x << 4)) & 0x0C30C30C30C3u;
    return (x | (x << 2)) & 0x249249249249u;
  };
  return spread(cell[0]) | spread(cell[1]) << 1 | spread(cell[2]) << 2;
}

/// Sorts by the first element, of 48 bits; stable.
inline void sort_by_place(std::vector<std::pair<std::uint64_t, std::int32_t>>& items) {
  constexpr int kBits = 12;
  std::vector<std::pair<std::uint64_t, std::int32_t>> other(items.size());
  for (int shift = 0; shift < 48; shift += kBits) {
    std::array<std::size_t, std::size_t{1} << kBits> next{};
    const auto digit = [&](std::uint64_t place) { return (place >> shift) & ((1u << kBits) - 1u); };
    for (const auto& item : items) ++next[digit(item.first)];
    std::size_t sum = 0;
    for (std::size_t& n : next) sum += std::exchange(n, sum);
    for (const auto& item : items) other[next[digit(item.first)]++] = item;
    items.swap(other);
  }
}

}  // namespace planner_ccd
