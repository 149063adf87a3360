#pragma once

#include <Eigen/Core>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace planner_ccd {

/// Numbers of positions, in an open hash table. Positions are equal when their bits are, except that -0 is 0: surfaces that meet
/// in equal vertices are connected.
class VertexTable {
 public:
  explicit VertexTable(std::size_t expected = 0) : slots_(std::bit_ceil(2 * expected + 16), -1) {}

  /// The number given before for an equal position, else `number`, which is then p's. `at(i)` is the position that was given
  /// the number i.
  template <typename At>
  int put(const Eigen::Vector3d& p, int number, const At& at) {
    if (2 * (count_ + 1) > slots_.size()) grow(at);
    int& slot = slots_[find(p, at)];
    if (slot < 0) {
      slot = number;
      ++count_;
    }
    return slot;
  }

 private:
  std::vector<int> slots_;
  std::size_t count_ = 0;

  template <typename At>
  std::size_t find(const Eigen::Vector3d& given, const At& at) const {
    const Eigen::Vector3d p = given.array() + 0.0;
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hash(p) & mask;
    while (slots_[i] >= 0 && !equal(Eigen::Vector3d(at(slots_[i]).array() + 0.0), p)) i = (i + 1) & mask;
    return i;
  }

  template <typename At>
  void grow(const At& at) {
    std::vector<int> before(2 * slots_.size(), -1);
    before.swap(slots_);
    for (const int number : before) {
      if (number >= 0) slots_[find(at(number), at)] = number;
    }
  }

  static bool equal(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
    return std::memcmp(a.data(), b.data(), 3 * sizeof(double)) == 0;
  }
  static std::size_t hash(const Eigen::Vector3d& p) {
    std::uint64_t h = 0;
    for (int k = 0; k < 3; ++k) {
      h = (h ^ std::bit_cast<std::uint64_t>(p[k])) * 0x9E3779B97F4A7C15ull;
      h ^= h >> 29;
    }
    return h;
  }
};

}  // namespace planner_ccd
