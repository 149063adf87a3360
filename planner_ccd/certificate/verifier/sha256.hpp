#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace pccd {

using Digest = std::array<std::uint8_t, 32>;

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece.
class Sha256 {
 public:
  void add(const void* bytes, std::size_t count);
  Digest finish();

 private:
  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> block_{};
  std::size_t filled_ = 0;
  std::uint64_t total_ = 0;  ///< [bytes]

  void take_block();
};

std::string to_hex(const Digest& digest);

}  // namespace pccd
