#include "planner_ccd/viewer/deflate.hpp"

#include <algorithm>
#include <cstdint>

#if PLANNER_CCD_HAVE_ZLIB
#include <zlib.h>

#include <stdexcept>
#endif

namespace planner_ccd::viewer {

#if PLANNER_CCD_HAVE_ZLIB

std::string deflate(std::string_view bytes) {
  z_stream stream{};
  constexpr int kRaw = -15, kMemory = 9;  // window of 32 kB without a header; the most memory
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kRaw, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("zlib could not begin to compress");
  }
  std::string out;
  std::string buffer(std::size_t{1} << 18, '\0');
  constexpr std::size_t kMost = std::size_t{1} << 30;  // zlib counts in 32 bits
  int result = Z_OK;
  while (result != Z_STREAM_END) {
    if (stream.avail_in == 0 && !bytes.empty()) {
      const std::size_t count = std::min(kMost, bytes.size());
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib only reads it
      stream.avail_in = static_cast<uInt>(count);
      bytes.remove_prefix(count);
    }
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    result = ::deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    out.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

#else

std::string deflate(std::string_view bytes) {
  std::string out;
  do {
    const std::size_t count = std::min<std::size_t>(bytes.size(), 0xFFFF);
    const auto put16 = [&out](std::size_t n) {
      out.push_back(static_cast<char>(n & 0xFF));
      out.push_back(static_cast<char>((n >> 8) & 0xFF));
    };
    out.push_back(count == bytes.size() ? 1 : 0);  // stored, and whether it is the last block
    put16(count);
    put16(~count);
    out.append(bytes.substr(0, count));
    bytes.remove_prefix(count);
  } while (!bytes.empty());
  return out;
}

#endif

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out.push_back(k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=');
  }
  return out;
}

}  // namespace planner_ccd::viewer
