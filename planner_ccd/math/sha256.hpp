#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace planner_ccd {

/// SHA-256 (FIPS 180-4), used to name things by their content and to detect damage.
class Sha256 {
 public:
  using Digest = std::array<std::uint8_t, 32>;

  void add(const void* data, std::size_t size);
  /// Ends the message; the object cannot be used afterwards.
  Digest finish();

  [[gnu::visibility("default")]] static Digest of(const void* data, std::size_t size);

 private:
  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> block_{};
  std::size_t filled_ = 0;
  std::uint64_t bytes_ = 0;

  void compress(const std::uint8_t* block);
};

[[gnu::visibility("default")]] std::string to_hex(const Sha256::Digest& digest);

}  // namespace planner_ccd
