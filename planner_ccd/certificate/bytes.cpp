#include "planner_ccd/certificate/detail/bytes.hpp"

#include <cmath>

#include "planner_ccd/certificate/certificate.hpp"

namespace planner_ccd {
namespace {

using Word = std::uint32_t;

/// The first 32 bits behind the point of the root of `n` (FIPS 180-4 takes its constants from primes): the integer part of
/// 2^32 n^(1/k) by bisection, modulo 2^32. Wide enough: (2^36)^3 < 2^128.
Word root_bits(Word n, int k) {
  __extension__ using Wide = unsigned __int128;
  std::uint64_t low = 0, high = std::uint64_t{1} << 37;
  while (high - low > 1) {
    const std::uint64_t middle = (low + high) / 2;
    Wide power = middle;
    for (int i = 1; i < k; ++i) power *= middle;
    (power <= Wide{n} << (32 * k) ? low : high) = middle;
  }
  return static_cast<Word>(low);
}

struct Constants {
  std::array<Word, 8> start{};
  std::array<Word, 64> round{};

  Constants() {
    std::size_t found = 0;
    for (Word n = 2; found < round.size(); ++n) {
      bool prime = true;
      for (Word d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
      if (!prime) continue;
      if (found < start.size()) start[found] = root_bits(n, 2);
      round[found++] = root_bits(n, 3);
    }
  }
};

Word small_sigma(Word x, int r1, int r2, int shift) { return std::rotr(x, r1) ^ std::rotr(x, r2) ^ (x >> shift); }
Word large_sigma(Word x, int r1, int r2, int r3) { return std::rotr(x, r1) ^ std::rotr(x, r2) ^ std::rotr(x, r3); }

void take_block(const Constants& constants, const unsigned char* block, std::array<Word, 8>& state) {
  std::array<Word, 64> w;
  for (std::size_t i = 0; i < 16; ++i) {
    w[i] =
        Word{block[4 * i]} << 24 | Word{block[4 * i + 1]} << 16 | Word{block[4 * i + 2]} << 8 | Word{block[4 * i + 3]};
  }
  for (std::size_t i = 16; i < 64; ++i) {
    w[i] = small_sigma(w[i - 2], 17, 19, 10) + w[i - 7] + small_sigma(w[i - 15], 7, 18, 3) + w[i - 16];
  }
  std::array<Word, 8> s = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const Word t1 = s[7] + large_sigma(s[4], 6, 11, 25) + (s[6] ^ (s[4] & (s[5] ^ s[6]))) + constants.round[i] + w[i];
    const Word t2 = large_sigma(s[0], 2, 13, 22) + ((s[0] & (s[1] | s[2])) | (s[1] & s[2]));
    for (std::size_t k = 7; k > 0; --k) s[k] = s[k - 1];
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (std::size_t k = 0; k < 8; ++k) state[k] += s[k];
}

}  // namespace

std::array<std::uint8_t, 32> sha256(std::string_view bytes) {
  static const Constants constants;
  std::array<Word, 8> state = constants.start;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t whole = bytes.size() / 64 * 64;
  for (std::size_t i = 0; i < whole; i += 64) take_block(constants, data + i, state);
  std::string end(bytes.substr(whole));
  end += static_cast<char>(0x80);
  while (end.size() % 64 != 56) end += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) end += static_cast<char>((std::uint64_t{bytes.size()} * 8) >> shift);
  for (std::size_t i = 0; i < end.size(); i += 64) {
    take_block(constants, reinterpret_cast<const unsigned char*>(end.data()) + i, state);
  }
  std::array<std::uint8_t, 32> digest;
  for (std::size_t i = 0; i < 32; ++i) digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

std::string to_hex(const std::array<std::uint8_t, 32>& digest) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

CertificateInput certificate_input(std::string role, std::string name, std::string_view bytes) {
  return {std::move(role), std::move(name), bytes.size(), sha256(bytes)};
}

}  // namespace planner_ccd
